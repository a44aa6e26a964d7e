internal import CPostgres
import PrimereplPlatform
import StateStore

/// The functions of libpq, loaded for the first session on a server.
///
/// The library isn't linked: programs that use no server neither need it nor start slower.
typealias PostgresLibrary = cpostgres_functions

extension PostgresLibrary {
  #if canImport(Darwin)
    private static let names = [
      "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
      "/usr/local/opt/libpq/lib/libpq.5.dylib",
    ]
  #else
    private static let names = ["libpq.so.5", "libpq.so"]
  #endif

  /// The library, loaded by the first call that succeeds; it stays loaded.
  ///
  /// - Throws: `JournalError.unreachable` if it isn't installed.
  static func loaded(for address: String) throws(JournalError) -> PostgresLibrary {
    do throws(DynamicLibrary.Problem) {
      return try DynamicLibrary.functions(of: names, cpostgres_functions_in)
    } catch {
      throw .unreachable(
        address,
        reason: "the library libpq can't be loaded (\(error.reason)): install it with "
          + "\"apt install libpq5\" (Debian, Ubuntu) or \"brew install libpq\" (macOS)")
    }
  }

  /// A setting of a connection that an address has.
  struct Option {
    let name: String
    let value: String
    let isPassword: Bool
  }

  /// The settings that an address has; nil if libpq can't read it.
  func options(in address: String) -> [Option]? {
    var message: UnsafeMutablePointer<CChar>?
    guard let first = self.PQconninfoParse(address, &message) else {
      // It quotes the address.
      self.PQfreemem(message)
      return nil
    }
    defer { self.PQconninfoFree(first) }
    var options: [Option] = []
    var next = first
    while let name = next.pointee.keyword {
      if let value = next.pointee.val {
        // An asterisk marks a password, and D what users don't set.
        let display = next.pointee.dispchar.map { String(cString: $0) }
        options.append(
          Option(
            name: String(cString: name), value: String(cString: value), isPassword: display == "*"))
      }
      next += 1
    }
    return options
  }
}
