public import StateStore
import Platform

/// The list of things to do.
public enum Todo: Feature {
  /// "todo".
  public static let name = "todo"

  /// No items.
  public static var initial: State { State() }

  /// One thing to do.
  public struct Item: Record, FieldRecord {
    /// The number by which actions name the item.
    public let id: Int
    /// What is to be done.
    public var text: String
    /// Whether it is done.
    public var done: Bool

    /// Makes an item.
    public init(id: Int, text: String, done: Bool = false) {
      self.id = id
      self.text = text
      self.done = done
    }

    /// Whether two items are the same; texts are compared byte by byte, since a letter can have several encodings.
    public static func == (left: Item, right: Item) -> Bool {
      left.id == right.id && left.done == right.done && left.text.isExactly(right.text)
    }

    /// The names of the parts in scripts and files.
    public static let fields: [RecordField<Item>] = [
      .constant("id", \.id, help: "The item's id."),
      .field("text", \.text, help: "The text; assign it to rename the item."),
      .field(
        "done", \.done, help: "Whether it is done; assign it to complete or reopen the item."),
    ]

    /// Checks the text.
    public func validate() throws { try checkText(text) }
  }

  /// The state of the list.
  public struct State: Codable, Equatable, Sendable {
    /// The items, the newest first.
    public internal(set) var items = RecordList<Item>(order: .newestFirst)
    /// The greatest id that an item ever had.
    public internal(set) var lastID = 0
    /// The query that filters the items; empty for all.
    public internal(set) var query = ""
    /// The latest unanswered request for items; answers to others are ignored.
    public internal(set) var pendingRequest: Int?
    /// Why the last fetch failed, or nil.
    public internal(set) var error: String?
    /// The remembered query, or nil before the first.
    public internal(set) var lastQuery: String?

    init() {}

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

    /// Whether a fetch is in progress.
    public var isLoading: Bool { pendingRequest != nil }

    /// The items whose text contains the query, regardless of case; all for an empty query.
    ///
    /// - Complexity: O(length of all texts).
    public var filtered: [Item] {
      guard !query.isEmpty else { return Array(items) }
      let query = FoldedQuery(query)
      return items.filter { query.isFound(in: $0.text) }
    }
  }

  /// Everything that can happen to the list.
  public enum Action: Codable, Equatable, Sendable {
    /// A new item comes first, the query is cleared, and the text is remembered as the last query.
    case add(id: Int, text: String)
    /// An item is marked as done.
    case complete(id: Int)
    /// An item is marked as not done.
    case reopen(id: Int)
    /// An item gets another text.
    case rename(id: Int, text: String)
    /// An item gets another text, is done or not, or both; nil keeps the old value.
    case edit(id: Int, text: String?, done: Bool?)
    /// An item is removed.
    case remove(id: Int)
    /// The query changes.
    case set(query: String)
    /// Items are requested, from the built-in source or another.
    case fetchRequested(request: Int, source: String? = nil)
    /// The items came, and replace the old ones.
    case fetchSucceeded(request: Int, items: [Item])
    /// No items came.
    case fetchFailed(request: Int, message: String)
    /// The query becomes the remembered one.
    case recoverLastQuery
  }

  /// Applies an action to the list.
  ///
  /// - Throws: `TodoError`, or `RecordListError` for duplicate ids; the state is then unchanged.
  public static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let id, let text):
      try checkText(text)
      try state.items.append(Item(id: id, text: text))
      state.lastID = max(state.lastID, id)
      state.query = ""
      state.lastQuery = text
    case .complete(let id):
      try update(id, in: &state) { $0.done = true }
    case .reopen(let id):
      try update(id, in: &state) { $0.done = false }
    case .rename(let id, let text):
      try checkText(text)
      try update(id, in: &state) { $0.text = text }
    case .edit(let id, let text, let done):
      if let text { try checkText(text) }
      try update(id, in: &state) { item in
        item.text = text ?? item.text
        item.done = done ?? item.done
      }
    case .remove(let id):
      guard state.items.remove(id: id) != nil else { throw TodoError.notFound(id: id) }
    case .set(let query):
      state.query = query
    case .recoverLastQuery:
      guard let lastQuery = state.lastQuery else { throw TodoError.nothingSaved }
      state.query = lastQuery
    case .fetchRequested(let request, _):
      state.pendingRequest = request
      state.error = nil
    case .fetchSucceeded(let request, let items):
      guard request == state.pendingRequest else { return }
      try state.items.replaceAll(with: items)
      state.lastID = items.reduce(state.lastID) { max($0, $1.id) }
      state.pendingRequest = nil
    case .fetchFailed(let request, let message):
      guard request == state.pendingRequest else { return }
      state.pendingRequest = nil
      state.error = message
    }
  }

  static func checkText(_ text: String) throws {
    guard !text.isBlank else { throw TodoError.emptyText }
  }

  private static func update(
    _ id: Int, in state: inout State, _ change: (inout Item) -> Void
  ) throws {
    guard state.items.update(id: id, change) else { throw TodoError.notFound(id: id) }
  }

  /// Fails a fetch whose process ended before the answer came.
  public static func recovery(of state: State) -> Action? {
    state.pendingRequest.map { .fetchFailed(request: $0, message: recoveryMessage) }
  }

  /// All parts of the state.
  public static let fields: [Field<Todo>] = [
    .list("items", \.items).inView("todos"),
    .value("query", \.query),
    .awaiting("loading", \.pendingRequest),
    .value("error", \.error),
    .value("last_query", \.lastQuery),
    .hidden(\.lastID),
  ]

  /// Checks the remembered query, and finds the greatest id.
  public static func validate(_ state: inout State) throws {
    if let lastQuery = state.lastQuery {
      do {
        try checkText(lastQuery)
      } catch {
        throw DocumentError("last_query", "\(error)")
      }
    }
    state.lastID = state.items.map(\.id).max() ?? 0
  }
}

/// Why something can't be done with the list of things to do.
public typealias TodoError = PlainError<Todo>

extension TodoError {
  static var emptyText: Self {
    Self("empty_text", "The text of an item is empty: write what to do.")
  }

  package static func notFound(id: Int) -> Self {
    Self("not_found", "No item has the id \(id): it was removed, or never existed.")
  }

  static var nothingSaved: Self {
    Self("nothing_saved", "No query is remembered yet: adding an item remembers its text.")
  }
}

// MARK: - Sources

extension Todo {
  /// An item as sources write it: a text, or an object with a `text` and perhaps `done`.
  struct SourceRecord: Equatable, Sendable {
    let text: String
    var done = false
  }
}

extension Todo.SourceRecord: Decodable {
  private enum CodingKeys: CodingKey {
    case text, done
  }

  init(from decoder: any Decoder) throws {
    // Only trying tells which of the two forms it has.
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(text: text)
    } else if let container = try? decoder.container(keyedBy: CodingKeys.self) {
      self.init(
        text: try container.decode(String.self, forKey: .text),
        done: try container.decodeIfPresent(Bool.self, forKey: .done) ?? false)
    } else {
      throw DocumentError(
        decoder.codingPath,
        #"expected text, or an object like {"text": "buy milk", "done": false}"#)
    }
    guard !text.isBlank else { throw DocumentError(decoder.codingPath, "the text is empty") }
  }
}
