import SampleApp
import StateStore
import Testing

@testable import Scenarios

@Suite("A range of actions")
struct ActionRangeTests {
  @Test(
    "is written with numbers at one end or both, or is one action",
    arguments: [
      ("#3..#9", 3, 9), ("3..9", 3, 9), ("#3..9", 3, 9), ("#3..", 3, nil), ("..#9", nil, 9),
      ("#5", 5, 5), ("5", 5, 5),
    ] as [(String, Int?, Int?)])
  func forms(_ text: String, _ first: Int?, _ last: Int?) throws {
    let range = try ActionRange.parse(text)
    #expect(range.first == first)
    #expect(range.last == last)
  }

  @Test(
    "is no other text",
    arguments: [
      "", "..", "#..#", "3...9", "#3..#9..", "a..b", "-1..3", "+3", "0..2", "9..3", "3 .. 9", "##3",
      "99999999999999999999", "٣..٩", "\u{1B}[2J",
    ])
  func nonsense(_ text: String) throws {
    let error = #expect(throws: RecordingError.self) { try ActionRange.parse(text) }
    #expect(error?.code == "bad_range")
    #expect(error?.message.unicodeScalars.contains("\u{1B}") == false)
  }

  @Test("stands before the name of a file, or is missing")
  func split() throws {
    let full = try ActionRange.split("  #3..#9  my file.scenario.lua ")
    #expect(full.range == (try ActionRange.parse("3..9")))
    #expect(full.rest == "my file.scenario.lua")
    #expect(try ActionRange.split("my file.scenario.lua").range == nil)
    #expect(try ActionRange.split("my file.scenario.lua").rest == "my file.scenario.lua")
    #expect(try ActionRange.split("#3.scenario.lua").rest == "#3.scenario.lua")
    #expect(try ActionRange.split("").rest == "")
    #expect(throws: RecordingError.self) { try ActionRange.split("#x file") }
  }

  @Test("without an end goes from the first action to the last in effect")
  func openEnds() throws {
    let store = Store(SampleApp.schema)
    for _ in 1...5 { try store.send(Counter.Action.increment(by: 1), to: Counter.self) }
    try store.undo()
    #expect(try ActionRange.parse("3..").numbers(in: store) == 3..<5)
    #expect(try ActionRange.parse("..3").numbers(in: store) == 1..<4)
    #expect(try ActionRange.parse("4..5").numbers(in: store) == 4..<6)
    #expect(try ActionRange.parse("5..").numbers(in: store) == 5..<6)
  }

  @Test("can't have actions that the history doesn't have")
  func missing() throws {
    let store = Store(SampleApp.schema)
    let empty = #expect(throws: RecordingError.self) {
      try ActionRange.parse("1..").numbers(in: store)
    }
    #expect(empty?.message.contains("no actions yet") == true)
    for _ in 1...3 { try store.send(Counter.Action.increment(by: 1), to: Counter.self) }
    let beyond = #expect(throws: RecordingError.self) {
      try ActionRange.parse("2..4").numbers(in: store)
    }
    #expect(beyond?.message.contains("no action 4: it has #1 to #3") == true)
    store.historyLimit = 1
    #expect(throws: RecordingError.self) { try ActionRange.parse("..1").numbers(in: store) }
  }
}
