import PrimereplPage
import StateStore
import TestSupport
import Testing

@MainActor
@Suite("The events of a page")
struct PageEventTests {
  private let fixture: PageFixture
  private let page: ServedPage

  init() throws {
    fixture = try PageFixture()
    page = try ServedPage(fixture)
  }

  private func open() async throws -> RawConnection {
    let request = try await request
    let connection = try RawConnection(port: page.port)
    connection.send(request)
    return connection
  }

  /// The text with which a page asks for events.
  private var request: String {
    get async throws {
      let headers = try await page.headers.map { "\($0): \($1)\r\n" }.joined()
      return "GET /events?token=\(page.token) HTTP/1.1\r\n\(headers)\r\n"
    }
  }

  /// The moment that the next event of a page has.
  private func moment(_ connection: RawConnection) async throws -> StateValue {
    let text = await connection.receive(until: "}\n\n")
    return try StateValue(
      json: String(try #require(text.firstMatch(of: /event: changed\ndata: (.*)\n/)).output.1))
  }

  @Test("begin with the present, and tell each page what changes, whoever changes it")
  func changes() async throws {
    var connections: [RawConnection] = []
    for _ in 0..<20 { connections.append(try await open()) }
    for connection in connections {
      #expect(try await moment(connection)["position"] == .integer(0))
    }
    try fixture.run("shop.hire('Ann')")
    for connection in connections {
      #expect(try await moment(connection)["position"] == .integer(1))
    }
    _ = try await page.ask("undo")
    for connection in connections {
      #expect(try await moment(connection)["position"] == .integer(0))
    }
  }

  @Test("tell what code prints, which is printed as well")
  func output() async throws {
    let connection = try await open()
    _ = await connection.receive(until: "changed")
    try fixture.run(#"print('a "line"')"#)
    #expect(
      await connection.receive(until: "output").contains(
        "event: output\ndata: \"a \\\"line\\\"\\n\"\n\n"))
    #expect(fixture.output == "a \"line\"\n")
  }

  @Test("tell that an undone action was replaced by another one")
  func replacement() async throws {
    try fixture.run("shop.hire('Ann')")
    let connection = try await open()
    let before = try await moment(connection)["edition"]
    try fixture.run("store.undo() shop.hire('Bob')")
    let after = try await moment(connection)
    #expect(after["position"] == .integer(1))
    #expect(after["edition"] != before)
  }

  @Test("tell that the code of the app was loaded again, or that another process has it")
  func reloaded() async throws {
    let connection = try await open()
    let before = try await moment(connection)["version"]
    fixture.appVersion = 2
    let after = try await moment(connection)["version"]
    #expect(after != before)
    let other = try ServedPage(fixture)
    #expect(try await other.ask("describe")["moment"]?["version"] != after)
  }

  @Test("reload what others do only while a page is open")
  func reloading() async throws {
    #expect(fixture.reloadCount == 0)
    let connection = try await open()
    _ = await connection.receive(until: "changed")
    try await wait(for: "a look") { fixture.reloadCount > 2 }
  }

  @Test("are given up if a page has gone before they begin")
  func goneEarly() async throws {
    // Until the end of the loop, this code has the actor that answers.
    let request = try await request
    for _ in 0..<20 { try RawConnection(port: page.port).send(request) }
    _ = try await page.ask("describe")
    var (before, now) = (-1, fixture.reloadCount)
    for _ in 0..<60 where before != now {
      try await Task.sleep(for: .milliseconds(500))
      (before, now) = (now, fixture.reloadCount)
    }
    #expect(before == now)
  }

  @Test("end with the server, also while questions wait")
  func stopping() async throws {
    let connection = try await open()
    _ = await connection.receive(until: "changed")
    let waiting = try RawConnection(port: page.port)
    let question = #"{"code": "task.sleep(30)"}"#
    let headers = try await page.headers.map { "\($0): \($1)\r\n" }.joined()
    waiting.send(
      "POST /api/run HTTP/1.1\r\n\(headers)Content-Length: \(question.utf8.count)\r\n\r\n\(question)"
    )
    try await wait(for: "the question") { fixture.state.tasks.count > 0 }
    page.server.stop()
    #expect(await connection.receive(until: "never").contains("never") == false)
    #expect(await waiting.receive(until: "result").contains("result") == false)
  }
}
