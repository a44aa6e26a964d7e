/// Why records can't be put in a list.
public typealias RecordListError = PlainError<any Record>

extension RecordListError {
  @usableFromInline static func duplicateIdentifier(_ id: String) -> Self {
    Self(
      "duplicate_id", "There are two records with the id \(id): give each record an id of its own.")
  }

  @usableFromInline static func changedIdentifier(_ id: String) -> Self {
    Self("changed_id", "The record with the id \(id) keeps its id: change its other parts only.")
  }
}
