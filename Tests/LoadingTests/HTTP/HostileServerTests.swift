import Foundation
import Testing
import TestSupport

@testable import PrimereplLoading

/// A reply that no server should send, and its result.
private struct HostileReply: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let bytes: Data
  /// The body, or the failure.
  let outcome: Result<String, HTTPFailure>

  init(_ name: String, _ text: String, _ outcome: Result<String, HTTPFailure>) {
    self.init(name, Data(text.utf8), outcome)
  }

  init(_ name: String, _ bytes: Data, _ outcome: Result<String, HTTPFailure>) {
    (testDescription, self.bytes, self.outcome) = (name, bytes, outcome)
  }

  /// A reply because of which the connection has a problem.
  static func broken(
    _ name: String, _ text: String, _ problem: ConnectionProblem
  ) -> HostileReply {
    HostileReply(name, text, .failure(.connection(problem)))
  }

  /// A reply with a body in base64.
  static func encoded(
    _ name: String, _ headers: String, _ base64: String, _ outcome: Result<String, HTTPFailure>
  ) -> HostileReply {
    let head = Data("HTTP/1.1 200 OK\r\n\(headers)\r\n\r\n".utf8)
    return HostileReply(name, head + (Data(base64Encoded: base64) ?? Data()), outcome)
  }
}

@Suite("A fetch from a hostile server", .timeLimit(.minutes(5)))
struct HostileServerTests {
  private let clock = RecordingClock()

  private var fetcher: HTTPFetcher {
    HTTPFetcher(
      timeout: .seconds(3600), maximumSize: 1_000, redirects: .anyServer, clock: clock)
  }

  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  private static func sized(_ count: Int) -> String {
    "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n" + String(repeating: "x", count: count)
  }

  private static let undecodable =
    Result<String, HTTPFailure>.failure(.connection(.undecodable))

  private static let gzipped = "H4sIAAAAAAACA8vPBgBH3dx5AgAAAA=="

  /// 200,000 zeros.
  private static let bomb =
    "H4sIAAAAAAACA+3BMQEAAADCoPVPbQZ/oAAAAAAAAA" + String(repeating: "A", count: 248)
    + "CA1wB7WOBcQA0DAA=="

  private static let usable: [HostileReply] = [
    .init("trailers", chunked + "2\r\nok\r\n0\r\nX: 1\r\n\r\n", .success("ok")),
    .init("nothing but trailers", chunked + "0\r\nX: 1\r\n\r\n", .success("")),
    .init(
      "trailers that redirect",
      chunked + "2\r\nok\r\n0\r\nLocation: /x\r\n\r\n", .success("ok")),
    .init("chunk extensions", chunked + "2;a=\"b\"\r\nok\r\n0;c\r\n\r\n", .success("ok")),
    .init("line feeds alone", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", .success("ok")),
    .init("no reason", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", .success("ok")),
    .init(
      "more than announced", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokokok", .success("ok")),
    .init(
      "the same length twice",
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2, 2\r\n\r\nok", .success("ok")),
    .init(
      "a length beside chunks",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
      .success("ok")),
    .init("the largest size", sized(1_000), .success(String(repeating: "x", count: 1_000))),
    .init("no length", "HTTP/1.0 200 OK\r\n\r\nok", .success("ok")),
    .init(
      "interim replies with headers",
      "HTTP/1.1 103 Early Hints\r\nLocation: /x\r\nContent-Type: a/b\r\n\r\n"
        + "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
      .success("ok")),
    .init(
      "headers that aren't UTF-8",
      Data("HTTP/1.1 200 OK\r\nX: ".utf8) + Data([0xFF, 0xC0, 0x80])
        + Data("\r\nContent-Type: ".utf8) + Data([0xFE]) + Data("\r\n\r\nok".utf8), .success("ok")),
    .encoded("gzip", "Content-Encoding: gzip", gzipped, .success("ok")),
    .encoded("gzip by its old name", "Content-Encoding: X-GZIP", gzipped, .success("ok")),
    .encoded("deflate", "Content-Encoding: deflate", "eJzLzwYAAUsA2w==", .success("ok")),
  ]

  private static let unusable: [HostileReply] = [
    .broken("HTTP 0.9", "ok", .notHTTP),
    .init("bytes", Data(repeating: 0, count: 5_000), .failure(.connection(.notHTTP))),
    .broken("another protocol", "220 mail ESMTP\r\n", .notHTTP),
    .broken("nothing", "", .lost),
    .broken("half a head", "HTTP/1.1 200 OK\r\nContent-Le", .notHTTP),
    .broken("an interim reply alone", "HTTP/1.1 100 Continue\r\n\r\n", .lost),
    .broken("a wrong chunk size", chunked + "zz\r\nok\r\n", .notHTTP),
    .broken("a chunk size that overflows", chunked + "ffffffffffffffffff\r\nok", .notHTTP),
    .broken("a chunk longer than its size", chunked + "1\r\nok\r\n0\r\n\r\n", .notHTTP),
    .broken("a chunk cut short", chunked + "200\r\nok", .lost),
    .broken("no last chunk", chunked + "2\r\nok\r\n", .lost),
    .broken("an endless size", chunked + String(repeating: "0", count: 100_000), .notHTTP),
    .broken("a NUL", "HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\nok", .notHTTP),
    .broken(
      "a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nok", .notHTTP),
    .broken(
      "a line without a colon", "HTTP/1.1 200 OK\r\nA\r\nContent-Length: 2\r\n\r\nok",
      .notHTTP),
    .init("a byte more than the largest size", sized(1_001), .failure(.tooLarge)),
    .init(
      "a huge length", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nok",
      .failure(.tooLarge)),
    .broken(
      "a long header",
      "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 1 << 20))\r\n\r\nok",
      .headersTooLarge),
    .broken(
      "a switch of protocols", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nok",
      .notHTTP),
    .encoded("what isn't gzip", "Content-Encoding: gzip", "b2s=", undecodable),
    .encoded("a coding that wasn't asked for", "Content-Encoding: zstd", "b2s=", undecodable),
    .encoded("two codings", "Content-Encoding: gzip, gzip", gzipped, undecodable),
    .encoded(
      "two codings, one for the transfer",
      "Content-Encoding: gzip\r\nTransfer-Encoding: gzip, chunked", gzipped, undecodable),
    .encoded("a gzip bomb", "Content-Encoding: gzip", bomb, .failure(.tooLarge)),
    .encoded("a bomb in transfer", "Transfer-Encoding: gzip", bomb, .failure(.tooLarge)),
  ]

  @Test(
    "gives the body of a usable reply, or says what is wrong; only a lost connection is retried",
    arguments: usable + unusable)
  fileprivate func outcome(reply: HostileReply) async throws {
    try await RawServer.run(.bytes(reply.bytes)) { server in
      let result: Result<String, HTTPFailure>
      do throws(HTTPFailure) {
        result = .success(String(decoding: try await fetcher.fetch(server.url).body, as: UTF8.self))
      } catch {
        result = .failure(error)
      }
      #expect(result == reply.outcome)
      #expect(clock.waits.count == (result == .failure(.connection(.lost)) ? 2 : 0))
    }
  }

  @Test(
    "stops headers without an end",
    arguments: [
      ("HTTP/1.1 200 OK\r\n", "X: y\r\n"), ("HTTP/1.1 200 OK\r\n", "Set-Cookie: a=b\r\n"),
      ("", "HTTP/1.1 100 Continue\r\n\r\n"), (chunked + "0\r\n", "X: y\r\n"),
      ("HTTP/1.1 200 OK\r\nX: y\r\n", " folded\r\n"),
    ])
  func endlessHeaders(head: String, part: String) async throws {
    try await RawServer.run(.endless(head, part)) { server in
      await #expect(throws: HTTPFailure.connection(.headersTooLarge)) {
        try await fetcher.fetch(server.url)
      }
      var events = server.events.makeAsyncIterator()
      #expect(await events.next() == .request)
      #expect(await events.next() == .clientClosed)
    }
  }

  @Test("doesn't read the body of a redirect, however long")
  func redirectWithBody() async throws {
    let redirect = "HTTP/1.1 302 Found\r\nLocation: /there\r\n\r\n"
    let ok = RawServer.Behaviour.reply("HTTP/1.1 200 OK\r\n\r\nok")
    try await RawServer.run(.endless(redirect, "x"), ok) { server in
      let reply = try await fetcher.fetch(server.url)
      #expect(reply.body == Data("ok".utf8))
    }
  }

  @Test("follows a redirect with several addresses to the last one")
  func repeatedLocation() async throws {
    let locations = "Location: http://127.0.0.1:1/a\r\nLocation: /b\r\n"
    let redirect = "HTTP/1.1 302 Found\r\n\(locations)Content-Length: 0\r\n\r\n"
    let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    try await RawServer.run(.reply(redirect), .reply(ok)) { server in
      let reply = try await fetcher.fetch(server.url)
      #expect(reply.body == Data("ok".utf8))
    }
  }

  @Test("understands http in capitals, and an IPv6 address")
  func forms() async throws {
    let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    try await RawServer.run(.reply(ok)) { server in
      let capitals = server.url.absoluteString.replacing("http:", with: "HTTP:")
      let url = try #require(URL(string: capitals))
      let reply = try await fetcher.fetch(url)
      #expect(reply.status == 200)
    }
    let url = try #require(URL(string: "http://[::1]:1/"))
    await #expect(throws: HTTPFailure.connection(.cannotConnect)) { try await fetcher.fetch(url) }
  }
}
