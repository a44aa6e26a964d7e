internal import CMicrohttpd
import Synchronization

/// Events that a page gets for as long as it is open (server-sent events).
final class EventStream: Sendable {
  private struct State {
    /// What hasn't been sent yet.
    var pending: [UInt8] = []
    var isEnded = false
    /// The connection, while it waits for something to send; nil while the server's thread has it.
    var waiting: SuspendedConnection?

    mutating func resume() {
      waiting?.resume()
      waiting = nil
    }
  }

  private let state = Mutex(State())
  private let whenClosed: @Sendable () -> Void

  /// A page that takes no events for so long that more bytes than these wait for it is closed: it can ask again.
  private static let pendingLimit = 4 << 20

  /// Makes a stream.
  ///
  /// - Parameter whenClosed: Called on the server's thread when the page has gone, or the stream was ended.
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

  /// Ends the stream: the page is told that the connection has closed.
  func end() {
    state.withLock { state in
      state.isEnded = true
      state.resume()
    }
  }

  /// Reads what is to be sent; called on the server's thread.
  ///
  /// - Parameters:
  ///   - buffer: Gets the bytes.
  ///   - connection: The connection, which is suspended if there is nothing.
  /// - Returns: The number of bytes; that of the end of a stream after it.
  fileprivate func read(
    into buffer: UnsafeMutableRawBufferPointer, _ connection: SuspendedConnection
  ) -> Int {
    state.withLock { state in
      guard state.pending.isEmpty else {
        let count = min(state.pending.count, buffer.count)
        buffer.copyBytes(from: state.pending.prefix(count))
        state.pending.removeFirst(count)
        return count
      }
      guard !state.isEnded else { return Int(cmicrohttpd_end_of_stream) }
      connection.suspend()
      state.waiting = connection
      return 0
    }
  }

  fileprivate func close() {
    state.withLock { $0.isEnded = true }
    whenClosed()
  }
}

/// A connection that the server's thread leaves alone until it is resumed.
struct SuspendedConnection: @unchecked Sendable {
  // Safe: a suspended connection stays valid until it is resumed, which may be done on any thread.
  private let connection: OpaquePointer
  private let library: HTTPLibrary

  init(_ connection: OpaquePointer, _ library: HTTPLibrary) {
    (self.connection, self.library) = (connection, library)
  }

  /// Called on the server's thread, in a function that it calls for the connection.
  func suspend() { library.suspend(connection) }

  func resume() { library.resume(connection) }
}

extension HTTPLibrary {
  /// Makes the response of a stream for a connection, which keeps the stream; called on the server's thread.
  ///
  /// - Parameters:
  ///   - stream: The stream.
  ///   - connection: The connection.
  ///   - end: Called when the connection has closed.
  /// - Returns: The response; nil without memory.
  func response(
    of stream: EventStream, for connection: OpaquePointer,
    whenClosed end: @escaping @Sendable () -> Void
  ) -> OpaquePointer? {
    let reader = StreamReader(
      stream: stream, connection: SuspendedConnection(connection, self), end: end)
    return responseFromCallback(
      cmicrohttpd_size_unknown, 16_384,
      { context, _, buffer, count in
        guard let context, let buffer else { return cmicrohttpd_end_of_stream }
        let reader = Unmanaged<StreamReader>.fromOpaque(context).takeUnretainedValue()
        return reader.stream.read(
          into: UnsafeMutableRawBufferPointer(start: buffer, count: count), reader.connection)
      }, Unmanaged.passRetained(reader).toOpaque(),
      { context in
        guard let context else { return }
        let reader = Unmanaged<StreamReader>.fromOpaque(context).takeRetainedValue()
        reader.stream.close()
        reader.end()
      })
  }
}

/// A stream with its connection, for the functions of C that read it.
private final class StreamReader: Sendable {
  let stream: EventStream
  let connection: SuspendedConnection
  let end: @Sendable () -> Void

  init(
    stream: EventStream, connection: SuspendedConnection, end: @escaping @Sendable () -> Void
  ) {
    (self.stream, self.connection, self.end) = (stream, connection, end)
  }
}
