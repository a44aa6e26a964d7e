internal import CCurl
import PrimereplFoundation
import PrimereplPlatform
import Synchronization

/// The functions of libcurl that transfers use, loaded for the first request.
///
/// The library isn't linked: with the thirty that it needs it would add 10 ms to the start of a process that may
/// never make a request.
typealias CurlLibrary = ccurl_functions

extension CurlLibrary {
  #if canImport(Darwin)
    private static let names = ["libcurl.4.dylib", "/usr/lib/libcurl.4.dylib"]
  #else
    private static let names = ["libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so"]
  #endif

  private static let library = Mutex<CurlLibrary?>(nil)

  /// The library, loaded by the first call that succeeds; it stays loaded.
  ///
  /// A failure isn't kept: perhaps no file could be opened just then.
  static func loaded() throws(HTTPFailure) -> CurlLibrary {
    try library.withLock { library throws(HTTPFailure) in
      if let library { return library }
      let loaded = try CurlLibrary(names: names)
      library = loaded
      return loaded
    }
  }

  /// Loads the first library that is found; the names are paths, or file names that the system's loader looks for.
  init(names: [String]) throws(HTTPFailure) {
    do throws(DynamicLibrary.Problem) {
      self = try DynamicLibrary.functions(of: names, ccurl_functions_in)
    } catch {
      throw Self.unusable(error.reason)
    }
    guard self.curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
      throw Self.unusable("it can't be initialised")
    }
  }

  fileprivate static func unusable(_ reason: String) -> HTTPFailure {
    .unavailable(OpenDescriptors.isLimitReached ? .tooManyOpenFiles : .library(reason))
  }
}

/// A multi handle of libcurl: the transfers in progress.
///
/// Safe to send: `wake` may be called on any thread, as libcurl guarantees; everything else happens on one thread.
final class CurlMulti: @unchecked Sendable {
  let library: CurlLibrary
  let handle: UnsafeMutableRawPointer

  /// The longest sleep, so that milliseconds fit libcurl's type.
  private static let longestSleep = Duration.seconds(86_400)

  init(library: CurlLibrary) throws(HTTPFailure) {
    guard let handle = library.curl_multi_init() else { throw Self.cannotStart }
    // Without free file descriptors, libcurl makes a handle that never wakes.
    guard library.curl_multi_wakeup(handle) == CURLM_OK else {
      _ = library.curl_multi_cleanup(handle)
      throw Self.cannotStart
    }
    self.library = library
    self.handle = handle
  }

  private static var cannotStart: HTTPFailure { CurlLibrary.unusable("it gave no handle") }

  /// Frees a handle that no thread uses.
  func destroy() {
    _ = library.curl_multi_cleanup(handle)
  }

  /// Ends the thread's sleep, or its next one.
  func wake() {
    // A failure means that a wake-up is pending already.
    _ = library.curl_multi_wakeup(handle)
  }

  /// Works on the transfers without waiting, removes those that end, and returns whether any did.
  func perform(_ active: inout [ActiveTransfer]) -> Bool {
    let count = active.count
    var running: Int32 = 0
    guard library.curl_multi_perform(handle, &running) == CURLM_OK else {
      for transfer in active { transfer.finish(.failure(.connection(.other))) }
      active = []
      return count > 0
    }
    var remaining: Int32 = 0
    while let message = library.curl_multi_info_read(handle, &remaining)?.pointee {
      guard message.msg == CURLMSG_DONE,
        let index = active.firstIndex(where: { $0.handle == message.easy_handle })
      else { continue }
      active.remove(at: index).finish(message.data.result)
    }
    let now = ContinuousClock.now
    active.removeAll { transfer in
      guard transfer.deadline <= now else { return false }
      transfer.finish(.failure(.timedOut))
      return true
    }
    return active.count < count
  }

  /// Sleeps until something happens on a connection, `wake` is called, or the deadline has come.
  func sleep(until deadline: ContinuousClock.Instant?) {
    let limit = min(
      deadline.map { ContinuousClock.now.duration(to: $0) } ?? Self.longestSleep, Self.longestSleep)
    // Rounded up: waking too early would only mean sleeping again.
    let milliseconds = max(0, Int32(limit / .milliseconds(1))) + 1
    if library.curl_multi_poll(handle, nil, 0, milliseconds, nil) != CURLM_OK {
      // Not enough memory: a pause is better than a busy loop.
      usleep(100_000)
    }
  }
}
