import PrimereplPage
import Testing

@MainActor
@Suite("Access to a page")
struct PageAccessTests {
  private let fixture: PageFixture
  private let page: ServedPage

  init() throws {
    fixture = try PageFixture()
    page = try ServedPage(fixture)
  }

  @Test("is by the token in the address, for which the page gets the token and a cookie")
  func token() async throws {
    let answer = try await page.send(
      "GET", "/?token=\(page.token)", [("Host", "127.0.0.1:\(page.port)")])
    #expect(answer.status == 200)
    #expect(answer.body.contains("<meta name=\"token\" content=\"\(page.token)\">"))
    #expect(answer.head.contains("Set-Cookie: page-\(page.port)="))
    #expect(answer.head.contains("; Path=/; HttpOnly; SameSite=Strict"))
    // Servers on other ports of the machine get the cookie, too.
    #expect(!answer.head.contains(page.token))
    let shown = try await page.send("GET", "/", try await page.headers)
    #expect(shown.status == 200)
    #expect(shown.body.contains("<title>App</title>"))
    #expect(!shown.body.contains(page.token))
  }

  @Test("is also by another token, which lets one browser in, once")
  func tokenForOnce() async throws {
    let address = page.server.makeAddressForOnce()
    #expect(address != page.server.address)
    let path = String(address.dropFirst(page.origin.count))
    let host = ("Host", "127.0.0.1:\(page.port)")
    let answer = try await page.send("GET", path, [host])
    #expect(answer.status == 200)
    #expect(answer.body.contains(page.token))
    #expect(try await page.send("GET", path, [host]).status == 403)
  }

  @Test("has no inline script or style, and nothing from elsewhere")
  func policy() async throws {
    for path in ["/", "/look.css", "/page.css", "/page.js", "/list.js", "/events-of-others"] {
      let head = try await page.send("GET", path, try await page.headers).head
      #expect(
        head.contains(
          "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "))
      #expect(!head.contains("unsafe"))
      #expect(head.contains("X-Content-Type-Options: nosniff"))
      #expect(head.contains("Cache-Control: no-store"))
    }
  }

  @Test(
    "is refused, without a word, to requests of others",
    arguments: [
      "no cookie", "other cookie", "other token in the address", "token elsewhere", "no token",
      "other token", "events without a token", "other host", "no host", "other origin",
      "no origin", "null origin", "form", "other method",
    ])
  func refusals(kind: String) async throws {
    var method = "POST"
    var path = "/api/run"
    var headers = Dictionary(uniqueKeysWithValues: try await page.headers)
    switch kind {
    case "no cookie": headers["Cookie"] = nil
    case "other cookie": headers["Cookie"] = "page-\(page.port)=\(page.token)"
    case "other token in the address": (method, path) = ("GET", "/?token=abc")
    case "token elsewhere":
      (method, path, headers["Cookie"]) = ("GET", "/page.js?token=\(page.token)", nil)
    case "no token": headers["X-Token"] = nil
    case "other token": headers["X-Token"] = headers["Cookie"]
    case "events without a token": (method, path) = ("GET", "/events")
    case "other method": (method, path) = ("PUT", "/")
    // A name of another site that leads to this machine: DNS rebinding.
    case "other host":
      headers["Host"] = "evil.example:\(page.port)"
      headers["Origin"] = "http://evil.example:\(page.port)"
    case "no host": headers["Host"] = ""
    case "other origin": headers["Origin"] = "http://evil.example"
    case "no origin": headers["Origin"] = nil
    case "null origin": headers["Origin"] = "null"
    default: headers["Content-Type"] = "text/plain"
    }
    let answer = try await page.send(
      method, path, headers.map { ($0.key, $0.value) },
      method == "POST" ? #"{"code": "shop.add('evil')"}"# : "")
    #expect(answer.status == 403)
    #expect(answer.body.isEmpty)
    #expect(fixture.app.store.position == 0)
  }

  @Test("is refused before what strangers send is read")
  func bodies() async throws {
    let connection = try RawConnection(port: page.port)
    connection.send(
      "POST /api/run HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\nContent-Length: 1000000\r\n\r\n{")
    #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 403"))
  }

  @Test("has limits of sizes, and leads to no file")
  func limits() async throws {
    let headers = try await page.headers
    let long = #"{"code": "\#(String(repeating: " ", count: 2 << 20))"}"#
    #expect(try await page.send("POST", "/api/run", headers, long).status == 413)
    for path in [
      "/../Package.swift", "/%2e%2e/etc/passwd", "//etc/passwd", "/shop.lua", "/api", "/page",
    ] {
      #expect(try await page.send("GET", path, headers).status == 404)
    }
    #expect(try await page.send("POST", "/api/nothing", headers, "{}").status == 404)
    #expect(try await page.send("POST", "/api/run", headers, "{").status == 422)
    #expect(try await page.send("POST", "/api/run", headers, "[1]").status == 422)
  }

  @Test(
    "stands questions that no page asks",
    arguments: [
      ("history", #"{"count": -1}"#), ("history", #"{"before": -9223372036854775808}"#),
      ("records", #"{"path": "shop.items", "count": -1, "offset": -9223372036854775808}"#),
      ("scenario", #"{"first": -9223372036854775808, "last": 9223372036854775807, "name": ""}"#),
      (
        "scenario",
        #"{"first": 9223372036854775807, "last": 9223372036854775807, "name": ""}"#
      ),
      ("compare", #"{"first": -9223372036854775808, "last": 9223372036854775807}"#),
      ("jump", #"{"number": 9223372036854775807}"#),
      ("values", #"{"feature": "shop", "at": -9223372036854775808}"#),
      ("series", #"{"path": "shop.level", "numbers": [-9223372036854775808, "x"]}"#),
      (
        "call",
        #"{"feature": "shop", "name": "tag", "ids": ["x", null], "arguments": {"name": "x"}}"#
      ),
    ])
  func odd(name: String, question: String) async throws {
    try fixture.run("shop.hire('Ann')")
    _ = try await page.ask(name, question)
    // The server is still there.
    #expect(try await page.ask("describe")["title"] == .text("shop"))
    #expect(fixture.app.store.position == 1)
  }

  @Test(
    "that is read-only changes nothing, whatever is asked",
    arguments: [
      ("call", #"{"feature": "shop", "name": "add", "arguments": {"name": "pen"}}"#),
      ("run", #"{"code": "shop.add('pen')"}"#), ("set", #"{"path": "shop.note", "value": "x"}"#),
      ("undo", "{}"), ("redo", "{}"), ("jump", #"{"number": 0}"#), ("cancel", #"{"ticket": ""}"#),
    ])
  func readOnly(name: String, question: String) async throws {
    try fixture.run("shop.hire('Ann')")
    let page = try ServedPage(fixture, isReadOnly: true)
    let answer = try await page.ask(name, question)
    #expect(answer["code"] == .text("read_only"))
    #expect(fixture.app.store.position == 1)
    #expect(try await page.ask("describe")["is_read_only"] == .boolean(true))
  }
}
