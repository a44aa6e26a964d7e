import Foundation
import PrimereplPage
import StateStore
import TestSupport
import Testing

/// A titled conversation of a page with its server.
private struct Conversation: Sendable, CustomTestStringConvertible {
  let testDescription: String
  private(set) var steps: [LuaCase] = []

  /// Reads conversations that are written as cases of Lua.
  ///
  /// Each step is code that the app runs, if any, and a question by its name, whose content may go
  /// on in indented lines. A long answer may go on in a line after `…`.
  static func list(_ text: String) -> [Conversation] {
    var conversations: [Conversation] = []
    for step in LuaCase.list(text) {
      if conversations.last?.testDescription != step.description {
        conversations.append(Conversation(testDescription: step.description))
      }
      conversations[conversations.count - 1].steps.append(step)
    }
    return conversations
  }
}

@MainActor
@Suite("The answers of a page")
struct PageQuestionTests {
  private let fixture: PageFixture
  private let page: ServedPage

  init() throws {
    fixture = try PageFixture()
    page = try ServedPage(fixture)
  }

  private func elements(_ value: StateValue?) -> [StateValue] {
    guard case .list(let elements, _)? = value else { return [] }
    return elements
  }

  private func element(_ value: StateValue?, _ name: String) -> StateValue? {
    elements(value).first { $0["name"] == .text(name) }
  }

  /// Runs the code of a step, asks its question, and compares the answer.
  private func check(_ step: LuaCase) async throws {
    let lines = step.code.split(separator: "\n")
    let start = try #require(lines.lastIndex { !$0.hasPrefix(" ") })
    try fixture.run(lines[..<start].joined(separator: "\n"))
    let question = lines[start...].joined(separator: "").split(separator: " ", maxSplits: 1)
    let answer = try await page.ask(
      String(question[0]), question.count > 1 ? String(question[1]) : "{}")
    let expected = LuaCase("", "", step.result.replacing("… ", with: "…"))
    #expect(expected.allows(answer.json), "\(step.code): \(answer.json)")
  }

  @Test(
    "in conversations",
    arguments: Conversation.list(
      #"""
      -- describe fields with what their inputs need
      describe --> …"name":"shop","help":"A shop.",…
      describe --> …"path":"shop.items",…"kind":"list",…"label":"name"}…
      describe --> …{"name":"price","type":{"is":"number","places":2,"min":0…},"is_editable":true}…
      describe --> …{"name":"owner","type":{"is":"reference","is_optional":true,…
      --> "list":"shop.people"},…
      describe --> …"path":"shop.stock",…"kind":"map",…
      describe --> …"path":"shop.open","help":"Whether it is open.",…
      -- describe functions with their parameters
      describe --> …"name":"add","help":"Adds an item.",…
      describe --> …"type":{"is":"number","places":2},…"default":"1.0"}…
      describe --> …"name":"owner",…"type":{"is":"reference","list":"shop.people"},…
      -- give the values of a feature, now and after an action of the past
      shop.add('pen', 2.5) shop.note = 'new'
      values {"feature": "shop"}
      --> …"shop.items":{"count":1},…"shop.note":{"value":"new","rest":0},…
      --> "shop.total":{"value":2.5,…
      values {"feature": "shop", "at": 1} --> …"shop.note":{"value":"",…
      describe --> …"position":2,…
      -- give integers that JavaScript would round as texts
      shop.place.number = math.mininteger
      values {"feature": "shop"} --> …"number":"-9223372036854775808"…
      shop.place.number = 2^53 | 0
      values {"feature": "shop"} --> …"number":"9007199254740992"…
      shop.place.number = 1 - 2^53 | 0
      values {"feature": "shop"} --> …"number":-9007199254740991…
      -- give the records of lists in an order, or those that a filter leaves
      shop.hire('Ann') shop.fill(1000) shop.items[3].owner = 1
      records {"path": "shop.items", "sort": "price", "count": 1} --> …"id":1000,…
      records {"path": "shop.items", "sort": "price", "descending": true, "count": 1} --> …"id":1,…
      records {"path": "shop.items", "filter": "ITEM 99"} --> {"total":1000,"found":11,…
      records {"path": "shop.items", "filter": "990.00"} --> {"total":1000,"found":1,…
      records {"path": "shop.items", "filter": "ann"} --> {"total":1000,"found":1,…
      -- give the records after an action of the past
      shop.hire('Ann') shop.fill(3)
      records {"path": "shop.items", "at": 1} --> {"total":0,…
      -- give the rows around a record; the prices go down
      shop.fill(1000)
      records {"path": "shop.items", "id": 500, "count": 50, "sort": "price"}
      --> …"offset":480,…"id":500,…
      -- follow the list after it was sorted
      shop.fill(3)
      records {"path": "shop.items", "sort": "price", "count": 1} --> …"id":3,…
      shop.items[1].price = 0 shop.items[3].price = 9
      records {"path": "shop.items", "sort": "price", "count": 1} --> …"id":1,…
      -- call functions with arguments as they were typed
      shop.hire('Ann')
      call {"feature": "shop", "name": "add", "arguments": {
        "name": "pen", "price": "2.5", "owner": "1"
        }} --> …price = 2.50, owner = Ann…
      -- say why a call is refused
      call {"feature": "shop", "name": "add", "arguments": {"name": ""}}
      --> {"error":"An item has a name.","code":"no_name"}
      call {"feature": "shop", "name": "fill", "arguments": {"n": "many"}}
      --> {"error":"n: \"many\" is no integer.",…
      call {"feature": "shop", "name": "fill", "arguments": {}} --> {"error":"n is missing.",…
      -- assign fields and parts of records
      shop.hire('Ann') shop.add('pen')
      set {"path": "shop.open", "value": "true"} --> {"value":true}
      set {"path": "shop.level", "value": "5"} --> {"value":5}
      set {"path": "shop.items", "id": 1, "part": "price", "value": "19.90"} --> {"value":19.9}
      set {"path": "shop.items", "id": 1, "part": "owner", "value": "1"} --> {"value":1}
      run {"code": "shop.items[1].owner.name"} --> {"result":"…Ann…"}
      set {"path": "shop.items", "id": 1, "part": "owner", "value": ""} --> {"value":null}
      -- say what is expected of a value
      set {"path": "shop.level", "value": "6"}
      --> {"error":"…shop.level: expected an integer from 1 to 5, found 6…
      set {"path": "shop.level", "value": "x"}
      --> {"error":"…shop.level: expected integer, found \"x\"…
      set {"path": "shop.total", "value": "1"} --> {"error":"…shop.total can't be assigned.…
      shop.add('pen')
      set {"path": "shop.items", "id": 1, "part": "price", "value": "-1"}
      --> {"error":"…price: expected a number from 0 with 2 decimal places, found -1.0…
      set {"path": "shop.items", "id": 9, "part": "price", "value": "1"}
      --> {"error":"…No record has the id 9…
      -- assign a part of a field that is a record
      set {"path": "shop.place", "part": "street", "value": "Elm Street", "was": ""}
      --> {"value":"Elm Street"}
      values {"feature": "shop"}
      --> …"shop.place":{"value":{"street":"Elm Street","number":0},…
      set {"path": "shop.place", "part": "street", "value": "Elm Street", "was": ""}
      --> …"code":"changed_meanwhile"}
      set {"path": "shop.place", "part": "number", "value": "x"}
      --> {"error":"shop.place.number: expected integer, found \"x\"",…
      set {"path": "shop.place", "value": "{"}
      --> {"error":"shop.place: the value isn't JSON: expected a name…
      set { --> {"error":"The question isn't JSON: expected a name…
      set {"path": "shop.place", "part": "city", "value": ""}
      --> {"error":"shop.place.city can't be assigned.",…
      -- don't replace a value that somebody else has assigned meanwhile
      shop.add('pen', 5) shop.level = 3
      set {"path": "shop.level", "value": "4", "was": 1} --> …"code":"changed_meanwhile"}
      set {"path": "shop.level", "value": "4", "was": 3} --> {"value":4}
      set {"path": "shop.items", "id": 1, "part": "price", "value": "7", "was": 4}
      --> …"code":"changed_meanwhile"}
      set {"path": "shop.items", "id": 1, "part": "price", "value": "7", "was": 5}
      --> {"value":7…
      set {"path": "shop.items", "id": 1, "part": "owner", "value": "", "was": null}
      --> {"value":null}
      -- don't record that a value was assigned which is there already
      shop.add('pen', 5)
      set {"path": "shop.level", "value": "1"} --> {"value":1}
      set {"path": "shop.note", "value": ""} --> {"value":""}
      set {"path": "shop.items", "id": 1, "part": "price", "value": "5.00"} --> {"value":5…
      set {"path": "shop.items", "id": 1, "part": "owner", "value": ""} --> {"value":null}
      describe --> …"position":1,…
      -- travel, and run code as the prompt does
      run {"code": "shop.hire('Ann')"} --> {"result":"…Ann…
      undo --> {"position":0,…
      redo --> {"position":1,…
      jump {"number": 0} --> {"position":0,…
      jump {"number": 7} --> …"code":"out_of_history"}
      run {"code": "1 +"} --> {"error":…
      -- complete code, and say what arguments a function takes
      complete {"code": "x = 'für' .. shop.hi"} --> {"texts":["x = 'für' .. shop.hire"],…
      complete {"code": "shop.add('für', "} --> …"hint":"…price: decimal(2)…
      -- call a function for each of some records, as one action
      shop.add('a') shop.add('b') shop.add('c')
      call {"feature": "shop", "name": "tag", "ids": [1, 3], "arguments": {"name": "x"}}
      --> {"result":"done for 2 records"}
      describe --> …"position":4,…
      run {"code": "shop.items[1].name .. shop.items[2].name .. shop.items[3].name"}
      --> {"result":"…xbx…
      -- change nothing if a function can't be called for one of some records
      shop.add('a')
      call {"feature": "shop", "name": "tag", "ids": [1, 9], "arguments": {"name": "x"}}
      --> {"error":…
      call {"feature": "shop", "name": "appraise", "ids": [1], "arguments": {}}
      --> …"code":"cannot_wait"}
      describe --> …"position":1,…
      -- undo and redo a command as a whole, and say what that is
      shop.hire('Zoe')
      run {"code": "shop.hire('Ann') shop.hire('Bob')"} --> {"result":…
      history --> …"undo":"2 actions","redo":null}
      history --> {"entries":[{"number":3,…"command":{"first":2,"last":3},…{"number":2,…
      --> "command":{"first":2,"last":3},…{"number":1,…"command":null,…
      undo --> {"position":1,…
      history --> …"undo":"shop.hire(\"Zoe\")","redo":"2 actions"}
      redo --> {"position":3,…
      -- undo for each person the own commands
      run {"user": "ann", "code": "shop.hire('a1')"} --> {"result":…
      run {"user": "ann", "code": "shop.hire('a2') shop.hire('a3')"} --> {"result":…
      run {"user": "bob", "code": "shop.hire('b')"} --> {"result":…
      history {"user": "ann"} --> …"undo":"2 actions",…
      history {"user": "bob"} --> …"undo":"shop.hire(\"b\")",…
      undo {"user": "ann"} --> {"position":…
      records {"path": "shop.people"} --> {"total":2,…"name":"a1"…"name":"b"…
      undo {"user": "ann"} --> {"position":…
      records {"path": "shop.people"} --> {"total":1,…"name":"b"…
      undo {"user": "bob"} --> {"position":…
      records {"path": "shop.people"} --> {"total":0,…
      -- list the actions of a feature, with what each changed
      shop.level = 3 store.reset()
      history {"feature": "shop"} --> {"entries":[{"number":2,…{"number":1,…
      --> "changes":{"changes":[{"path":"shop.level","old":"1","new":"3"}],"rest":0,…
      --> "uncomputed":[]}}],…
      -- list actions of all features with those of each
      shop.level = 3 store.reset()
      history {"feature": "other"} --> {"entries":[{"number":2,"text":"store.reset()…
      history {"feature": "other", "search": "level"} --> {"entries":[],…
      -- save some actions as a scenario
      shop.hire('Zoe') shop.hire('Ann') shop.hire('Bob')
      scenario {"first": 2, "last": 3, "name": "two"}
      --> {"text":"…scenario(\"two\"…shop.hire(\"Bob\")…
      scenario {"first": 3, "last": 2, "name": ""} --> …"code":"bad_range"}
      scenario {"first": 0, "last": 2, "name": ""} --> …"code":"bad_range"}
      scenario {"first": 3, "last": 4, "name": ""} --> …"code":"bad_range"}
      shop.fill(10001) shop.hire('Eve')
      scenario {"first": 5, "last": 5, "name": ""} --> …"code":"too_long"}
      """#))
  fileprivate func conversations(_ conversation: Conversation) async throws {
    for step in conversation.steps { try await check(step) }
  }

  @Test("follow the layout of the declaration")
  func layout() async throws {
    let shop = element(try await page.ask("describe")["features"], "shop")
    #expect(
      elements(shop?["fields"]).prefix(3).map { $0["name"] } == [
        .text("items"), .text("note"), .text("people"),
      ])
    #expect(element(shop?["fields"], "level") == nil)
    #expect(element(shop?["calls"], "fill") == nil)
    #expect(shop?["main"] == .text("add"))
    let columns = elements(element(shop?["fields"], "items")?["columns"])
    #expect(columns.map { $0["name"] } == [.text("name"), .text("owner"), .text("price")])
  }

  @Test("give a window of a list, with the labels of references")
  func window() async throws {
    try fixture.run("shop.hire('Ann') shop.fill(1000) shop.items[3].owner = 1")
    let window = try await page.ask("records", #"{"path": "shop.items", "offset": 1, "count": 2}"#)
    #expect(window["total"] == .integer(1000))
    #expect(elements(window["rows"]).map { $0["id"] } == [.integer(2), .integer(3)])
    #expect(window["labels"] == ["shop.people": ["1": .text("Ann")]])
  }

  @Test("save what a call changes, and show no secret of it")
  func secrets() async throws {
    _ = try await page.ask(
      "call",
      #"{"feature": "shop", "name": "add", "arguments": {"name": "pen", "pin": "hidden"}}"#)
    #expect(fixture.saveCount > 0)
    #expect(!(try await page.ask("history")).json.contains("hidden"))
    #expect(!(try await page.ask("records", #"{"path": "shop.items"}"#)).json.contains("hidden"))
  }

  @Test("list the history, the newest first, in parts, and search it")
  func history() async throws {
    try fixture.run("for i = 1, 120 do shop.hire('n' .. i) end store.undo()")
    let first = try await page.ask("history", #"{"count": 2}"#)
    #expect(first["has_more"] == .boolean(true))
    #expect(
      elements(first["entries"]).map { $0["text"] } == [
        .text(#"shop.hire("n120")"#), .text(#"shop.hire("n119")"#),
      ])
    let found = try await page.ask("history", #"{"search": "n77"}"#)
    #expect(found["entries"]?.json.contains(#""number":77,"#) == true)
    #expect(found["has_more"] == .boolean(false))
  }

  @Test("list what was done to a record")
  func recordHistory() async throws {
    try fixture.run(
      "shop.add('a') shop.add('b') shop.items[1].price = 2 shop.items[2].price = 3 shop.hire('c')")
    let history = try await page.ask("history", #"{"path": "shop.items", "id": 1}"#)
    #expect(elements(history["entries"]).map { $0["number"] } == [.integer(3), .integer(1)])
  }

  // MARK: - Commands

  @Test("cancel a request that is pending")
  func cancelling() async throws {
    async let answer = page.ask(
      "call", #"{"feature": "shop", "name": "appraise", "arguments": {}, "ticket": "t"}"#)
    try await wait(for: "the request") { fixture.state.tasks.count > 0 }
    #expect(try await page.ask("cancel", #"{"ticket": "other"}"#)["error"] == nil)
    #expect(fixture.state.tasks.count > 0)
    _ = try await page.ask("cancel", #"{"ticket": "t"}"#)
    #expect(try await answer["code"] == .text("cancelled"))
    #expect(fixture.state.tasks.isEmpty)
  }

  @Test("stop code that doesn't wait")
  func stopping() async throws {
    let cancel = try await page.request("POST", "/api/cancel", page.headers, #"{"ticket": "t"}"#)
    // On another thread: the code keeps this one.
    let stopping = Task.detached { [port = page.port] in
      while !Task.isCancelled { _ = try await RawConnection(port: port).answer(to: cancel) }
    }
    let answer = try await page.ask("run", #"{"code": "while true do end", "ticket": "t"}"#)
    stopping.cancel()
    try await stopping.value
    #expect(answer["code"] == .text("interrupted"))
  }

  @Test("forget the commands whose actions were replaced, even at the same time")
  func replacedCommands() async throws {
    let fixture = try PageFixture(now: { Date(timeIntervalSince1970: 0) })
    let page = try ServedPage(fixture)
    _ = try await page.ask("run", #"{"code": "for i = 1, 5 do shop.hire('n' .. i) end"}"#)
    _ = try await page.ask("undo")
    for _ in 1...5 { try fixture.run("shop.hire('other')") }
    #expect(try await page.ask("history")["undo"] == .text(#"shop.hire("other")"#))
  }

  // MARK: - The past

  @Test("compare two moments")
  func comparison() async throws {
    try fixture.run("shop.add('pen', 2.5) shop.level = 3 shop.items[1].price = 4")
    let answer = try await page.ask("compare", #"{"first": 1, "last": 3}"#)
    let paths = ["shop.items[1].price", "shop.level", "shop.total"]
    let changes = elements(answer["changes"])
    #expect(changes.map { $0["path"] } == paths.map { .text($0) })
    #expect(changes.first?["new"] == .text("4.00"))
    let back = try await page.ask("compare", #"{"first": 3, "last": 1}"#)
    #expect(back["changes"]?.json.contains(#""old":"3","new":"1""#) == true)
    #expect(
      try await page.ask("compare", #"{"first": 3, "last": 9}"#)["code"] == .text("out_of_history"))
  }

  @Test("give the values of a field, or the lengths of a list, for charts")
  func series() async throws {
    try fixture.run("shop.add('a', 2) shop.add('b', 3) store.undo()")
    for (path, values) in [
      ("shop.items", "0 1 2"), ("shop.total", "0 2.0 5.0"), ("shop.level", "1 1 1"),
    ] {
      let answer = try await page.ask("series", #"{"path": "\#(path)", "numbers": [0, 1, 2]}"#)
      let points = elements(answer["points"])
      #expect(points.map { $0["number"] } == [.integer(0), .integer(1), .integer(2)])
      #expect(points.first?["time"] == StateValue.none)
      #expect(points.map { $0["value"]?.json ?? "" }.joined(separator: " ") == values)
    }
  }
}
