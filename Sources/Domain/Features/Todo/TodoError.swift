public import StateStore
/// Why something can't be done with the list of things to do.
public enum TodoError: CodedError, Equatable {
  /// A text has nothing but white space.
  case emptyText
  /// No item has that id.
  case notFound(id: Int)
  /// No query has been remembered yet.
  case nothingSaved

  /// The stable word for the kind of error.
  public var code: String {
    switch self {
    case .emptyText: "empty_text"
    case .notFound: "not_found"
    case .nothingSaved: "nothing_saved"
    }
  }

  /// What was wrong and what to do.
  public var message: String {
    switch self {
    case .emptyText:
      "The text of an item is empty: say what there is to do."
    case .notFound(let id):
      "There is no item with the id \(id): it was removed, or never there."
    case .nothingSaved:
      "No query is remembered yet: adding an item remembers its text."
    }
  }
}
