import PrimereplFoundation
import PrimereplPlatform
public import StateStore

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
    /// The thing to do.
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
    /// The query that filters the items; empty for all.
    public internal(set) var query = ""
    /// The remembered query, or nil before the first.
    public internal(set) var lastQuery: String?

    init() {}

    /// Decodes a state, whose items are the newest first.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      items = try RecordList(
        order: .newestFirst, records: container.decode([Item].self, forKey: .items))
      query = try container.decode(String.self, forKey: .query)
      lastQuery = try container.decodeIfPresent(String.self, forKey: .lastQuery)
    }

    /// The items whose text contains the query, regardless of case; all for an empty query.
    ///
    /// - Complexity: O(length of all texts).
    public var filtered: [Item] {
      guard !query.isEmpty else { return Array(items) }
      let query = query.caseFolded
      return items.filter { $0.text.caseFolded.contains(query) }
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
    /// An item is removed.
    case remove(id: Int)
    /// The query changes.
    case set(query: String)
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
      state.query = ""
      state.lastQuery = text
    case .complete(let id):
      try update(id, in: &state) { $0.done = true }
    case .reopen(let id):
      try update(id, in: &state) { $0.done = false }
    case .rename(let id, let text):
      try checkText(text)
      try update(id, in: &state) { $0.text = text }
    case .remove(let id):
      guard state.items.remove(id: id) != nil else { throw TodoError.notFound(id: id) }
    case .set(let query):
      state.query = query
    case .recoverLastQuery:
      guard let lastQuery = state.lastQuery else { throw TodoError.nothingSaved }
      state.query = lastQuery
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

  /// Replaces the items with those of a source, with new ids.
  public static let fetch = Request<Todo, Source, [Item]>(
    "fetch", isLocal: \.isLocal, isLatest: true,
    ask: { context in
      guard let source = context.question.name else {
        try await context.clock.sleep(for: .seconds(2))
        return [SourceRecord(text: "first item"), SourceRecord(text: "second item")]
      }
      return try await context.services.documents.records(of: SourceRecord.self, from: source)
    },
    answer: { records, _, newID in
      records.map { Item(id: newID(), text: $0.text, done: $0.done) }
    },
    reply: { items in items.map { SourceRecord(text: $0.text, done: $0.done) } },
    done: { state, items in try state.items.replaceAll(with: items) })

  /// All parts of the state.
  public static let fields: [Field<Todo>] = [
    .list(
      "items", \.items, help: "The items, newest first; each has id, and text and done to assign.",
      missing: { TodoError.notFound(id: $0) }, .set(\.text) { .rename(id: $0, text: $1) },
      .set(\.done) { $1 ? .complete(id: $0) : .reopen(id: $0) }
    )
    .inView("todos"),
    .value("query", \.query, help: "The text that filtered() searches for; assignable.") {
      .set(query: $0)
    },
    .request(fetch, pending: "loading", error: "error"),
    .value("last_query", \.lastQuery, help: "The text added last; or nil."),
  ]

  /// Checks the remembered query.
  public static func validate(_ state: inout State) throws {
    if let lastQuery = state.lastQuery {
      do {
        try checkText(lastQuery)
      } catch {
        throw DocumentError("last_query", "\(error)")
      }
    }
  }
}

extension Todo {
  /// The services that the request asks.
  public typealias Services = PrimereplDomain.Services

  /// The codes of its errors.
  public enum ErrorCode: String, FeatureErrorCode {
    case emptyText, notFound, nothingSaved
  }
}

/// Why something can't be done with the list of things to do.
public typealias TodoError = FeatureError<Todo>

extension TodoError {
  static var emptyText: Self {
    Self(.emptyText, "The text of an item is empty: write what to do.")
  }

  package static func notFound(id: Int) -> Self {
    Self(.notFound, "No item has the id \(id): it was removed, or never existed.")
  }

  static var nothingSaved: Self {
    Self(.nothingSaved, "No query is remembered yet: adding an item remembers its text.")
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

extension Todo.SourceRecord: Codable {
  private enum CodingKeys: CodingKey {
    case text, done
  }

  init(from decoder: any Decoder) throws {
    // Its form is known only after trying both.
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
