public import StateStore
/// Why something can't be done with the list of persons.
public enum PersonsError: CodedError, Equatable {
  /// A name has nothing but white space.
  case emptyName
  /// An age is none of `Persons.ages`.
  case ageOutOfRange(Int)
  /// No person has that id.
  case notFound(id: Int)

  /// The stable word for the kind of error.
  public var code: String {
    switch self {
    case .emptyName: "empty_name"
    case .ageOutOfRange: "age_out_of_range"
    case .notFound: "not_found"
    }
  }

  /// What was wrong and what to do.
  public var message: String {
    switch self {
    case .emptyName:
      "The name is empty: say what the person is called."
    case .ageOutOfRange(let age):
      "The age \(age) is out of range: give one from \(Persons.ages.lowerBound) to "
        + "\(Persons.ages.upperBound)."
    case .notFound(let id):
      "There is no person with the id \(id): they were removed, or never there."
    }
  }
}
