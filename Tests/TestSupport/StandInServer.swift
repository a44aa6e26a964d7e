package import FlyingFox
import FlyingSocks
package import Foundation
import Synchronization

/// A real HTTP server on the loopback, which records its requests.
package final class StandInServer: Sendable {
  /// The server's address, with the port that the system chose.
  package let url: URL

  private let log: RequestLog

  private init(url: URL, log: RequestLog) {
    self.url = url
    self.log = log
  }

  /// The paths and queries of the requests so far, in order, as they were sent.
  package var targets: [String] { log.targets }

  /// How many requests have come.
  package var requestCount: Int { targets.count }

  /// Runs a server for as long as a test needs it.
  ///
  /// - Parameters:
  ///   - respond: gives the response to a request, whose number counts from 1.
  ///   - body: the test.
  /// - Throws: The test's error, or a socket's.
  package static func run(
    respond: @escaping @Sendable (HTTPRequest, Int) async throws -> HTTPResponse,
    _ body: (StandInServer) async throws -> Void
  ) async throws {
    let log = RequestLog()
    let handler = ClosureHTTPHandler { request in
      try await respond(request, log.append(request.target.rawValue))
    }
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled, handler: handler)
    let running = Task { try await server.run() }
    defer { running.cancel() }
    try await server.waitUntilListening(timeout: 60)
    guard case .ip4(_, let port) = await server.listeningAddress,
      let url = URL(string: "http://127.0.0.1:\(port)")
    else { throw SocketError.unsupportedAddress }
    try await body(StandInServer(url: url, log: log))
  }

  /// Runs a server that gives the same response to every request.
  package static func run(
    _ response: HTTPResponse, _ body: (StandInServer) async throws -> Void
  ) async throws {
    try await run(respond: { _, _ in response }, body)
  }

  private final class RequestLog: Sendable {
    private let entries = Mutex<[String]>([])

    var targets: [String] { entries.withLock { $0 } }

    func append(_ target: String) -> Int {
      entries.withLock { entries in
        entries.append(target)
        return entries.count
      }
    }
  }
}

extension HTTPResponse {
  /// A response with text.
  package static func text(
    _ text: String, status: Int = 200, headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    HTTPResponse(
      statusCode: HTTPStatusCode(status, phrase: "Status"), headers: headers, body: Data(text.utf8))
  }
}
