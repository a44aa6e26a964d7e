import Lua
public import PrimereplDomain
public import Scripting

extension Todo: ScriptableFeature {
  /// The module's purpose.
  public static let help = "Todo items: add, complete, search, fetch."

  /// Only its requests use services.
  public static let functionsUseServices = false

  /// Adds the functions that change the items, search them and fetch them.
  public static func describe(_ module: FeatureModule<Todo>) {
    let (store, items) = (module.store, module.records(\.items))
    module.addEdits(of: items)
    module.function(
      "filtered", help: "The items whose text contains the query, ignoring case.",
      example: "for _, item in ipairs(todo.filtered()) do print(item.text) end"
    ) { () in store.state(of: Todo.self).filtered.map { items[$0.id] } }
    module.action(
      "recover_last_query", help: "Sets the query to the text added last.",
      example: "todo.recover_last_query()"
    ) { () in .recoverLastQuery }
    module.request(
      fetch, "source",
      help: "Replaces the items with those of the built-in source, or of a JSON file or URL.",
      example: "todo.fetch(\"todos.json\")"
    ) { (source: String?) in Source(source) }
  }
}

extension FeatureModule<Todo> {
  fileprivate func addEdits(of items: LiveRecords<Todo.Item>) {
    function(
      "add", "text",
      help: "Adds an item first in the list, clears the query, and returns the item.",
      example: "local item = todo.add(\"milk\")"
    ) { (text: String) in try self.add(to: items) { .add(id: $0, text: text) } }
    action("complete", "id", help: "Marks an item as done.", example: "todo.complete(item.id)") {
      (id: Int) in .complete(id: id)
    }
    action("reopen", "id", help: "Marks an item as not done.", example: "todo.reopen(item.id)") {
      (id: Int) in .reopen(id: id)
    }
    action(
      "rename", "id", "text", help: "Changes an item's text.",
      example: "todo.rename(item.id, \"oat milk\")"
    ) { (id: Int, text: String) in .rename(id: id, text: text) }
    action("remove", "id", help: "Removes an item.", example: "todo.remove(item.id)") {
      (id: Int) in .remove(id: id)
    }
  }
}

extension Todo.Item: ScriptableRecord {
  /// The type's name in scripts.
  public static var luaTypeName: String { "todo.item" }

  /// The record as `tostring` shows it.
  public var luaText: String { "todo.item \(id): \(text)\(done ? " (done)" : "")" }
}
