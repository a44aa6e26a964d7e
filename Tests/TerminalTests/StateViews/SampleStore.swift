import Foundation
import Lua
import PrimereplLineEditing
import SampleApp

@testable import Scripting
@testable import StateStore

/// Stores of the app whose clock stands still, at noon in the local time zone.
enum SampleStore {
  static let noon =
    Calendar(identifier: .gregorian).date(
      from: DateComponents(year: 2026, month: 11, day: 21, hour: 12))
    ?? .distantPast

  /// The texts of the sample app's actions.
  static var texts: ActionTexts {
    get throws { try ScriptedApp(in: LuaState()).texts }
  }

  static func empty() -> Store { Store(SampleApp.schema, now: { noon }) }

  /// A store after some increments of the counter.
  static func counting(_ times: Int) throws -> Store {
    let store = empty()
    for _ in 0..<times { try store.increment() }
    return store
  }

  /// A store whose todo list has many items, from one request.
  static func large(_ count: Int) async throws -> Store {
    let store = empty()
    let answer = JSONValue.list((1...count).map { .text("item \($0)") })
    try await store.ask(
      Todo.fetch, nil, in: ServiceContext(NoServices(), stubs: FixedStub(answer: answer)))
    return store
  }
}

/// The same answer for every function.
private struct FixedStub: ServiceStubs {
  let answer: JSONValue

  func answer<Answer: Decodable>(
    to function: String, with arguments: [StateValue], as type: Answer.Type
  ) async throws -> Answer? {
    try answer.decoded()
  }
}

extension Store {
  func increment() throws { try send(.increment(by: 1), to: Counter.self) }

  func add(_ text: String, id: Int = 1) throws { try send(.add(id: id, text: text), to: Todo.self) }

  var count: Int { state(of: Counter.self).count }
}

extension ScreenSize {
  static let usual = ScreenSize(columns: 80, rows: 24)
}

extension [StyledText] {
  /// The rows without styles.
  var texts: [String] { map(\.text) }
}

/// Whether a text has a character that a terminal obeys, or that changes the direction of text.
func commandsTerminal(_ text: String) -> Bool {
  text.unicodeScalars.contains {
    $0.properties.generalCategory == .control || (0x202A...0x202E).contains($0.value)
      || (0x2066...0x2069).contains($0.value)
  }
}
