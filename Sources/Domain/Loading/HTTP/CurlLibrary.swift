import StateStore
internal import CCurl
import Foundation
import Synchronization

/// The functions of libcurl that the app uses, loaded when the first request is made.
///
/// The library isn't linked: with the thirty that it needs it would add 10 ms to the start of a process that may never
/// ask anyone. The functions' types are those of `curl.h`.
struct CurlLibrary: Sendable {
  let easyInit: ccurl_easy_init_function
  let easyCleanup: ccurl_easy_cleanup_function
  let setOption: ccurl_variadic_function
  let getInformation: ccurl_variadic_function
  let multiInit: ccurl_multi_init_function
  let multiCleanup: ccurl_multi_cleanup_function
  let add: ccurl_multi_add_handle_function
  let remove: ccurl_multi_remove_handle_function
  let perform: ccurl_multi_perform_function
  let poll: ccurl_multi_poll_function
  let wake: ccurl_multi_wakeup_function
  let nextMessage: ccurl_multi_info_read_function

  /// The codings of a body that the library can undo, and that take little memory: a body in zstd may ask for 128 MB.
  let contentCodings: [String]

  #if canImport(Darwin)
    private static let names = ["libcurl.4.dylib", "/usr/lib/libcurl.4.dylib"]
  #else
    private static let names = ["libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so"]
  #endif

  private static let library = Mutex<CurlLibrary?>(nil)

  /// The library, which stays loaded once it was.
  ///
  /// A failure isn't remembered: it may be that no file could be opened just then.
  ///
  /// - Throws: `HTTPFailure.unavailable`.
  static func loaded() throws(HTTPFailure) -> CurlLibrary {
    try library.withLock { library throws(HTTPFailure) in
      if let library { return library }
      let loaded = try CurlLibrary(names: names)
      library = loaded
      return loaded
    }
  }

  /// Loads the first library that is there.
  ///
  /// - Parameter names: File names the system's loader looks for, or paths.
  /// - Throws: `HTTPFailure.unavailable`.
  init(names: [String]) throws(HTTPFailure) {
    var reasons: [String] = []
    for name in names {
      if let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) {
        try self.init(library, name: name)
        return
      }
      reasons.append(dlerror().map { String(cString: $0) } ?? "the loader gave no reason")
    }
    if OpenDescriptors.areExhausted { throw .unavailable(.tooManyOpenFiles) }
    throw .unavailable(.library(reasons.joined(separator: "; ")))
  }

  private init(_ library: UnsafeMutableRawPointer, name: String) throws(HTTPFailure) {
    func function<Function>(_ symbol: String, as type: Function.Type) throws(HTTPFailure)
      -> Function
    {
      guard let address = dlsym(library, symbol) else {
        throw .unavailable(.library("\(name) has no \(symbol)"))
      }
      return unsafeBitCast(address, to: type)
    }
    let globalInit = try function("curl_global_init", as: ccurl_global_init_function.self)
    let versionInfo = try function("curl_version_info", as: ccurl_version_info_function.self)
    easyInit = try function("curl_easy_init", as: ccurl_easy_init_function.self)
    easyCleanup = try function("curl_easy_cleanup", as: ccurl_easy_cleanup_function.self)
    setOption = try function("curl_easy_setopt", as: ccurl_variadic_function.self)
    getInformation = try function("curl_easy_getinfo", as: ccurl_variadic_function.self)
    multiInit = try function("curl_multi_init", as: ccurl_multi_init_function.self)
    multiCleanup = try function("curl_multi_cleanup", as: ccurl_multi_cleanup_function.self)
    add = try function("curl_multi_add_handle", as: ccurl_multi_add_handle_function.self)
    remove = try function("curl_multi_remove_handle", as: ccurl_multi_remove_handle_function.self)
    perform = try function("curl_multi_perform", as: ccurl_multi_perform_function.self)
    poll = try function("curl_multi_poll", as: ccurl_multi_poll_function.self)
    wake = try function("curl_multi_wakeup", as: ccurl_multi_wakeup_function.self)
    nextMessage = try function("curl_multi_info_read", as: ccurl_multi_info_read_function.self)
    guard globalInit(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK,
      let version = versionInfo(ccurl_version_now())
    else { throw .unavailable(.library("\(name) can't be initialised")) }
    let features = version.pointee.features
    contentCodings =
      (features & CURL_VERSION_LIBZ != 0 ? ["gzip", "deflate"] : [])
      + (features & CURL_VERSION_BROTLI != 0 ? ["br"] : [])
  }
}
