import FlyingFox
import Foundation
import StateStore
import TestSupport
import Testing

@testable import Loading

@Suite("A request", .timeLimit(.minutes(5)))
struct WebRequestTests {
  private let clock = RecordingClock()

  private func send(_ request: WebRequest, maximumSize: Int = 10_000) async throws -> HTTPReply {
    try await HTTPFetcher(
      timeout: .seconds(3600), maximumSize: maximumSize, redirects: .anyServer, clock: clock
    ).send(request)
  }

  /// A server's text about the request that it gets.
  private static func echo(_ request: FlyingFox.HTTPRequest) async throws -> HTTPResponse {
    let headers = ["Authorization", "Content-Type", "Expect", "X-Empty", "User-Agent", "X-Name"]
      .compactMap { name in request.headers[HTTPHeader(name)].map { "\(name)=\($0)" } }
    let body = String(decoding: try await request.bodyData, as: UTF8.self)
    return .text(
      ["\(request.method.rawValue) \(request.path)", headers.joined(separator: " "), body]
        .joined(separator: "|"))
  }

  private func echo(_ request: (String) throws -> WebRequest) async throws -> String {
    var text = ""
    try await StandInServer.run(respond: { request, _ in try await Self.echo(request) }) { server in
      let reply = try await send(request(server.url.absoluteString + "/path"))
      text = String(decoding: reply.body, as: UTF8.self)
    }
    return text.replacing(ProcessInfo.processInfo.processName, with: "program")
  }

  // MARK: - Sending

  @Test("has its method, in capital letters", arguments: ["GET", "delete", "Options", "TRACE"])
  func method(_ method: String) async throws {
    let text = try await echo { try WebRequest($0, method: method) }
    #expect(text == "\(method.uppercased()) /path|User-Agent=program|")
  }

  @Test("has a body of any bytes, with its type")
  func body() async throws {
    let text = try await echo {
      try WebRequest($0, method: "PUT", body: Data("a\0b".utf8), contentType: "a/b")
    }
    #expect(text == "PUT /path|Content-Type=a/b User-Agent=program|a\0b")
  }

  @Test("has a large body, without waiting for the server to ask for it")
  func largeBody() async throws {
    let body = String(repeating: "x", count: 3_000_000)
    try await StandInServer.run(
      respond: { request, _ in
        let count = try await request.bodyData.count
        return .text("\(count) \(request.headers[HTTPHeader("Expect")] ?? "none")")
      }
    ) { server in
      let reply = try await send(
        WebRequest(server.url.absoluteString, method: "POST", body: Data(body.utf8)))
      #expect(String(decoding: reply.body, as: UTF8.self) == "3000000 none")
    }
  }

  @Test("announces an empty body where a body is usual", arguments: ["POST", "PUT", "PATCH"])
  func emptyBody(method: String) async throws {
    try await StandInServer.run(
      respond: { request, _ in
        .text(
          "\(request.headers[.contentLength] ?? "none") \(request.headers[.contentType] ?? "none")")
      }
    ) { server in
      let reply = try await send(WebRequest(server.url.absoluteString, method: method))
      #expect(String(decoding: reply.body, as: UTF8.self) == "0 none")
    }
  }

  @Test("has its headers, empty ones too, which take the place of the usual ones")
  func headers() async throws {
    let text = try await echo {
      try WebRequest(
        $0, method: "POST",
        headers: ["x-name": "né", "X-Empty": "", "user-agent": "me", "content-type": "c/d"],
        body: Data("x".utf8), contentType: "a/b")
    }
    #expect(text == "POST /path|Content-Type=c/d X-Empty= User-Agent=me X-Name=né|x")
  }

  @Test("for the head of a reply doesn't wait for a body, however long that would be")
  func head() async throws {
    try await RawServer.run(
      .reply("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
    ) { server in
      let reply = try await send(
        WebRequest(server.url.absoluteString, method: "HEAD"), maximumSize: 10)
      #expect(reply.headers["content-length"] == Data("1000000000".utf8))
      #expect(reply.body.isEmpty)
    }
  }

  @Test("isn't sent again, whatever the status")
  func errorStatus() async throws {
    try await StandInServer.run(.text("", status: 503)) { server in
      let reply = try await send(WebRequest(server.url.absoluteString, method: "POST"))
      #expect(reply.status == 503)
      #expect(server.requestCount == 1)
    }
  }

  @Test("isn't sent again when the connection is lost")
  func lostConnection() async throws {
    try await RawServer.run(
      .reply("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok"), .reply("HTTP/1.1 200 OK\r\n\r\n")
    ) { server in
      let request = try WebRequest(server.url.absoluteString)
      await #expect(throws: HTTPFailure.connection(.lost)) { try await send(request) }
      #expect(clock.waits.isEmpty)
    }
  }

  // MARK: - Headers of replies

  @Test("gets all headers by their names in lower case, repeated ones joined")
  func replyHeaders() async throws {
    let head = "HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a:\t2 \r\nSET-Cookie: é\r\nEmpty:\r\n\r\n"
    try await RawServer.run(.reply(head)) { server in
      let reply = try await send(WebRequest(server.url.absoluteString))
      #expect(
        reply.headers.mapValues { String(decoding: $0, as: UTF8.self) }
          == ["x-a": "1, 2", "set-cookie": "é", "empty": ""])
    }
  }

  // MARK: - Redirects

  private func redirected(_ status: Int, _ request: WebRequest) throws -> WebRequest {
    request.redirected(
      to: try #require(URL(string: "https://a.org/next")), status: status, isSameServer: true)
  }

  @Test("that is redirected becomes a GET without a body", arguments: [301, 302, 303])
  func redirectedPost(status: Int) throws {
    let request = try WebRequest(
      "https://a.org", method: "POST", headers: ["X-Name": "x"], body: Data("x".utf8),
      contentType: "a/b")
    let next = try redirected(status, request)
    #expect(next.method == "GET")
    #expect(next.body == nil)
    #expect(next.headers.map(\.name) == ["X-Name"])
    #expect(next.url.absoluteString == "https://a.org/next")
  }

  @Test(
    "that is redirected keeps its method and body where the status says so, or nothing is sent",
    arguments: [(307, "POST"), (308, "POST"), (301, "PUT"), (302, "DELETE"), (303, "HEAD")])
  func keptMethod(status: Int, method: String) throws {
    let body = method == "HEAD" ? nil : Data("x".utf8)
    let next = try redirected(status, WebRequest("https://a.org", method: method, body: body))
    #expect(next.method == method)
    #expect(next.body == body)
  }

  @Test("follows a redirect with its body")
  func followedRedirect() async throws {
    try await StandInServer.run(
      respond: { request, number in
        number == 1
          ? .text("", status: 307, headers: [.location: "/next"])
          : try await Self.echo(request)
      }
    ) { server in
      let reply = try await send(
        WebRequest(
          server.url.absoluteString, method: "POST", headers: ["Authorization": "secret"],
          body: Data("x".utf8)))
      let text = String(decoding: reply.body, as: UTF8.self)
      #expect(text.hasPrefix("POST /next|Authorization=secret"))
      #expect(text.hasSuffix("|x"))
    }
  }

  @Test("doesn't give the headers to another server, as they can contain secrets")
  func otherServer() async throws {
    try await StandInServer.run(respond: { request, _ in try await Self.echo(request) }) { other in
      let target = other.url.absoluteString + "/other"
      try await StandInServer.run(
        .text("", status: 302, headers: [.location: target])
      ) { server in
        let reply = try await send(
          WebRequest(
            server.url.absoluteString,
            headers: ["Authorization": "secret", "X-Name": "secret", "User-Agent": "me"]))
        #expect(String(decoding: reply.body, as: UTF8.self) == "GET /other|User-Agent=me|")
      }
    }
  }

  // MARK: - Refusals

  @Test(
    "needs the address of a web server",
    arguments: [
      "", "x", "/etc/passwd", "ftp://a.org", "http://", "http:///x", "http://a.org:99999",
      "file:///etc/passwd", "http://a b/",
    ])
  func badAddress(address: String) {
    let error = #expect(throws: SourceError.self) { try WebRequest(address) }
    #expect(error?.code == "source_bad_address")
  }

  @Test("refuses an address without showing its password")
  func password() {
    let error = #expect(throws: SourceError.self) { try WebRequest("ftp://u:PW@a.org") }
    #expect(error?.message.contains("PW") == false)
  }

  @Test(
    "has no header that would add lines to it, or change its length",
    arguments: [
      ("", "x"), ("a b", "x"), ("a:", "x"), ("a\r\nb", "x"), ("é", "x"), ("a", "x\r\nb: y"),
      ("a", "x\ny"), ("a", "x\0"), ("Content-Length", "5"), ("transfer-encoding", "chunked"),
    ])
  func badHeader(name: String, value: String) {
    let error = #expect(throws: WebRequestError.self) {
      try WebRequest("http://a.org", headers: [name: value])
    }
    #expect(error?.code == "bad_header")
  }

  @Test("has a method of letters", arguments: ["", "GET /", "GET\r\n", "É", "P-UT"])
  func badMethod(method: String) {
    let error = #expect(throws: WebRequestError.self) {
      try WebRequest("http://a.org", method: method)
    }
    #expect(error?.code == "bad_method")
  }

  @Test("for a head has no body")
  func bodyOfHead() {
    #expect(throws: WebRequestError.self) {
      try WebRequest("http://a.org", method: "head", body: Data())
    }
  }
}
