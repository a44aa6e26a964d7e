package import Scripting
package import StateStore

/// A list of live records that is a property of its module, with a query, a request and a remembered text.
package enum Todo: ScriptableFeature {
  package struct Item: Record, FieldRecord, ScriptableRecord {
    package let id: Int
    package var text: String
    package var done = false

    package init(id: Int, text: String, done: Bool = false) {
      (self.id, self.text, self.done) = (id, text, done)
    }

    package static let fields: [RecordField<Item>] = [
      .constant("id", \.id, help: "The item's id."),
      .field("text", \.text, help: "The text; assignable."),
      .field("done", \.done, help: "Whether it is done; assignable."),
    ]
    package static let luaTypeName = "todo.item"
    package var luaText: String { "todo.item \(id): \(text)\(done ? " (done)" : "")" }
  }

  package struct State: Codable, Equatable, Sendable {
    package var items = RecordList<Item>(order: .newestFirst)
    package var query = ""
    package var lastQuery: String?

    init() {}

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      items = try RecordList(
        order: .newestFirst, records: container.decode([Item].self, forKey: .items))
      query = try container.decode(String.self, forKey: .query)
      lastQuery = try container.decodeIfPresent(String.self, forKey: .lastQuery)
    }
  }

  package enum Action: Codable, Equatable, Sendable {
    case add(id: Int, text: String)
    case complete(id: Int)
    case reopen(id: Int)
    case rename(id: Int, text: String)
    case remove(id: Int)
    case set(query: String)
  }

  package static let name = "todo"
  package static let help = "Todo items: add, complete, search, fetch."
  package static var initial: State { State() }
  package enum ErrorCode: String, FeatureErrorCode { case emptyText, notFound }
  package static let fields: [Field<Todo>] = [
    .list(
      "items", \.items, help: "The items, newest first.",
      missing: { TodoError.notFound($0) }, .set(\.text) { .rename(id: $0, text: $1) },
      .set(\.done) { $1 ? .complete(id: $0) : .reopen(id: $0) }),
    .value("query", \.query, help: "The text that filtered() searches for.") { .set(query: $0) },
    .request(fetch, pending: "loading", error: "error"), .value("last_query", \.lastQuery),
  ]

  /// Replaces the items by those of a source, or the built-in ones.
  package static let fetch = Request<Todo, String?, [Item]>(
    "fetch", isLocal: { $0?.hasPrefix("http") != true }, isLatest: true,
    ask: { context in
      if let source = context.question { throw SampleError.noFile(source) }
      try await context.clock.sleep(for: .seconds(2))
      return [Fetched("first item"), Fetched("second item")]
    },
    answer: { items, _, newID in
      items.map { Item(id: newID(), text: $0.text, done: $0.done) }
    },
    reply: { items in items.map { Fetched($0.text, done: $0.done) } },
    done: { state, items in try state.items.replaceAll(with: items) })

  package static func reduce(_ state: inout State, _ action: Action) throws {
    func update(_ id: Int, _ change: (inout Item) -> Void) throws {
      guard state.items.update(id: id, change) else { throw TodoError.notFound(id) }
    }
    switch action {
    case .add(let id, let text):
      try check(text)
      try state.items.append(Item(id: id, text: text))
      (state.query, state.lastQuery) = ("", text)
    case .complete(let id): try update(id) { $0.done = true }
    case .reopen(let id): try update(id) { $0.done = false }
    case .rename(let id, let text):
      try check(text)
      try update(id) { $0.text = text }
    case .remove(let id):
      guard state.items.remove(id: id) != nil else { throw TodoError.notFound(id) }
    case .set(let query): state.query = query
    }
  }

  private static func check(_ text: String) throws {
    if text.allSatisfy(\.isWhitespace) { throw TodoError.emptyText }
  }
}

typealias TodoError = FeatureError<Todo>

extension TodoError {
  static var emptyText: Self { Self(.emptyText, "The text of an item is empty.") }
  static func notFound(_ id: Int) -> Self { Self(.notFound, "No item has the id \(id).") }
}

extension Todo {
  /// An item as services answer it: a text, or a text with a mark.
  private struct Fetched: Codable {
    enum CodingKeys: CodingKey {
      case text, done
    }

    let text: String
    var done = false

    init(_ text: String, done: Bool = false) { (self.text, self.done) = (text, done) }

    init(from decoder: any Decoder) throws {
      if let text = try? decoder.singleValueContainer().decode(String.self) {
        self.init(text)
      } else if let container = try? decoder.container(keyedBy: CodingKeys.self) {
        self.init(try container.decode(String.self, forKey: .text))
        done = try container.decodeIfPresent(Bool.self, forKey: .done) ?? false
      } else {
        throw DocumentError(decoder.codingPath, "expected text, or a table with a text")
      }
    }
  }

  package static func describe(_ module: FeatureModule<Todo>) {
    let records = module.records(\.items)
    module.function(
      "add", "text", help: "Adds an item first in the list, and returns it.",
      example: "local item = todo.add(\"milk\")"
    ) { (text: String) in try module.add(to: records) { .add(id: $0, text: text) } }
    module.action("complete", "id", help: "Marks an item.", example: "todo.complete(1)") {
      (id: Int) in .complete(id: id)
    }
    module.action("rename", "id", "text", help: "Renames.", example: "todo.rename(1, \"tea\")") {
      (id: Int, text: String) in .rename(id: id, text: text)
    }
    module.action("remove", "id", help: "Removes an item.", example: "todo.remove(1)") {
      (id: Int) in .remove(id: id)
    }
    module.function("filtered", help: "The found items.", example: "print(#todo.filtered())") {
      () in
      let query = module.state.query
      return module.state.items.filter { query.isEmpty || $0.text.contains(query) }
        .map { records[$0.id] }
    }
    module.request(
      fetch, "source", help: "Replaces the items by those of a JSON file, or the built-in ones.",
      example: "todo.fetch(\"todos.json\")"
    ) { (source: String?) in source }
  }
}
