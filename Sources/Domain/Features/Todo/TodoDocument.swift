extension Todo {
  /// The list of things to do in a document of the state.
  struct Document: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
      case items, query, loading, error
      case lastQuery = "last_query"
    }

    private let items: [Item]
    private let query: String
    private let error: String?
    private let lastQuery: String?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(ofKnown: CodingKeys.self)
      items = try container.decodeIfPresent([Item].self, forKey: .items) ?? []
      query = try container.decodeIfPresent(String.self, forKey: .query) ?? ""
      error = try container.decodeIfPresent(String.self, forKey: .error)
      lastQuery = try container.decodeIfPresent(String.self, forKey: .lastQuery)
    }

    /// The state, once its items are checked.
    func state() throws(StateDocumentProblem) -> State {
      try StateDocumentProblem.check(items, at: "todo.items") { try checkText($0.text) }
      var state = State()
      state.items = try StateDocumentProblem.list(items, at: "todo.items", order: .newestFirst)
      state.lastID = items.map(\.id).max() ?? 0
      state.query = query
      state.error = error
      if let lastQuery {
        try StateDocumentProblem.check([lastQuery], at: "todo.last_query") { try checkText($0) }
      }
      state.lastQuery = lastQuery
      return state
    }
  }
}
