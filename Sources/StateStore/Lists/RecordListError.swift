/// Why records can't be put in a list.
public enum RecordListError: CodedError, Equatable {
  /// There is, or would be, another record with that id.
  case duplicateIdentifier(String)
  /// A record is to get another id.
  case changedIdentifier(String)

  /// The stable word for the kind of error.
  public var code: String {
    switch self {
    case .duplicateIdentifier: "duplicate_id"
    case .changedIdentifier: "changed_id"
    }
  }

  /// What was wrong and what to do.
  public var message: String {
    switch self {
    case .duplicateIdentifier(let id):
      "There are two records with the id \(id): give each record an id of its own."
    case .changedIdentifier(let id):
      "The record with the id \(id) keeps its id: change its other parts only."
    }
  }
}
