internal import Domain
internal import StateStore
internal import Lua

extension LuaModule {
  /// `todo`: the list of things to do.
  static func todo(store: Store, services: Services) -> LuaModule {
    let logic = TodoLogic(store: store, services: services)
    let records = LiveRecords(binding: logic.binding)
    let module = LuaModule("todo", help: "Things to do: add, complete, search, fetch.")
    module.addItems(of: store, logic, records)
    module.addQuery(of: store, logic, records)
    module.addFetch(of: store, logic)
    return module
  }

  private func addItems(of store: Store, _ logic: TodoLogic, _ records: LiveRecords<Todo.Item>) {
    let items = LiveList(
      of: records, count: { store.state(of: Todo.self).count },
      id: { store.state(of: Todo.self).id(at: $0) })
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

  private func addQuery(of store: Store, _ logic: TodoLogic, _ records: LiveRecords<Todo.Item>) {
    property(
      "query", help: "What filtered() looks for; assign it to set it.",
      example: "todo.query = \"milk\"",
      get: { store.state(of: Todo.self).query }, set: { try logic.setQuery($0) })
    function(
      "filtered", help: "The items whose text contains the query, whatever the case.",
      example: "for _, item in ipairs(todo.filtered()) do print(item.text) end"
    ) { () in store.state(of: Todo.self).filtered.map { records[$0.id] } }
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
      store.state(of: Todo.self).isLoading
    }
    property(
      "error", help: "Why the last fetch failed; or nil.", example: "print(todo.error)"
    ) { store.state(of: Todo.self).error }
  }
}

extension Todo.Item: LiveRecordContent {
  static var luaTypeName: String { "todo.item" }
  static var luaListName: String { "todo.items" }

  static func describe(_ members: LuaClass<LiveRecord<Todo.Item>>) {
    members.field("id", help: "What the item is known by.", example: "item.id", get: \.id)
    members.field(
      "text", \.text, help: "What there is to do; assign it to rename the item.",
      example: "item.text = \"oat milk\"")
    members.field(
      "done", \.done, help: "Whether it is done; assign it to complete or reopen the item.",
      example: "item.done = true")
  }

  var luaText: String { "todo.item \(id): \(text)\(done ? " (done)" : "")" }
}

extension Todo.Action {
  /// The action as Lua text, for the history.
  var luaText: String {
    switch self {
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
