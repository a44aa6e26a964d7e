public import StateStore
extension Todo {
  /// What the list of things to do remembers.
  public struct State: Codable, Equatable, Sendable {
    /// The items, the newest first.
    public internal(set) var items: RecordList<Item>
    /// The greatest id that an item ever had.
    public internal(set) var lastID = 0
    /// What the items are filtered by; empty for all.
    public internal(set) var query = ""
    /// The latest request for items that isn't answered yet; answers to others are ignored.
    public internal(set) var pendingRequest: Int?
    /// Why the last fetch failed, or nil.
    public internal(set) var error: String?
    /// The remembered query, or nil before the first.
    public internal(set) var lastQuery: String?

    /// Makes the state without items.
    public init() {
      items = RecordList(order: .newestFirst)
    }

    /// Decodes a state, whose items are the newest first.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      items = try RecordList(
        order: .newestFirst, records: container.decode([Item].self, forKey: .items))
      lastID =
        try container.decodeIfPresent(Int.self, forKey: .lastID) ?? items.map(\.id).max() ?? 0
      query = try container.decode(String.self, forKey: .query)
      pendingRequest = try container.decodeIfPresent(Int.self, forKey: .pendingRequest)
      error = try container.decodeIfPresent(String.self, forKey: .error)
      lastQuery = try container.decodeIfPresent(String.self, forKey: .lastQuery)
    }

    /// The number of items.
    public var count: Int { items.count }

    /// The id of the item at a position from 0, which must be one of the list's.
    ///
    /// - Complexity: O(log items).
    public func id(at position: Int) -> Int { items[position].id }

    /// Whether items are awaited.
    public var isLoading: Bool { pendingRequest != nil }

    /// The items whose text contains the query, without regard to case; all for an empty query.
    ///
    /// - Complexity: O(length of all texts).
    public var filtered: [Item] {
      guard !query.isEmpty else { return Array(items) }
      let query = FoldedQuery(query)
      return items.filter { query.isFound(in: $0.text) }
    }
  }
}
