/// Why the store can't be used as asked.
public enum StoreError: DomainError, Equatable {
  /// No field is at or under the path.
  case unknownPath(String, known: [String])

  /// The stable word for the kind of error.
  public var code: String {
    switch self {
    case .unknownPath: "unknown_path"
    }
  }

  /// What was wrong and what to do.
  public var message: String {
    switch self {
    case .unknownPath(let path, let known):
      "Nothing of the state is at \"\(path)\": observe one of \(known.joined(separator: ", "))."
    }
  }
}
