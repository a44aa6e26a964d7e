package import StateStore

extension IdentifierKind {
  /// A thing to do.
  package static let todoItem = IdentifierKind("todo_item")
  /// A person.
  package static let person = IdentifierKind("person")
}
