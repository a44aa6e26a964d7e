public import StateStore

/// Why something can't be done with the list of things to do.
public typealias TodoError = PlainError<Todo>

extension TodoError {
  static var emptyText: Self {
    Self("empty_text", "The text of an item is empty: say what there is to do.")
  }

  static func notFound(id: Int) -> Self {
    Self("not_found", "There is no item with the id \(id): it was removed, or never there.")
  }

  static var nothingSaved: Self {
    Self("nothing_saved", "No query is remembered yet: adding an item remembers its text.")
  }
}
