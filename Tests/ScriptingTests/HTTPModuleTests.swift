import FlyingFox
import Foundation
import Lua
import PrimereplLoading
import SampleApp
import Scripting
import StateStore
import Testing
import TestSupport

@MainActor
@Suite("http", .timeLimit(.minutes(5)))
struct HTTPModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua(documents: DocumentAccess(allowsFiles: false)) }

  /// Runs Lua text in which `url` is the address of a server, and returns its results as text.
  private func text(_ source: String, at url: URL) async throws -> String {
    try app.state.setGlobal("url", to: url.absoluteString)
    return try await app.text(source)
  }

  /// Runs Lua text with a server that answers each request with what it got: the method, the target, the type and the name
  /// if there are such, and the body.
  private func echoed(_ source: String) async throws -> String {
    var text = ""
    try await StandInServer.run(
      respond: { request, _ in
        let parts = [
          request.method.rawValue, request.target.rawValue, request.headers[.contentType],
          request.headers[HTTPHeader("X-Name")],
        ]
        let body = String(decoding: try await request.bodyData, as: UTF8.self)
        return .text((parts.compactMap(\.self) + [body]).joined(separator: " "))
      }
    ) { server in
      text = try await self.text(source, at: server.url)
    }
    return text
  }

  // MARK: - Requests

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      #"""
      -- get sends headers, and returns status, headers and body
      local r = http.get(url .. '/x', {headers = {['X-Name'] = 'Ann'}})
      return r.status, r.body, r.headers['content-length'] --> 200 GET /x Ann  11
      -- post sends a string as text, and a table as JSON
      return http.post(url, 'né').body --> POST / text/plain; charset=utf-8 né
      return http.post(url, {text = 'milk', ids = {1}}).body
      --> POST / application/json {"ids":[1],"text":"milk"}
      return http.post(url, json.decode('[]')).body --> POST / application/json []
      return http.post(url, persons).body --> POST / application/json []
      return http.post(url, {}, {headers = {['content-TYPE'] = 'a/b'}}).body --> POST / a/b {}
      -- sends a form
      return http.post(url, nil, {form = {b = 'a b', a = {1, 'é&'}}}).body
      --> POST / application/x-www-form-urlencoded a=1&a=%C3%A9%26&b=a+b
      return http.post(url, nil, {form = {a = '~'}, query = {q = 1}}).body
      --> POST /?q=1 application/x-www-form-urlencoded a=%7E
      return http.request{url = url, form = {a = 1}}.body
      --> POST / application/x-www-form-urlencoded a=1
      return http.request{url = url, method = 'PUT', form = {}}.body .. '.'
      --> PUT / application/x-www-form-urlencoded .
      return http.request{url = url, form = {a = 1}, headers = {['content-type'] = 'a/b'}}.body
      --> POST / a/b a=1
      -- request has a method, a body and headers
      local options = {method = 'patch', body = {a = 1}, headers = {['X-Name'] = 'n'}}
      options.url = url .. '/1'
      return http.request(options).body
      --> PATCH /1 application/json n {"a":1}
      return http.request{url = url}.body .. '.' --> GET / .
      """#))
  func requests(example: LuaCase) async throws {
    #expect(try await echoed(example.code) == example.result)
  }

  @Test(
    "adds a query to the address",
    arguments: [
      ("'/x', {b = 'a b', a = '&=+%#?/é'}", "/x?a=%26%3D%2B%25%23%3F%2F%C3%A9&b=a%20b"),
      ("'/?c=1', {a = 1}", "/?c=1&a=1"), ("'/?', {a = 1}", "/?a=1"), ("'/?c&', {a = 1}", "/?c&a=1"),
      ("'/x#y', {a = 1}", "/x?a=1"), ("'', {a = 1}", "/?a=1"),
      ("'/', {a = {3, 1, 2}, b = {}}", "/?a=3&a=1&a=2"), ("'/', {a = ''}", "/?a="),
      ("'/', {['a b&'] = 'c'}", "/?a%20b%26=c"), ("'/', {a = '~*-._'}", "/?a=%7E%2A-._"),
      ("'/', {a = 1.5, b = true, c = false, d = -2, e = 2.0}", "/?a=1.5&b=true&c=false&d=-2&e=2.0"),
      (#"'/', {a = "\xff\0"}"#, "/?a=%FF%00"), ("'/', {B = 1, a = 2, b = 3}", "/?B=1&a=2&b=3"),
    ])
  func query(arguments: String, target: String) async throws {
    let get = try await echoed(
      """
      local function get(path, query) return http.get(url .. path, {query = query}).body end
      return get(\(arguments))
      """
    )
    #expect(get == "GET \(target) ")
  }

  @Test("finds the headers of a response by names in any case, and cookies one by one")
  func headerNames() async throws {
    let reply = "HTTP/1.1 200 OK\r\nX-A: 1\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n\r\n"
    try await RawServer.run(.reply(reply)) { server in
      let address = server.url.absoluteString
      let text = try await Self.text(
        """
        local h = http.get('\(address)').headers
        return h['x-a'], h['X-A'], h['X-a'], h.none, h[1], inspect(h)
        """)
      #expect(text == #"1 1 1 nil nil { ["set-cookie"] = "a\nb", ["x-a"] = "1" }"#)
    }
  }

  @Test("post sends any bytes")
  func bytes() async throws {
    try await StandInServer.run(
      respond: { request, _ in
        HTTPResponse(
          statusCode: .ok, headers: [.contentType: request.headers[.contentType] ?? ""],
          body: try await request.bodyData)
      }
    ) { server in
      let source = #"""
        local r = http.post(url, "\0\xff\r\n") return r.body == "\0\xff\r\n", r.headers["content-type"]
        """#
      let text = try await text(source, at: server.url)
      #expect(text == "true application/octet-stream")
    }
  }

  @Test("a status of an error is a response like any other")
  func errorStatus() async throws {
    try await StandInServer.run(.text("no", status: 500)) { server in
      let text = try await text("local r = http.get(url) return r.status, r.body", at: server.url)
      #expect(text == "500 no")
      #expect(server.requestCount == 1)
    }
  }

  @Test("cancelling the task closes the connection")
  func cancellation() async throws {
    try await RawServer.run(.hang) { server in
      try await Self.start(at: server.url) { app in
        for await event in server.events {
          if case .request = event { try await app.run("t:cancel()") }
          if case .clientClosed = event { break }
        }
        let code = try await app.text("local _, e = pcall(t.await, t) return e.code")
        #expect(code == "cancelled")
      }
    }
  }

  /// Starts a request to a server, in the task `t`.
  private static func start(
    at url: URL, _ body: @MainActor (AppInLua) async throws -> Void
  ) async throws {
    let app = try AppInLua(documents: DocumentAccess())
    try await app.run("t = task.spawn(http.get, '\(url.absoluteString)')")
    try await body(app)
  }

  // MARK: - JSON

  @Test("json is the body, decoded once")
  func json() async throws {
    try await StandInServer.run(.text(#"{"items":[1,null]}"#)) { server in
      let text = try await text(
        """
        local r = http.get(url)
        return r.json.items[1], r.json.items[2] == json.null, r.json == r.json, json.encode(r.json)
        """, at: server.url)
      #expect(text == #"1 true true {"items":[1,null]}"#)
    }
  }

  @Test(
    "a body that isn't JSON is an error where json is read, which says where it is wrong",
    arguments: [
      ("<html>", "(line 1, column 1): expected a value, found <"),
      ("", "(line 1, column 1): expected a value, but the text is empty"),
    ])
  func notJSON(body: String, problem: String) async throws {
    try await StandInServer.run(.text(body)) { server in
      try app.state.setGlobal("url", to: server.url.absoluteString)
      let error = await app.failure("local r = http.get(url)\nreturn r.json")
      #expect(error?.code == "bad_json")
      #expect(error?.message == "the body of the response is not JSON \(problem)")
      #expect(error?.location == "test:2")
    }
  }

  @Test("inspect and json.encode show a response without its json")
  func shown() async throws {
    try await RawServer.run(.reply("HTTP/1.1 200 OK\r\nA: b\r\n\r\nx")) { server in
      let address = server.url.absoluteString
      let text = try await Self.text(
        "local r = http.get('\(address)') return inspect(r), json.encode(r)")
      #expect(
        text
          == #"{ body = "x", headers = { a = "b" }, status = 200 } {"body":"x","headers":{"a":"b"},"status":200}"#
      )
    }
  }

  private static func text(_ source: String) async throws -> String {
    try await AppInLua(documents: DocumentAccess()).text(source)
  }

  // MARK: - Failures

  @Test(
    "without a response, the error says why",
    arguments: [
      (
        RawServer.Behaviour.reply("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"),
        "source_connection_failed"
      ),
      (.reply("SSH-2.0\r\n"), "source_connection_failed"), (.flood, "source_too_large"),
    ])
  func failures(behaviour: RawServer.Behaviour, code: String) async throws {
    try await RawServer.run(behaviour) { server in
      let address = server.url.absoluteString
      let text = try await Self.text(
        "local _, e = pcall(http.get, '\(address)') return e.code, (e.message:find('\(address)', 1, true))"
      )
      #expect(text == "\(code) 1")
    }
  }

  @Test("the time limit ends a request")
  func timeout() async throws {
    try await RawServer.run(.hang) { server in
      let address = server.url.absoluteString
      let text = try await Self.text(
        "local _, e = pcall(http.get, '\(address)', {timeout = 0.05}) return e.code, e")
      #expect(
        text
          == "source_timed_out \(address): no complete answer within 0.05 s: try again")
    }
  }

  @Test("without access to the network, nothing is sent")
  func refused() async throws {
    try await StandInServer.run(.text("")) { server in
      let app = try AppInLua(documents: .refusing)
      let url = server.url.absoluteString
      for call in [
        "http.get('\(url)')", "http.post('\(url)', 'x')", "http.request{url = '\(url)'}",
      ] {
        #expect(await app.failure(call)?.code == "source_not_allowed")
      }
      #expect(server.requestCount == 0)
    }
  }

  @Test(
    "refuses arguments that can't be sent",
    arguments: [
      ("http.get('ftp://a.org')", "source_bad_address"), ("http.get()", "bad_argument"),
      ("http.get('http://a.org', {timeout = 0})", "number_out_of_range"),
      ("http.get('http://a.org', {timeout = 0/0})", "number_out_of_range"),
      ("http.get('http://a.org', {timeot = 1})", "unknown_field"),
      ("http.get('http://a.org', {headers = {a = 1}})", "bad_argument"),
      ("http.get('http://a.org', {headers = {'a: b'}})", "bad_argument"),
      ("http.get('http://a.org', {headers = {a = 'x\\r\\nb: y'}})", "bad_header"),
      ("http.post('http://a.org', 5)", "bad_argument"),
      ("http.post('http://a.org', nil, {})", "bad_argument"),
      ("http.post('http://a.org', 'x', {form = {}})", "bad_argument"),
      ("http.request{url = 'http://a.org', body = '', form = {}}", "bad_argument"),
      ("http.get('http://a.org', {form = {}})", "unknown_field"),
      ("http.get('http://a.org', {query = {'a'}})", "bad_argument"),
      ("http.get('http://a.org', {query = {a = {b = 1}}})", "bad_argument"),
      ("http.get('http://a.org', {query = {a = {1, nil, 3}}})", "bad_argument"),
      ("http.get('http://a.org', {query = {a = 0/0}})", "bad_argument"),
      ("http.post('http://a.org', nil, {form = {a = json.null}})", "bad_argument"),
      ("http.post('http://a.org', counter)", "bad_argument"),
      ("http.post('http://a.org', {print})", "not_json"),
      ("http.request{}", "bad_argument"),
      ("http.request{url = 'http://a.org', method = 'GET /'}", "bad_method"),
      ("http.request{url = 'http://a.org', json = {}}", "unknown_field"),
      ("http:get('http://a.org')", "bad_argument"),
      ("table.sort({1, 2}, function() http.get('http://a.org') end)", "cannot_wait"),
    ])
  func refusedArguments(call: String, code: String) async {
    #expect(await app.failure(call)?.code.rawValue == code)
  }

  // MARK: - Stubs and names

  @Test("a stub gets the address, the body and the options, and answers with a table")
  func stubs() async throws {
    let app = try AppInLua(stubs: { LuaStubs(in: $0) })
    let stubs = try #require(app.stubs as? LuaStubs)
    let answer = try await app.run(
      """
      return function(...)
        asked = json.encode({...})
        return { status = 201, headers = { ["X-A"] = "b" }, json = { id = 1, list = json.decode("[]"), none = json.null } }
      end
      """)
    for name in ["http.get", "http.post", "http.request"] {
      stubs.set(try #require(answer.first).as(LuaFunction.self), for: name)
    }
    let shown = "return asked, r.status, r.headers['x-a'], r.body"
    let response = #"201 b {"id":1,"list":[],"none":null}"#
    #expect(
      try await app.text("local r = http.get('http://a.org') \(shown)")
        == #"["http://a.org"] \#(response)"#)
    #expect(
      try await app.text(
        "local r = http.post('http://a.org', {a = 1}, {timeout = 1, headers = {b = 'c'}}) \(shown)")
        == #"["http://a.org",{"a":1},{"headers":{"b":"c"},"timeout":1.0}] \#(response)"#)
    #expect(
      try await app.text(
        "local r = http.request{url = 'http://a.org', method = 'put', body = 'x'} \(shown)")
        == #"["http://a.org",{"body":"x","method":"PUT"}] \#(response)"#)
    #expect(
      try await app.text(
        "local r = http.request{url = 'http://a.org', form = {a = {1}}, query = {b = 2}} \(shown)")
        == #"["http://a.org",{"form":{"a":[1]},"method":"POST","query":{"b":2}}] \#(response)"#)
  }
}
