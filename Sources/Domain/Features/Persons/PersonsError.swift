public import StateStore

/// Why something can't be done with the list of persons.
public typealias PersonsError = PlainError<Persons>

extension PersonsError {
  static var emptyName: Self {
    Self("empty_name", "The name is empty: say what the person is called.")
  }

  static func ageOutOfRange(_ age: Int) -> Self {
    Self(
      "age_out_of_range",
      "The age \(age) is out of range: give one from \(Persons.ages.lowerBound) to "
        + "\(Persons.ages.upperBound).")
  }

  static func notFound(id: Int) -> Self {
    Self(
      "not_found", "There is no person with the id \(id): they were removed, or never there.")
  }
}
