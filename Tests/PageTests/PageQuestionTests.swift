import Foundation
import PrimereplPage
import StateStore
import TestSupport
import Testing

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

  @Test("describe fields with what their inputs need, and functions with their parameters")
  func description() async throws {
    let shop = element(try await page.ask("describe")["features"], "shop")
    #expect(shop?["help"] == .text("A shop."))
    let items = element(shop?["fields"], "items")
    #expect(items?["kind"] == .text("list"))
    #expect(items?["label"] == .text("name"))
    let price = element(items?["columns"], "price")
    #expect(price?["is_editable"] == .boolean(true))
    #expect(price?["type"] == ["is": .text("number"), "places": .integer(2), "min": .number(0)])
    #expect(
      element(items?["columns"], "owner")?["type"]
        == ["is": .text("reference"), "is_optional": .boolean(true), "list": .text("shop.people")])
    #expect(element(shop?["fields"], "stock")?["kind"] == .text("map"))
    #expect(element(shop?["fields"], "open")?["help"] == .text("Whether it is open."))
    let add = element(shop?["calls"], "add")
    #expect(add?["help"] == .text("Adds an item."))
    #expect(element(add?["parameters"], "price")?["default"] == .text("1.0"))
    #expect(
      element(add?["parameters"], "price")?["type"]
        == ["is": .text("number"), "places": .integer(2)])
    #expect(
      element(add?["parameters"], "owner")?["type"]
        == ["is": .text("reference"), "list": .text("shop.people")])
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

  @Test("give the values of a feature, now and after an action of the past")
  func values() async throws {
    try fixture.run("shop.add('pen', 2.5) shop.note = 'new'")
    let now = try await page.ask("values", #"{"feature": "shop"}"#)
    #expect(now["values"]?["shop.items"] == ["count": .integer(1)])
    #expect(now["values"]?["shop.note"] == ["value": .text("new"), "rest": .integer(0)])
    #expect(now["values"]?["shop.total"]?["value"]?.json == "2.5")
    let past = try await page.ask("values", #"{"feature": "shop", "at": 1}"#)
    #expect(past["values"]?["shop.note"]?["value"] == .text(""))
    #expect(fixture.app.store.position == 2)
  }

  @Test("give windows of lists, sorted and filtered, with the labels of references")
  func records() async throws {
    try fixture.run("shop.hire('Ann') shop.fill(1000) shop.items[3].owner = 1")
    let window = try await page.ask("records", #"{"path": "shop.items", "offset": 1, "count": 2}"#)
    #expect(window["total"] == .integer(1000))
    #expect(elements(window["rows"]).map { $0["id"] } == [.integer(2), .integer(3)])
    #expect(window["labels"] == ["shop.people": ["1": .text("Ann")]])
    let sorted = try await page.ask(
      "records", #"{"path": "shop.items", "sort": "price", "count": 1}"#)
    #expect(sorted["rows"]?.json.contains(#""id":1000,"#) == true)
    let last = try await page.ask(
      "records", #"{"path": "shop.items", "sort": "price", "descending": true, "count": 1}"#)
    #expect(last["rows"]?.json.contains(#""id":1,"#) == true)
    let found = try await page.ask("records", #"{"path": "shop.items", "filter": "ITEM 99"}"#)
    #expect(found["found"] == .integer(11))
    let priced = try await page.ask("records", #"{"path": "shop.items", "filter": "990.00"}"#)
    #expect(priced["found"] == .integer(1))
    let owned = try await page.ask("records", #"{"path": "shop.items", "filter": "ann"}"#)
    #expect(owned["found"] == .integer(1))
    let past = try await page.ask("records", #"{"path": "shop.items", "at": 1}"#)
    #expect(past["total"] == .integer(0))
  }

  @Test("follow the list after it was sorted")
  func sortedAfterChange() async throws {
    try fixture.run("shop.fill(3)")
    let question = #"{"path": "shop.items", "sort": "price", "count": 1}"#
    _ = try await page.ask("records", question)
    try fixture.run("shop.items[1].price = 0 shop.items[3].price = 9")
    #expect(try await page.ask("records", question)["rows"]?.json.contains(#""id":1,"#) == true)
  }

  @Test("call functions with arguments as they were typed, and show results and refusals")
  func calls() async throws {
    try fixture.run("shop.hire('Ann')")
    let added = try await page.ask(
      "call",
      #"{"feature": "shop", "name": "add", "arguments": {"name": "pen", "price": "2.5", "owner": "1", "pin": "hidden"}}"#
    )
    #expect(added["result"]?.json.contains("price = 2.50, owner = Ann") == true)
    let refused = try await page.ask(
      "call", #"{"feature": "shop", "name": "add", "arguments": {"name": ""}}"#)
    #expect(refused == ["error": .text("An item has a name."), "code": .text("no_name")])
    let wrong = try await page.ask(
      "call", #"{"feature": "shop", "name": "fill", "arguments": {"n": "many"}}"#)
    #expect(wrong["error"] == .text("n: \"many\" is no integer."))
    let missing = try await page.ask(
      "call", #"{"feature": "shop", "name": "fill", "arguments": {}}"#)
    #expect(missing["error"] == .text("n is missing."))
    #expect(fixture.saveCount > 0)
    let history = try await page.ask("history").json
    #expect(!history.contains("hidden"))
    #expect(!(try await page.ask("records", #"{"path": "shop.items"}"#)).json.contains("hidden"))
  }

  @Test("assign fields and parts of records, or say what is expected")
  func assignments() async throws {
    try fixture.run("shop.hire('Ann') shop.add('pen')")
    for (question, field, value) in [
      (#"{"path": "shop.open", "value": "true"}"#, "open", "true"),
      (#"{"path": "shop.level", "value": "5"}"#, "level", "5"),
      (
        #"{"path": "shop.items", "id": 1, "part": "price", "value": "19.90"}"#, "items[1].price",
        "19.9"
      ),
      (
        #"{"path": "shop.items", "id": 1, "part": "owner", "value": "1"}"#, "items[1].owner.name",
        "Ann"
      ),
      (#"{"path": "shop.items", "id": 1, "part": "owner", "value": ""}"#, "items[1].owner", "nil"),
    ] {
      #expect(try await page.ask("set", question)["error"] == nil)
      let found = try fixture.state.load("return tostring(shop.\(field))").call(as: String.self)
      #expect(found == value)
    }
    for (question, message) in [
      (
        #"{"path": "shop.level", "value": "6"}"#,
        "shop.level: expected an integer from 1 to 5, found 6"
      ),
      (#"{"path": "shop.level", "value": "x"}"#, "shop.level: expected integer, found \"x\""),
      (#"{"path": "shop.total", "value": "1"}"#, "shop.total can't be assigned."),
      (
        #"{"path": "shop.items", "id": 1, "part": "price", "value": "-1"}"#,
        "price: expected a number from 0 with 2 decimal places, found -1.0"
      ),
      (
        #"{"path": "shop.items", "id": 9, "part": "price", "value": "1"}"#, "No record has the id 9"
      ),
    ] {
      let error = try await page.ask("set", question)["error"]?.json ?? ""
      #expect(error.contains(message.json), "\(error)")
    }
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

  @Test("travel, and run code as the prompt does")
  func travelAndCode() async throws {
    #expect(
      try await page.ask("run", #"{"code": "shop.hire('Ann')"}"#)["result"]?.json.contains("Ann")
        == true)
    #expect(try await page.ask("undo")["position"] == .integer(0))
    #expect(try await page.ask("redo")["position"] == .integer(1))
    #expect(try await page.ask("jump", #"{"number": 0}"#)["position"] == .integer(0))
    #expect(try await page.ask("jump", #"{"number": 7}"#)["code"] == .text("out_of_history"))
    #expect(try await page.ask("run", #"{"code": "1 +"}"#)["error"] != nil)
  }

  @Test("complete code, and say what arguments a function takes")
  func completion() async throws {
    let known = try await page.ask("complete", #"{"code": "x = 'für' .. shop.hi"}"#)
    #expect(known["texts"] == .list([.text("x = 'für' .. shop.hire")]))
    let hint = try await page.ask("complete", #"{"code": "shop.add('für', "}"#)["hint"]
    #expect(hint?.json.contains("price: decimal(2)") == true)
  }

  // MARK: - Commands

  @Test("call a function for each of some records, as one action")
  func calledForRecords() async throws {
    try fixture.run("shop.add('a') shop.add('b') shop.add('c')")
    let answer = try await page.ask(
      "call", #"{"feature": "shop", "name": "tag", "ids": [1, 3], "arguments": {"name": "x"}}"#)
    #expect(answer == ["result": .text("done for 2 records")])
    #expect(fixture.app.store.position == 4)
    let names = try fixture.state.load(
      "return shop.items[1].name .. shop.items[2].name .. shop.items[3].name"
    ).call(as: String.self)
    #expect(names == "xbx")
  }

  @Test("change nothing if a function can't be called for one of some records")
  func recordsRefused() async throws {
    try fixture.run("shop.add('a')")
    let missing = try await page.ask(
      "call", #"{"feature": "shop", "name": "tag", "ids": [1, 9], "arguments": {"name": "x"}}"#)
    #expect(missing["error"] != nil)
    let waiting = try await page.ask(
      "call", #"{"feature": "shop", "name": "appraise", "ids": [1], "arguments": {}}"#)
    #expect(waiting["code"] == .text("cannot_wait"))
    #expect(fixture.app.store.position == 1)
  }

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

  @Test("undo and redo a command as a whole, and say what that is")
  func commands() async throws {
    try fixture.run("shop.hire('Zoe')")
    _ = try await page.ask("run", #"{"code": "shop.hire('Ann') shop.hire('Bob')"}"#)
    let history = try await page.ask("history")
    #expect(history["undo"] == .text("2 actions"))
    #expect(history["redo"] == StateValue.none)
    let command: StateValue = ["first": .integer(2), "last": .integer(3)]
    #expect(
      elements(history["entries"]).map { $0["command"] } == [command, command, StateValue.none])
    #expect(try await page.ask("undo")["position"] == .integer(1))
    let undone = try await page.ask("history")
    #expect(undone["undo"] == .text(#"shop.hire("Zoe")"#))
    #expect(undone["redo"] == .text("2 actions"))
    #expect(try await page.ask("redo")["position"] == .integer(3))
  }

  @Test("don't replace a value that somebody else has assigned meanwhile")
  func meanwhile() async throws {
    try fixture.run("shop.add('pen', 5) shop.level = 3")
    for (question, code) in [
      (#"{"path": "shop.level", "value": "4", "was": 1}"#, "changed_meanwhile"),
      (#"{"path": "shop.level", "value": "4", "was": 3}"#, nil),
      (
        #"{"path": "shop.items", "id": 1, "part": "price", "value": "7", "was": 4}"#,
        "changed_meanwhile"
      ),
      (#"{"path": "shop.items", "id": 1, "part": "price", "value": "7", "was": 5}"#, nil),
      (#"{"path": "shop.items", "id": 1, "part": "owner", "value": "", "was": null}"#, nil),
    ] {
      let answer = try await page.ask("set", question)
      #expect(answer["code"] == code.map { .text($0) }, "\(question): \(answer)")
    }
  }

  @Test("don't record that a value was assigned which is there already")
  func unchanged() async throws {
    try fixture.run("shop.add('pen', 5)")
    for question in [
      #"{"path": "shop.level", "value": "1"}"#, #"{"path": "shop.note", "value": ""}"#,
      #"{"path": "shop.items", "id": 1, "part": "price", "value": "5.00"}"#,
      #"{"path": "shop.items", "id": 1, "part": "owner", "value": ""}"#,
    ] {
      #expect(try await page.ask("set", question)["error"] == nil)
      #expect(fixture.app.store.position == 1)
    }
  }

  @Test("assign a part of a field that is a record")
  func partOfRecord() async throws {
    let question = #"{"path": "shop.place", "part": "street", "value": "Elm Street", "was": ""}"#
    #expect(try await page.ask("set", question) == ["value": .text("Elm Street")])
    #expect(
      try await page.ask("values", #"{"feature": "shop"}"#)["values"]?["shop.place"]?["value"]
        == ["street": .text("Elm Street"), "number": .integer(0)])
    #expect(try await page.ask("set", question)["code"] == .text("changed_meanwhile"))
    let wrong = #"{"path": "shop.place", "part": "number", "value": "x"}"#
    #expect(
      try await page.ask("set", wrong)["error"]
        == .text("shop.place.number: expected integer, found \"x\""))
    let unknown = #"{"path": "shop.place", "part": "city", "value": ""}"#
    #expect(
      try await page.ask("set", unknown)["error"] == .text("shop.place.city can't be assigned."))
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

  @Test("undo for each person the own commands")
  func persons() async throws {
    func ask(_ name: String, _ user: String, _ code: String = "") async throws -> StateValue {
      try await page.ask(name, #"{"user": "\#(user)", "code": "\#(code)"}"#)
    }
    _ = try await ask("run", "ann", "shop.hire('a1')")
    _ = try await ask("run", "ann", "shop.hire('a2') shop.hire('a3')")
    _ = try await ask("run", "bob", "shop.hire('b')")
    #expect(try await ask("history", "ann")["undo"] == .text("2 actions"))
    #expect(try await ask("history", "bob")["undo"] == .text(#"shop.hire("b")"#))
    func people() throws -> String {
      try fixture.state.load(
        "local names = {} for _, one in ipairs(shop.people) do names[#names + 1] = one.name end return table.concat(names, ' ')"
      ).call(as: String.self)
    }
    _ = try await ask("undo", "ann")
    #expect(try people() == "a1 b")
    _ = try await ask("undo", "ann")
    #expect(try people() == "b")
    _ = try await ask("undo", "bob")
    #expect(try people() == "")
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

  @Test("list the actions of a feature, with what each changed")
  func changes() async throws {
    try fixture.run("shop.level = 3 store.reset()")
    let history = try await page.ask("history", #"{"feature": "shop"}"#)
    let entries = elements(history["entries"])
    #expect(entries.count == 2)
    #expect(
      entries.last?["changes"] == [
        "changes": .list([["path": .text("shop.level"), "old": .text("1"), "new": .text("3")]]),
        "rest": .integer(0), "uncomputed": .list([]),
      ])
    let other = try await page.ask("history", #"{"feature": "other"}"#)
    // The reset is one of all features.
    #expect(other["entries"]?.json.contains("store.reset()") == true)
    #expect(other["entries"]?.json.contains("shop.level = 3") == false)
  }

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

  @Test("save some actions as a scenario")
  func scenario() async throws {
    try fixture.run("shop.hire('Zoe') shop.hire('Ann') shop.hire('Bob')")
    let answer = try await page.ask("scenario", #"{"first": 2, "last": 3, "name": "two"}"#)
    let text = answer["text"]?.json ?? ""
    #expect(text.contains("scenario(\\\"two\\\""))
    #expect(text.contains("shop.hire(\\\"Bob\\\")"))
    for (first, last) in [(3, 2), (0, 2), (3, 4)] {
      #expect(
        try await page.ask("scenario", #"{"first": \#(first), "last": \#(last), "name": ""}"#)[
          "code"]
          == .text("bad_range"))
    }
    try fixture.run("shop.fill(10001) shop.hire('Eve')")
    #expect(
      try await page.ask("scenario", #"{"first": 5, "last": 5, "name": ""}"#)["code"]
        == .text("too_long"))
  }

  @Test("give the rows around a record")
  func around() async throws {
    try fixture.run("shop.fill(1000)")
    let answer = try await page.ask(
      "records", #"{"path": "shop.items", "id": 500, "count": 50, "sort": "price"}"#)
    // The prices go down.
    #expect(answer["offset"] == .integer(480))
    #expect(answer["rows"]?.json.contains(#""id":500,"#) == true)
  }
}

extension String {
  /// The text as JSON has it within quotes.
  fileprivate var json: String { String(StateValue.text(self).json.dropFirst().dropLast()) }
}
