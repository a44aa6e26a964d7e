import CSQLite
import PrimereplPlatform

/// The functions of SQLite, loaded when a state file is opened.
///
/// The library isn't linked: the loader would look up its 1,500 symbols at each start, which takes a twelfth of it.
typealias SQLiteLibrary = csqlite_functions

extension SQLiteLibrary {
  #if canImport(Darwin)
    private static let names = ["/usr/lib/libsqlite3.dylib"]
  #else
    private static let names = ["libsqlite3.so.0", "libsqlite3.so"]
  #endif

  /// The library, which stays loaded.
  static func loaded() throws(DynamicLibrary.Problem) -> SQLiteLibrary {
    try DynamicLibrary.functions(of: names, csqlite_functions_in)
  }
}
