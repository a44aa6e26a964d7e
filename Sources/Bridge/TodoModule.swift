public import Domain
public import Scripting
internal import StateStore
public import Lua

extension Todo: ScriptableFeature {
  /// What the module is for.
  public static let help = "Todo items: add, complete, search, fetch."

  /// The codes of its errors.
  public static let errorCodes = [
    "empty_text", "not_found", "nothing_saved",
  ]

  /// The classes of the module's records and lists.
  public static var objectTypes: [any LuaExposed.Type] {
    [LiveRecord<Item>.self, LiveList<Item>.self]
  }

  /// The function that asks a service.
  public static var stubbable: [String] { ["fetch"] }

  /// Adds the items, the query, and the functions that change them.
  public static func describe(_ module: FeatureModule<Todo>) {
    let logic = TodoLogic(store: module.store, services: App.services(module.services))
    let records = module.records(
      \.items, missing: TodoError.notFound,
      assigning: .assign(\.text) { .rename(id: $0, text: $1) },
      .assign(\.done) { $1 ? .complete(id: $0) : .reopen(id: $0) })
    module.addItems(of: module.store, logic, records)
    module.addQuery(of: module.store, logic, records)
    module.addFetch(of: module.store, logic)
  }
}

extension FeatureModule<Todo> {
  fileprivate func addItems(of store: Store, _ logic: TodoLogic, _ records: LiveRecords<Todo.Item>)
  {
    let items = LiveList(records)
    property(
      "items", help: "The items, newest first; each has id, and text and done to assign.",
      example: "print(#todo.items, todo.items[1].text)"
    ) { items }
    function(
      "add", "text",
      help: "Adds an item first in the list, clears the query, and returns the item.",
      example: "local item = todo.add(\"milk\")"
    ) { (text: String) in records[try logic.add(text).id] }
    function("complete", "id", help: "Marks an item as done.", example: "todo.complete(item.id)") {
      (id: Int) in try store.send(.complete(id: id), to: Todo.self)
    }
    function("reopen", "id", help: "Marks an item as not done.", example: "todo.reopen(item.id)") {
      (id: Int) in try store.send(.reopen(id: id), to: Todo.self)
    }
    function(
      "rename", "id", "text", help: "Changes an item's text.",
      example: "todo.rename(item.id, \"oat milk\")"
    ) { (id: Int, text: String) in try store.send(.rename(id: id, text: text), to: Todo.self) }
    function("remove", "id", help: "Removes an item.", example: "todo.remove(item.id)") {
      (id: Int) in try store.send(.remove(id: id), to: Todo.self)
    }
  }

  fileprivate func addQuery(of store: Store, _ logic: TodoLogic, _ records: LiveRecords<Todo.Item>)
  {
    property(
      "query", help: "The text that filtered() searches for; assignable.",
      example: "todo.query = \"milk\"",
      get: { store.state(of: Todo.self).query },
      set: { try store.send(.set(query: $0), to: Todo.self) })
    function(
      "filtered", help: "The items whose text contains the query, ignoring case.",
      example: "for _, item in ipairs(todo.filtered()) do print(item.text) end"
    ) { () in store.state(of: Todo.self).filtered.map { records[$0.id] } }
    function(
      "recover_last_query", help: "Sets the query to the text added last.",
      example: "todo.recover_last_query()"
    ) { () in try store.send(.recoverLastQuery, to: Todo.self) }
  }

  fileprivate func addFetch(of store: Store, _ logic: TodoLogic) {
    asyncFunction(
      "fetch", "source",
      help: "Replaces the items with those of the built-in source, or of a JSON file or URL.",
      example: "todo.fetch(\"todos.json\")"
    ) { (source: String?) in { try await logic.fetch(from: source) } }
    property("loading", help: "Whether a fetch is pending.", example: "print(todo.loading)") {
      store.state(of: Todo.self).isLoading
    }
    property(
      "error", help: "Why the last fetch failed; or nil.", example: "print(todo.error)"
    ) { store.state(of: Todo.self).error }
  }
}

extension Todo.Item: ScriptableRecord {
  /// The type's name in scripts.
  public static var luaTypeName: String { "todo.item" }
  /// The list's name in scripts.
  public static var luaListName: String { "todo.items" }

  /// The record as `tostring` shows it.
  public var luaText: String { "todo.item \(id): \(text)\(done ? " (done)" : "")" }
}

extension Todo {
  /// How a recorded scenario repeats an action; the source of fetched items gives no ids.
  public static func replay(of action: Action, _ secrets: SecretPlaceholders) -> ActionReplay {
    guard case .fetchSucceeded(let request, let items) = action else {
      return encodedReplay(of: action)
    }
    return .answer(
      request, .list(items.map { ["text": .text($0.text), "done": .boolean($0.done)] }))
  }

  /// An action as Lua text.
  public static func luaText(of action: Action) -> String {
    switch action {
    case .add(_, let text): "todo.add(\(text.luaLiteral))"
    case .complete(let id): "todo.complete(\(id.luaLiteral))"
    case .reopen(let id): "todo.reopen(\(id.luaLiteral))"
    case .rename(let id, let text): "todo.rename(\(id.luaLiteral), \(text.luaLiteral))"
    case .edit(let id, let text, let done):
      [
        text.map { "todo.rename(\(id.luaLiteral), \($0.luaLiteral))" },
        done.map { "todo.\($0 ? "complete" : "reopen")(\(id.luaLiteral))" },
      ].compactMap(\.self).joined(separator: "; ")
    case .remove(let id): "todo.remove(\(id.luaLiteral))"
    case .set(let query): "todo.query = \(query.luaLiteral)"
    case .fetchRequested(_, let source): "todo.fetch(\(source?.luaLiteral ?? ""))"
    case .fetchSucceeded(_, let items):
      "todo.fetch() --> \(items.count) \(items.count == 1 ? "item" : "items")"
    case .fetchFailed(_, let message): "todo.fetch() --> failed: \(message.onOneLine)"
    case .recoverLastQuery: "todo.recover_last_query()"
    }
  }
}
