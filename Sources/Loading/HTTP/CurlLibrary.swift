internal import CCurl
import PrimereplFoundation
import PrimereplPlatform
import Synchronization

/// The functions of libcurl that transfers use, loaded for the first request.
///
/// The library isn't linked: with the thirty that it needs it would add 10 ms to the start of a process that may
/// never make a request. The functions' types are those of `curl.h`.
struct CurlLibrary: Sendable {
  let easyInit: ccurl_easy_init_function
  let easyCleanup: ccurl_easy_cleanup_function
  let setOption: ccurl_variadic_function
  let getInformation: ccurl_variadic_function
  let appendToList: ccurl_slist_append_function
  let freeList: ccurl_slist_free_all_function
  let multiInit: ccurl_multi_init_function
  let multiCleanup: ccurl_multi_cleanup_function
  let add: ccurl_multi_add_handle_function
  let remove: ccurl_multi_remove_handle_function
  let perform: ccurl_multi_perform_function
  let poll: ccurl_multi_poll_function
  let wake: ccurl_multi_wakeup_function
  let nextMessage: ccurl_multi_info_read_function

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
      try self.init(DynamicLibrary(names: names))
    } catch {
      throw .unavailable(
        OpenDescriptors.isLimitReached ? .tooManyOpenFiles : .library(error.reason))
    }
  }

  private init(_ library: DynamicLibrary) throws(DynamicLibrary.Problem) {
    let globalInit = try library.function("curl_global_init", as: ccurl_global_init_function.self)
    easyInit = try library.function("curl_easy_init")
    easyCleanup = try library.function("curl_easy_cleanup")
    setOption = try library.function("curl_easy_setopt")
    getInformation = try library.function("curl_easy_getinfo")
    appendToList = try library.function("curl_slist_append")
    freeList = try library.function("curl_slist_free_all")
    multiInit = try library.function("curl_multi_init")
    multiCleanup = try library.function("curl_multi_cleanup")
    add = try library.function("curl_multi_add_handle")
    remove = try library.function("curl_multi_remove_handle")
    perform = try library.function("curl_multi_perform")
    poll = try library.function("curl_multi_poll")
    wake = try library.function("curl_multi_wakeup")
    nextMessage = try library.function("curl_multi_info_read")
    guard globalInit(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
      throw .init(reason: "\(library.name) can't be initialised")
    }
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
    guard let handle = library.multiInit() else { throw Self.cannotStart }
    // Without free file descriptors, libcurl makes a handle that never wakes.
    guard library.wake(handle) == CURLM_OK else {
      _ = library.multiCleanup(handle)
      throw Self.cannotStart
    }
    self.library = library
    self.handle = handle
  }

  private static var cannotStart: HTTPFailure {
    .unavailable(
      OpenDescriptors.isLimitReached ? .tooManyOpenFiles : .library("it gave no handle"))
  }

  /// Frees a handle that no thread uses.
  func destroy() {
    _ = library.multiCleanup(handle)
  }

  /// Ends the thread's sleep, or its next one.
  func wake() {
    // A failure means that a wake-up is pending already.
    _ = library.wake(handle)
  }

  /// Works on the transfers without waiting, removes those that end, and returns whether any did.
  func perform(_ active: inout [ActiveTransfer]) -> Bool {
    let count = active.count
    var running: Int32 = 0
    guard library.perform(handle, &running) == CURLM_OK else {
      for transfer in active { transfer.finish(.failure(.connection(.other))) }
      active = []
      return count > 0
    }
    var remaining: Int32 = 0
    while let message = library.nextMessage(handle, &remaining)?.pointee {
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
    if library.poll(handle, nil, 0, milliseconds, nil) != CURLM_OK {
      // Not enough memory: a pause is better than a busy loop.
      usleep(100_000)
    }
  }
}
