internal import CMicrohttpd
import PrimereplPlatform

/// The functions of libmicrohttpd, loaded when a page is served.
///
/// The library isn't linked: programs that serve no page neither need it nor start slower. The functions' types are those of
/// `microhttpd.h`.
struct HTTPLibrary: Sendable {
  let start: cmicrohttpd_variadic_function
  let info: cmicrohttpd_variadic_function
  let stop: cmicrohttpd_stop_function
  let lookUp: cmicrohttpd_lookup_function
  let responseFromBuffer: cmicrohttpd_buffer_function
  let responseFromCallback: cmicrohttpd_callback_function
  let addHeader: cmicrohttpd_header_function
  let queue: cmicrohttpd_queue_function
  let destroy: cmicrohttpd_destroy_function
  let suspend: cmicrohttpd_suspend_function
  let resume: cmicrohttpd_resume_function

  #if canImport(Darwin)
    private static let names = [
      "libmicrohttpd.12.dylib", "/opt/homebrew/opt/libmicrohttpd/lib/libmicrohttpd.12.dylib",
      "/usr/local/opt/libmicrohttpd/lib/libmicrohttpd.12.dylib",
    ]
  #else
    private static let names = ["libmicrohttpd.so.12", "libmicrohttpd.so"]
  #endif

  /// Loads the library, which stays loaded.
  init() throws(ServerError) {
    do throws(DynamicLibrary.Problem) {
      let library = try DynamicLibrary(names: Self.names)
      start = try library.function("MHD_start_daemon")
      info = try library.function("MHD_get_daemon_info")
      stop = try library.function("MHD_stop_daemon")
      lookUp = try library.function("MHD_lookup_connection_value")
      responseFromBuffer = try library.function("MHD_create_response_from_buffer")
      responseFromCallback = try library.function("MHD_create_response_from_callback")
      addHeader = try library.function("MHD_add_response_header")
      queue = try library.function("MHD_queue_response")
      destroy = try library.function("MHD_destroy_response")
      suspend = try library.function("MHD_suspend_connection")
      resume = try library.function("MHD_resume_connection")
    } catch {
      throw ServerError(
        "no_library",
        "the library libmicrohttpd can't be loaded (\(error.reason)): install it with "
          + "\"apt install libmicrohttpd12\" (Debian, Ubuntu) or \"brew install libmicrohttpd\" (macOS)"
      )
    }
  }
}
