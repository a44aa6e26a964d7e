import FlyingFox
import Foundation
import StateStore
import Testing
import TestSupport

@testable import PrimereplLoading

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

  /// The text that a server answers to a request to an address of its own.
  private func text(
    of respond: @escaping @Sendable (FlyingFox.HTTPRequest, Int) async throws -> HTTPResponse,
    to request: (String) throws -> WebRequest
  ) async throws -> String {
    var text = ""
    try await StandInServer.run(respond: respond) { server in
      let reply = try await send(request(server.url.absoluteString + "/path"))
      text = String(decoding: reply.body, as: UTF8.self)
    }
    return text.replacing(ProcessInfo.processInfo.processName, with: "program")
  }

  private func echo(_ request: (String) throws -> WebRequest) async throws -> String {
    try await text(of: { request, _ in try await Self.echo(request) }, to: request)
  }

  // MARK: - Addresses

  @Test(
    "has any letters in the path and the query of its address",
    arguments: [
      ("http://example.com/ä b?q=ü", "http://example.com/%C3%A4%20b?q=%C3%BC"),
      ("http://xn--bcher-kva.example/ä", "http://xn--bcher-kva.example/%C3%A4"),
    ])
  func letters(address: String, encoded: String) throws {
    #expect(try WebRequest(address).url.absoluteString == encoded)
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
    let body = Data(repeating: 0x78, count: 3_000_000)
    let text = try await text(
      of: { request, _ in
        let count = try await request.bodyData.count
        return .text("\(count) \(request.headers[HTTPHeader("Expect")] ?? "none")")
      },
      to: { try WebRequest($0, method: "POST", body: body) })
    #expect(text == "3000000 none")
  }

  @Test("announces an empty body where a body is usual", arguments: ["POST", "PUT", "PATCH"])
  func emptyBody(method: String) async throws {
    let text = try await text(
      of: { request, _ in
        .text(
          "\(request.headers[.contentLength] ?? "none") \(request.headers[.contentType] ?? "none")")
      },
      to: { try WebRequest($0, method: method) })
    #expect(text == "0 none")
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

  @Test(
    "gets the fields of a reply as RFC 9110 and RFC 9112 say",
    arguments: [
      ("A:1\r\na: 2\r\nA: \t3\t ", ["a": "1, 2, 3"]), ("A:\r\nA: 1\r\nA:", ["a": ", 1, "]),
      (
        "Set-Cookie: a=1; Expires=Mon, 1\r\nset-cookie: b=2",
        ["set-cookie": "a=1; Expires=Mon, 1\nb=2"]
      ),
      ("Empty:\r\nA: é", ["empty": "", "a": "é"]),
      (": 1\r\nB : 2\r\nB c: 2\r\n(d): 3\r\né: 4\r\nA: 5", ["a": "5"]),
      ("A: x:y, \"z\"", ["a": "x:y, \"z\""]), ("A: b\rc", ["a": "b c"]),
      ("!#$%&'*+-.^_`|~0: 1", ["!#$%&'*+-.^_`|~0": "1"]),
    ] as [(String, [String: String])])
  func fields(lines: String, headers: [String: String]) async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(lines)\r\n\r\n"
    try await RawServer.run(.reply(head)) { server in
      let reply = try await send(WebRequest(server.url.absoluteString))
      var expected = headers
      expected["content-length"] = "0"
      #expect(reply.headers.mapValues { String(decoding: $0, as: UTF8.self) } == expected)
    }
  }

  @Test("gets only the fields of the final reply, before its body")
  func otherFields() async throws {
    let early = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nA: 0\r\n\r\n"
    let redirect = "HTTP/1.1 302 Found\r\nLocation: /y\r\nA: 1\r\nSet-Cookie: c\r\n\r\n"
    let final =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nB: 2\r\n\r\n"
      + "2\r\nok\r\n0\r\nA: 3\r\nC: 4\r\n\r\n"
    try await RawServer.run(.reply(early + redirect), .reply(early + final)) { server in
      let reply = try await send(WebRequest(server.url.absoluteString))
      #expect(
        reply.headers.mapValues { String(decoding: $0, as: UTF8.self) }
          == ["transfer-encoding": "chunked", "b": "2"])
      #expect(reply.body == Data("ok".utf8))
    }
  }

  @Test("is stopped where there is no memory for the reply")
  func memory() async throws {
    let fetcher = HTTPFetcher(
      timeout: .seconds(3600), maximumSize: .max, redirects: .anyServer, clock: clock,
      memory: { $0 < 2_000_000 })
    try await RawServer.run(.flood) { server in
      let request = try WebRequest(server.url.absoluteString)
      await #expect(throws: HTTPFailure.outOfMemory) { try await fetcher.send(request) }
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
    let text = try await text(
      of: { request, number in
        number == 1
          ? .text("", status: 307, headers: [.location: "/next"]) : try await Self.echo(request)
      },
      to: {
        try WebRequest(
          $0, method: "POST", headers: ["Authorization": "secret"], body: Data("x".utf8))
      })
    #expect(text.hasPrefix("POST /next|Authorization=secret"))
    #expect(text.hasSuffix("|x"))
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

  @Test(
    "that is redirected goes where RFC 9110 says, or nowhere",
    arguments: [
      ("/b?c", "/b?c"), ("b", "/a/b"), ("../b", "/b"), ("?b", "/a/x?b"), ("#b", "/a/x?y"),
      ("/b#c", "/b"), ("//HOST/b", "/b"), ("http://HOST/b", "/b"), ("HTTP://HOST/b", "/b"),
      ("/b c", "/b%20c"), ("", nil), ("ftp://HOST/b", nil), ("file:///etc/passwd", nil),
      ("javascript:1", nil), ("http:///b", nil), ("http://HOST:99999/", nil),
      ("/b\r\nLocation: /b", "/b"),
    ] as [(String, String?)])
  func location(location: String, target: String?) async throws {
    try await StandInServer.run(respond: { request, _ in .text(request.target.rawValue) }) {
      other in
      let host = "127.0.0.1:\(other.url.port ?? 0)"
      let head =
        "HTTP/1.1 302 Found\r\nLocation: \(location.replacing("HOST", with: host))\r\n\r\n"
      try await RawServer.run(.reply(head), .reply("HTTP/1.1 404 Not Found\r\n\r\n")) { server in
        let reply = try await send(WebRequest(server.url.absoluteString + "/a/x?y"))
        let isElsewhere = location.contains("HOST")
        let status = target == nil ? 302 : isElsewhere ? 200 : 404
        #expect(reply.status == status)
        if isElsewhere, let target { #expect(reply.body == Data(target.utf8)) }
      }
    }
  }

  // MARK: - Refusals

  @Test(
    "needs the address of a web server, whose password no error shows",
    arguments: [
      "", "x", "/etc/passwd", "ftp://a.org", "http://", "http:///x", "http://a.org:99999",
      "file:///etc/passwd", "http://a b/", "ftp://u:PW@a.org", "http://ä ö.example",
      "http://ä\u{0}.example", "ftp://bücher.example", "http://ä:b/",
    ])
  func badAddress(address: String) {
    let error = #expect(throws: SourceError.self) { try WebRequest(address) }
    #expect(error?.code == "source_bad_address")
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
