/// Why records can't be put in a list.
public enum RecordListError: DomainError, Equatable {
  /// There is, or would be, another record with that id.
  case duplicateIdentifier(String)

  /// The stable word for the kind of error.
  public var code: String {
    switch self {
    case .duplicateIdentifier: "duplicate_id"
    }
  }

  /// What was wrong and what to do.
  public var message: String {
    switch self {
    case .duplicateIdentifier(let id):
      "There are two records with the id \(id): give each record an id of its own."
    }
  }
}
