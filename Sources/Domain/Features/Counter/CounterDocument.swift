extension Counter {
  /// The counter in a document of the state.
  struct Document: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
      case count, loading, alert, modal
    }

    /// What there is of the prime card, which follows from the rest: whether it is open.
    private struct Card: Decodable {
      private enum CodingKeys: CodingKey {}

      init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: CodingKeys.self)
      }
    }

    let state: State

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(ofKnown: CodingKeys.self)
      var state = State()
      state.count = try container.decodeIfPresent(Int.self, forKey: .count) ?? state.count
      state.alert = try container.decodeIfPresent(Alert.self, forKey: .alert)
      state.isModalOpen = try container.decodeIfPresent(Card.self, forKey: .modal) != nil
      self.state = state
    }
  }
}
