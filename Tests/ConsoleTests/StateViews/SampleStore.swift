import Foundation
import LineEditing

@testable import Domain
@testable import StateStore

/// Stores of the app whose clock stands still, at noon of a day in 2026.
enum SampleStore {
  static let noon = Date(timeIntervalSince1970: 1_795_262_400)
  static let utc = TimeZone(identifier: "UTC") ?? .current

  static func empty() -> Store { Store(App.schema, now: { noon }) }

  /// A store after some increments of the counter.
  static func counting(_ times: Int) throws -> Store {
    let store = empty()
    for _ in 0..<times { try store.increment() }
    return store
  }

  /// A store whose todo list has many items, from one action.
  static func large(_ count: Int) throws -> Store {
    let store = empty()
    let items = (1...count).map { Todo.Item(id: $0, text: "item \($0)") }
    try store.send(.fetchRequested(request: 1), to: Todo.self)
    try store.send(.fetchSucceeded(request: 1, items: items), to: Todo.self)
    return store
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
