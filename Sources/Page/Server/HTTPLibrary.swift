internal import CMicrohttpd
import PrimereplPlatform

/// The functions of libmicrohttpd, loaded when a page is served.
///
/// The library isn't linked: programs that serve no page neither need it nor start slower.
typealias HTTPLibrary = cmicrohttpd_functions

extension HTTPLibrary {
  #if canImport(Darwin)
    private static let names = [
      "libmicrohttpd.12.dylib", "/opt/homebrew/opt/libmicrohttpd/lib/libmicrohttpd.12.dylib",
      "/usr/local/opt/libmicrohttpd/lib/libmicrohttpd.12.dylib",
    ]
  #else
    private static let names = ["libmicrohttpd.so.12", "libmicrohttpd.so"]
  #endif

  /// The library, which stays loaded.
  static func loaded() throws(ServerError) -> HTTPLibrary {
    do throws(DynamicLibrary.Problem) {
      return try DynamicLibrary.functions(of: names, cmicrohttpd_functions_in)
    } catch {
      throw ServerError(
        "no_library",
        "the library libmicrohttpd can't be loaded (\(error.reason)): install it with "
          + "\"apt install libmicrohttpd12\" (Debian, Ubuntu) or \"brew install libmicrohttpd\" (macOS)"
      )
    }
  }
}
