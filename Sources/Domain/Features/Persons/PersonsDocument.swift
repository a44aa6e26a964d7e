extension Persons {
  /// The state of a document's list of persons.
  static func state(_ persons: [Person]) throws(StateDocumentProblem) -> State {
    try StateDocumentProblem.check(persons, at: "persons") {
      try check(name: $0.name, age: $0.age)
    }
    var state = State()
    state.list = try StateDocumentProblem.list(persons, at: "persons")
    state.lastID = persons.map(\.id).max() ?? 0
    return state
  }
}
