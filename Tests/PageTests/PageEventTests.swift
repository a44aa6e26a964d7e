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

  private func open() throws -> RawConnection {
    let connection = try RawConnection(port: page.port)
    let headers = page.headers.map { "\($0): \($1)\r\n" }.joined()
    connection.send("GET /events HTTP/1.1\r\n\(headers)\r\n")
    return connection
  }

  @Test("begin with the present, and tell each page what changes, whoever changes it")
  func changes() async throws {
    defer { page.server.stop() }
    let connections = try (0..<20).map { _ in try open() }
    for connection in connections {
      let first = await connection.receive(until: #""version":1}"#)
      #expect(first.contains("Content-Type: text/event-stream"))
      #expect(first.contains("event: changed\ndata: {\"position\":0,"))
    }
    try fixture.run("shop.hire('Ann')")
    for connection in connections {
      #expect(await connection.receive(until: #""version":1}"#).contains("\"position\":1,"))
    }
    _ = try await page.ask("undo")
    for connection in connections {
      #expect(await connection.receive(until: #""version":1}"#).contains("\"position\":0,"))
    }
  }

  @Test("tell what code prints, which is printed as well")
  func output() async throws {
    defer { page.server.stop() }
    let connection = try open()
    _ = await connection.receive(until: "changed")
    try fixture.run(#"print('a "line"')"#)
    #expect(
      await connection.receive(until: "output").contains(
        "event: output\ndata: \"a \\\"line\\\"\\n\"\n\n"))
    #expect(fixture.output == "a \"line\"\n")
  }

  @Test("tell that an undone action was replaced by another one")
  func replacement() async throws {
    defer { page.server.stop() }
    try fixture.run("shop.hire('Ann')")
    let connection = try open()
    #expect(await connection.receive(until: #""version":"#).contains(#""edition":0"#))
    try fixture.run("store.undo() shop.hire('Bob')")
    #expect(
      await connection.receive(until: #""version":"#).contains(
        #""position":1,"first":0,"last":1,"edition":1"#))
  }

  @Test("tell that the code of the app was loaded again")
  func reloaded() async throws {
    defer { page.server.stop() }
    let connection = try open()
    _ = await connection.receive(until: #""version":1}"#)
    fixture.appVersion = 2
    #expect(await connection.receive(until: #""version":2}"#).contains("changed"))
  }

  @Test("reload what others do only while a page is open")
  func reloading() async throws {
    defer { page.server.stop() }
    #expect(fixture.reloadCount == 0)
    let connection = try open()
    _ = await connection.receive(until: "changed")
    try await wait(for: "a look") { fixture.reloadCount > 2 }
  }

  @Test("end with the server, also while questions wait")
  func stopping() async throws {
    let connection = try open()
    _ = await connection.receive(until: "changed")
    let waiting = try RawConnection(port: page.port)
    let question = #"{"code": "task.sleep(30)"}"#
    let headers = page.headers.map { "\($0): \($1)\r\n" }.joined()
    waiting.send(
      "POST /api/run HTTP/1.1\r\n\(headers)Content-Length: \(question.utf8.count)\r\n\r\n\(question)"
    )
    try await wait(for: "the question") { fixture.state.tasks.count > 0 }
    page.server.stop()
    #expect(await connection.receive(until: "never").contains("never") == false)
    #expect(await waiting.receive(until: "result").contains("result") == false)
  }
}
