public import StateStore
/// Why something can't be done with the list of landmarks.
public enum LandmarksError: CodedError, Equatable {
  /// No landmark has that id.
  case notFound(id: Int)

  /// The stable word for the kind of error.
  public var code: String {
    switch self {
    case .notFound: "not_found"
    }
  }

  /// What was wrong and what to do.
  public var message: String {
    switch self {
    case .notFound(let id):
      "There is no landmark with the id \(id): take the id of one that is loaded."
    }
  }
}
