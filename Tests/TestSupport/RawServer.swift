import FlyingFox
import FlyingSocks
package import Foundation

/// A server on the loopback that treats its connections as no HTTP server would.
package struct RawServer {
  /// The action after the head of a request was read.
  package enum Behaviour: Sendable {
    /// Send this text, then close.
    case reply(String)

    /// Send these bytes, then close.
    case bytes(Data)

    /// Send a text, then another again and again, as often as the client takes it.
    case endless(String, String)

    /// Send nothing, and wait for the client to close.
    case hang

    /// Send a head that announces a body without an end, then a byte every few milliseconds.
    case drip

    /// Send a head that announces a body without an end, then as much as the client takes.
    case flood
  }

  /// The events that the server sees.
  package enum Event: Sendable {
    case request
    case clientClosed
  }

  package let url: URL

  /// The events that the server sees, from its start.
  package let events: AsyncStream<Event>

  /// Runs a server for as long as a test needs it.
  ///
  /// - Parameters:
  ///   - behaviours: one for each connection, in order; the last is for all that follow.
  ///   - body: the test.
  /// - Throws: The test's error, or a socket's.
  package static func run(
    _ behaviours: Behaviour..., body: @Sendable @escaping (RawServer) async throws -> Void
  ) async throws {
    let pool = HTTPServer.defaultPool()
    try await pool.prepare()
    let socket = try Socket(domain: AF_INET)
    try socket.bind(to: sockaddr_in.inet(ip4: "127.0.0.1", port: 0))
    try socket.listen()
    defer { try? socket.close() }
    guard case .ip4(_, let port) = try socket.sockname(),
      let url = URL(string: "http://127.0.0.1:\(port)")
    else { throw SocketError.unsupportedAddress }
    let listener = try AsyncSocket(socket: socket, pool: pool)
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    try await withThrowingTaskGroup { group in
      group.addTask { try await pool.run() }
      group.addTask { try await serve(listener, behaviours, continuation) }
      group.addTask { try await body(RawServer(url: url, events: events)) }
      defer { group.cancelAll() }
      // The other two only end by failing.
      try await group.next()
    }
  }

  private static func serve(
    _ listener: AsyncSocket, _ behaviours: [Behaviour],
    _ events: AsyncStream<Event>.Continuation
  ) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      var number = 0
      for try await connection in listener.sockets {
        let behaviour = behaviours[min(number, behaviours.count - 1)]
        number += 1
        group.addTask {
          await serve(connection, behaviour, events)
          try connection.close()
        }
      }
    }
  }

  private static func serve(
    _ connection: AsyncSocket, _ behaviour: Behaviour, _ events: AsyncStream<Event>.Continuation
  ) async {
    do {
      var head: [UInt8] = []
      while !head.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)) {
        head += try await connection.read(atMost: 4_096)
      }
      events.yield(.request)
      let endless = Data("HTTP/1.1 200 OK\r\n\r\n".utf8)
      switch behaviour {
      case .reply(let text):
        try await connection.write(Data(text.utf8))
      case .bytes(let bytes):
        try await connection.write(bytes)
      case .endless(let head, let part):
        try await connection.write(Data(head.utf8))
        let parts = Data(String(repeating: part, count: 1 + 4_096 / part.utf8.count).utf8)
        while true { try await connection.write(parts) }
      case .hang:
        _ = try await connection.read()
      case .drip:
        try await connection.write(endless)
        while true {
          try await connection.write(Data([0x20]))
          try await Task.sleep(for: .milliseconds(5))
        }
      case .flood:
        try await connection.write(endless)
        while true { try await connection.write(Data(count: 1 << 16)) }
      }
    } catch {
      // Reading and writing only fail when the other side has gone.
      events.yield(.clientClosed)
    }
  }
}
