public import StateStore
/// Why something can't be done with the counter.
public enum CounterError: CodedError, Equatable {
  /// The new count would be outside what an `Int` holds.
  case overflow(count: Int)
  /// There is no prime of that ordinal.
  case outOfRange(count: Int)
  /// The prime card isn't open.
  case noModal
  /// The prime card has no button, as its number isn't prime.
  case noButton(number: Int)

  /// The stable word for the kind of error.
  public var code: String {
    switch self {
    case .overflow: "overflow"
    case .outOfRange: "out_of_range"
    case .noModal: "no_modal"
    case .noButton: "no_button"
    }
  }

  /// What was wrong and what to do.
  public var message: String {
    switch self {
    case .overflow(let count):
      "The count is \(count) and can't change by that much: it stays from \(Int.min) to \(Int.max)."
    case .outOfRange(let count):
      "There is no \(count.ordinal) prime: set the count to 1 or more first."
    case .noModal:
      "The prime card isn't open: ask whether the count is prime first."
    case .noButton(let number):
      "The card has no button, as \(number) is not prime."
    }
  }
}
