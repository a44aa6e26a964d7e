internal import PrimereplBridge
internal import PrimereplDomain
internal import StateStore

extension Suites {
  /// What the app may take, whatever anything else takes.
  static func appTimeChecks(quick: Bool) -> [TimeCheck] {
    let large = Lazily { try LargeState(count: 1_000_000) }
    func undo(_ name: String, _ action: @escaping (Int) throws -> StoreAction) -> TimeCheck {
      TimeCheck("undo of \(name), a million", limit: .milliseconds(50), of: \.worst) {
        try undoTimes(rounds: quick ? 20 : 200, on: large.value(), action)
      }
    }
    return [
      undo("todo.add(text)") {
        try App.schema.action(.add(id: 2_000_000 + $0, text: "something to do"), of: Todo.self)
      },
      undo("todo.remove(id)") {
        try App.schema.action(.remove(id: $0 * 1000 + 1), of: Todo.self)
      },
      undo("persons.edit(id, {age = x})") {
        try App.schema.action(
          .edit(id: $0 * 1000 + 1, name: nil, age: $0 % 150), of: Persons.self)
      },
      undo("favorites.clear()") { _ in
        try App.schema.action(.clear, of: FavoritePrimes.self)
      },
    ]
  }

  /// An action is done and undone while all lists are observed.
  private static func undoTimes(
    rounds: Int, on large: LargeState, _ action: (Int) throws -> StoreAction
  ) throws -> [Duration] {
    let store = Store(App.schema, states: large.states)
    for path in ["todo.items", "persons", "favorites"] { try store.observe(path) { _ in } }
    return try (0..<rounds).map { round in
      try store.send(action(round))
      return try ContinuousClock().measure { try store.undo() }
    }
  }
}
