extension Landmarks {
  /// The list of landmarks in a document of the state.
  struct Document: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
      case all, selected
      case showFavoritesOnly = "show_favorites_only"
    }

    private let all: [SourceRecord]
    private let showFavoritesOnly: Bool
    private let selected: Int?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(ofKnown: CodingKeys.self)
      all = try container.decodeIfPresent([SourceRecord].self, forKey: .all) ?? []
      showFavoritesOnly =
        try container.decodeIfPresent(Bool.self, forKey: .showFavoritesOnly) ?? false
      selected = try container.decodeIfPresent(Int.self, forKey: .selected)
    }

    /// The state, once it is checked that the landmarks are different, and one of them is selected.
    func state() throws(StateDocumentProblem) -> State {
      var state = State()
      state.all = try StateDocumentProblem.list(all.map(\.landmark), at: "landmarks.all")
      state.showFavoritesOnly = showFavoritesOnly
      if let selected, !state.all.contains(id: selected) {
        throw StateDocumentProblem(
          "landmarks.selected", "\(LandmarksError.notFound(id: selected))")
      }
      state.selected = selected
      return state
    }
  }
}
