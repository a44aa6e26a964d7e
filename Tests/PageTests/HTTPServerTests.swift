import Testing

@testable import PrimereplPage

@Suite("A server of HTTP")
struct HTTPServerTests {
  /// Runs a body with the port of a server that answers with what it was sent.
  ///
  /// A connection may be idle for as long as a loaded machine takes to come back to it.
  private func withServer(
    _ limits: HTTPServer.Limits = .init(idleTime: 3_600), _ body: (Int) async throws -> Void
  ) async throws {
    let server = try HTTPServer(
      limits: limits, refuse: { _ in nil },
      answer: { HTTPAnswer(type: "text/plain", $0.body) })
    defer { server.stop() }
    try await body(server.start(on: ["127.0.0.1"], port: 0))
  }

  private static func request(_ body: String) -> String {
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private static let success = "HTTP/1.1 200"

  @Test("answers many connections at once")
  func connections() async throws {
    try await withServer { port in
      let connections = try (0..<50).map { _ in try RawConnection(port: port) }
      for connection in connections.reversed() {
        connection.send(Self.request("hello"))
        #expect(await connection.receive(until: "hello").hasPrefix(Self.success))
      }
    }
  }

  @Test("has no more connections than it may: another one waits until one has ended")
  func connectionLimit() async throws {
    try await withServer(.init(connections: 2, idleTime: 3_600)) { port in
      var first: RawConnection? = try RawConnection(port: port)
      let second = try RawConnection(port: port)
      let third = try RawConnection(port: port)
      for connection in [first, second] {
        connection?.send(Self.request("first"))
        #expect(await connection?.receive(until: "first").hasPrefix(Self.success) == true)
      }
      third.send(Self.request("third"))
      second.send(Self.request("again"))
      #expect(await second.receive(until: "again").hasPrefix(Self.success))
      #expect(!third.hasBytes)
      first = nil
      #expect(await third.receive(until: "third").hasPrefix(Self.success))
    }
  }

  @Test("closes a connection that sends nothing for longer than it may", arguments: ["", "POST /"])
  func idleTime(sent: String) async throws {
    try await withServer(.init(idleTime: 1)) { port in
      let connection = try RawConnection(port: port)
      connection.send(sent)
      #expect(await connection.isClosed())
    }
  }

  @Test("takes no longer body than it may", arguments: [("hello", "200"), ("hello!", "413")])
  func bodySize(body: String, status: String) async throws {
    try await withServer(.init(bodySize: 5, idleTime: 3_600)) { port in
      let connection = try RawConnection(port: port)
      connection.send(Self.request(body))
      #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 \(status)"))
    }
  }

  @Test(
    "says why it can't listen",
    arguments: [("127.0.0.1", "port_in_use"), ("localhost", "bad_host"), ("192.0.2.1", "no_port")])
  func problems(host: String, code: String) async throws {
    try await withServer { port in
      let other = try HTTPServer(refuse: { _ in nil }, answer: { _ in .empty(200) })
      #expect {
        _ = try other.start(on: [host], port: port)
      } throws: {
        ($0 as? ServerError)?.code == code
      }
    }
  }
}
