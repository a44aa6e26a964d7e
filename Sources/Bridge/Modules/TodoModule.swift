public import Domain
public import Lua

extension LuaModule {
  /// `todo`: the list of things to do.
  static func todo(store: Store, services: Services) -> LuaModule {
    let logic = TodoLogic(store: store, services: services)
    let module = LuaModule("todo", help: "Things to do: add, complete, search, fetch.")
    module.addItems(of: store, logic)
    module.addQuery(of: store, logic)
    module.addFetch(of: store, logic)
    return module
  }

  private func addItems(of store: Store, _ logic: TodoLogic) {
    let items = TodoItems(store: store)
    property(
      "items", help: "The items, newest first; each has id, text and done.",
      example: "print(#todo.items, todo.items[1].text)"
    ) { items }
    function(
      "add", "text",
      help: "Adds an item first in the list, clears the query, and returns the item.",
      example: "local item = todo.add(\"milk\")"
    ) { (text: String) in try logic.add(text) }
    function("complete", "id", help: "Marks an item as done.", example: "todo.complete(item.id)") {
      (id: Int) in try logic.complete(id)
    }
    function("reopen", "id", help: "Marks an item as not done.", example: "todo.reopen(item.id)") {
      (id: Int) in try logic.reopen(id)
    }
    function(
      "rename", "id", "text", help: "Changes an item's text.",
      example: "todo.rename(item.id, \"oat milk\")"
    ) { (id: Int, text: String) in try logic.rename(id, to: text) }
    function("remove", "id", help: "Removes an item.", example: "todo.remove(item.id)") {
      (id: Int) in try logic.remove(id)
    }
  }

  private func addQuery(of store: Store, _ logic: TodoLogic) {
    property(
      "query", help: "What filtered() looks for; assign it to set it.",
      example: "todo.query = \"milk\"",
      get: { store.state.todo.query }, set: { try logic.setQuery($0) })
    function(
      "filtered", help: "The items whose text contains the query, whatever the case.",
      example: "for _, item in ipairs(todo.filtered()) do print(item.text) end"
    ) { () in store.state.todo.filtered }
    function(
      "recover_last_query", help: "Sets the query to the text added last.",
      example: "todo.recover_last_query()"
    ) { () in try logic.recoverLastQuery() }
  }

  private func addFetch(of store: Store, _ logic: TodoLogic) {
    asyncFunction(
      "fetch", "source",
      help: "Replaces the items by those of the built-in source, or of a JSON file or URL.",
      example: "todo.fetch(\"todos.json\")"
    ) { (source: String?) in { try await logic.fetch(from: source) } }
    property("loading", help: "Whether items are awaited.", example: "print(todo.loading)") {
      store.state.todo.isLoading
    }
    property(
      "error", help: "Why the last fetch failed; or nil.", example: "print(todo.error)"
    ) { store.state.todo.error }
  }
}

/// `todo.items`: the items as they are at each access.
private final class TodoItems: LuaExposed {
  private let store: Store

  init(store: Store) { self.store = store }

  static var luaTypeName: String { "todo.items" }

  static func describe(_ members: LuaClass<TodoItems>) {
    members.sequence(
      count: { $0.store.state.todo.items.count }, element: { $0.store.state.todo.items[$1] })
  }
}

extension Todo.Item: LuaPushable {
  /// What signatures call it.
  public static var luaTypeName: String { "table" }

  /// Pushes a new table with its fields.
  public func push(to stack: LuaStack) throws(LuaError) {
    let record: LuaRecord = ["id": id, "text": text, "done": done]
    try record.push(to: stack)
  }
}

extension Todo.Action {
  /// The action as Lua text, for the history.
  var luaText: String {
    switch self {
    case .add(_, let text): "todo.add(\(text.luaLiteral))"
    case .complete(let id): "todo.complete(\(id.luaLiteral))"
    case .reopen(let id): "todo.reopen(\(id.luaLiteral))"
    case .rename(let id, let text): "todo.rename(\(id.luaLiteral), \(text.luaLiteral))"
    case .remove(let id): "todo.remove(\(id.luaLiteral))"
    case .set(let query): "todo.query = \(query.luaLiteral)"
    case .fetchRequested: "todo.fetch()"
    case .fetchSucceeded(_, let items): "todo.fetch() --> \(items.count) items"
    case .fetchFailed(_, let message): "todo.fetch() --> failed: \(message)"
    case .recoverLastQuery: "todo.recover_last_query()"
    }
  }
}
