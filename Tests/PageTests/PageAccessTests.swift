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

  @Test("is by the token in the address, and then by a cookie that scripts of the page don't see")
  func token() async throws {
    defer { page.server.stop() }
    let answer = try await page.send(
      "GET", "/?token=\(page.token)", [("Host", "127.0.0.1:\(page.port)")])
    #expect(answer.status == 303)
    #expect(answer.head.contains("Location: /\r\n"))
    #expect(
      answer.head.contains(
        "Set-Cookie: page-\(page.port)=\(page.token); Path=/; HttpOnly; SameSite=Strict"))
    let shown = try await page.send("GET", "/", page.headers)
    #expect(shown.status == 200)
    #expect(shown.body.contains("<title>App</title>"))
  }

  @Test("is also by another token, which lets one browser in, once")
  func tokenForOnce() async throws {
    defer { page.server.stop() }
    let address = page.server.makeAddressForOnce()
    #expect(address != page.server.address)
    let path = String(address.dropFirst(page.origin.count))
    let host = ("Host", "127.0.0.1:\(page.port)")
    let answer = try await page.send("GET", path, [host])
    #expect(answer.status == 303)
    #expect(answer.head.contains("Set-Cookie: page-\(page.port)=\(page.token);"))
    #expect(try await page.send("GET", path, [host]).status == 403)
  }

  @Test("has no inline script or style, and nothing from elsewhere")
  func policy() async throws {
    defer { page.server.stop() }
    for path in ["/", "/look.css", "/page.css", "/page.js", "/list.js", "/events-of-others"] {
      let head = try await page.send("GET", path, page.headers).head
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
      "no cookie", "other cookie", "other token", "token elsewhere", "other host", "no host",
      "other origin", "no origin", "null origin", "form",
    ])
  func refusals(kind: String) async throws {
    defer { page.server.stop() }
    var method = "POST"
    var path = "/api/run"
    var headers = Dictionary(uniqueKeysWithValues: page.headers)
    switch kind {
    case "no cookie": headers["Cookie"] = nil
    case "other cookie": headers["Cookie"] = "page-\(page.port)=0\(page.token.dropFirst())x"
    case "other token": (method, path, headers["Cookie"]) = ("GET", "/?token=abc", nil)
    case "token elsewhere": (method, path) = ("GET", "/page.js?token=\(page.token)")
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

  @Test("has limits of methods and sizes, and leads to no file")
  func limits() async throws {
    defer { page.server.stop() }
    #expect(try await page.send("PUT", "/", page.headers).status == 405)
    #expect(try await page.send("DELETE", "/api/run", page.headers).status == 405)
    let long = #"{"code": "\#(String(repeating: " ", count: 2 << 20))"}"#
    #expect(try await page.send("POST", "/api/run", page.headers, long).status == 413)
    for path in [
      "/../Package.swift", "/%2e%2e/etc/passwd", "//etc/passwd", "/shop.lua", "/api", "/page",
    ] {
      #expect(try await page.send("GET", path, page.headers).status == 404)
    }
    #expect(try await page.send("POST", "/api/nothing", page.headers, "{}").status == 404)
    #expect(try await page.send("POST", "/api/run", page.headers, "{").status == 422)
    #expect(try await page.send("POST", "/api/run", page.headers, "[1]").status == 422)
  }

  @Test(
    "that is read-only changes nothing, whatever is asked",
    arguments: [
      ("call", #"{"feature": "shop", "name": "add", "arguments": {"name": "pen"}}"#),
      ("run", #"{"code": "shop.add('pen')"}"#), ("set", #"{"path": "shop.note", "value": "x"}"#),
      ("undo", "{}"), ("redo", "{}"), ("jump", #"{"number": 0}"#), ("cancel", #"{"ticket": ""}"#),
    ])
  func readOnly(name: String, question: String) async throws {
    page.server.stop()
    try fixture.run("shop.hire('Ann')")
    let page = try ServedPage(fixture, isReadOnly: true)
    defer { page.server.stop() }
    let answer = try await page.ask(name, question)
    #expect(answer["code"] == .text("read_only"))
    #expect(fixture.app.store.position == 1)
    #expect(try await page.ask("describe")["is_read_only"] == .boolean(true))
  }
}
