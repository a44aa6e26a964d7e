public import StateStore

/// Why something can't be done with the counter.
public typealias CounterError = PlainError<Counter>

extension CounterError {
  static func overflow(count: Int) -> Self {
    Self(
      "overflow",
      "The count is \(count) and can't change by that much: it stays from \(Int.min) to \(Int.max)."
    )
  }

  static func outOfRange(count: Int) -> Self {
    Self(
      "out_of_range", "There is no \(count.ordinal) prime: set the count to 1 or more first.")
  }

  static var noModal: Self {
    Self("no_modal", "The prime card isn't open: ask whether the count is prime first.")
  }

  static func noButton(number: Int) -> Self {
    Self("no_button", "The card has no button, as \(number) is not prime.")
  }
}
