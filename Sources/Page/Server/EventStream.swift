internal import CMicrohttpd
import Synchronization

/// Events that a page gets for as long as it is open (server-sent events).
final class EventStream: Sendable {
  private struct State {
    var pending: [UInt8] = []
    var isEnded = false
    /// The page's connection, from its answer to its end.
    var connection: Connection?
    /// Whether the connection is suspended, as there is nothing to send.
    var isWaiting = false

    mutating func resume() {
      if isWaiting { connection?.resume() }
      isWaiting = false
    }
  }

  private let state = Mutex(State())
  private let whenClosed: @Sendable () -> Void

  /// A page that takes no events for so long that more bytes than these wait for it is closed: it can ask again.
  private static let pendingLimit = 4 << 20

  /// `whenClosed` is called when the page has gone, or the stream was ended; maybe more than once.
  init(whenClosed: @escaping @Sendable () -> Void) { self.whenClosed = whenClosed }

  /// Sends an event with data on one line; after the end it does nothing.
  func send(_ event: String, _ data: String) {
    send(Array("event: \(event)\ndata: \(data)\n\n".utf8))
  }

  /// Sends what pages ignore: a connection that has broken fails then.
  func ping() { send(Array(":\n\n".utf8)) }

  private func send(_ bytes: [UInt8]) {
    state.withLock { state in
      guard !state.isEnded else { return }
      state.pending += bytes
      if state.pending.count > Self.pendingLimit { state.isEnded = true }
      state.resume()
    }
  }

  /// Tells the page that the connection has closed.
  func end() {
    state.withLock { state in
      state.isEnded = true
      state.resume()
    }
  }

  /// Reads what is to be sent into a buffer, or suspends the connection; called on the server's thread.
  ///
  /// - Returns: The number of bytes; that of the end of a stream after it.
  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      guard state.pending.isEmpty else {
        let count = min(state.pending.count, buffer.count)
        buffer.copyBytes(from: state.pending.prefix(count))
        state.pending.removeFirst(count)
        return count
      }
      guard !state.isEnded else { return Int(cmicrohttpd_end_of_stream) }
      state.connection?.suspend()
      state.isWaiting = true
      return 0
    }
  }

  fileprivate func open(_ connection: Connection) {
    state.withLock { $0.connection = connection }
  }

  /// Takes no more events, and calls `whenClosed`.
  func close() {
    state.withLock { ($0.isEnded, $0.connection) = (true, nil) }
    whenClosed()
  }
}

/// A connection, which the server's thread leaves alone between being suspended and resumed.
struct Connection: @unchecked Sendable {
  // Safe: a suspended connection stays valid until it is resumed, which may be done on any thread.
  let pointer: OpaquePointer
  let library: HTTPLibrary

  /// Called on the server's thread, in a function that it calls for the connection.
  func suspend() { library.MHD_suspend_connection(pointer) }

  func resume() { library.MHD_resume_connection(pointer) }
}

extension HTTPLibrary {
  /// Called on the server's thread; the response keeps the stream, and is nil without memory.
  func response(of stream: EventStream, for connection: Connection) -> OpaquePointer? {
    stream.open(connection)
    return self.MHD_create_response_from_callback(
      cmicrohttpd_size_unknown, 16_384,
      { context, _, buffer, count in
        guard let context, let buffer else { return cmicrohttpd_end_of_stream }
        return Unmanaged<EventStream>.fromOpaque(context).takeUnretainedValue()
          .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
      }, Unmanaged.passRetained(stream).toOpaque(),
      { context in if let context { Unmanaged<EventStream>.fromOpaque(context).release() } })
  }
}
