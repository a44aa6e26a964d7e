public import StateStore

/// The counter, with its prime card and its question for the nth prime.
public enum Counter: Feature {
  /// "counter".
  public static let name = "counter"

  /// A count of 0.
  public static var initial: State { State() }

  /// The state of the counter.
  public struct State: Codable, Equatable, Sendable {
    /// The count.
    public internal(set) var count = 0
    /// Whether the prime card is open; what it shows is ``PrimeCard``.
    public internal(set) var isModalOpen = false
    /// The alert that is shown, or nil.
    public internal(set) var alert: Alert?
    /// The latest unanswered request for the nth prime; answers to others are ignored.
    public internal(set) var pendingRequest: Int?

    /// Whether an answer is awaited.
    public var isLoading: Bool { pendingRequest != nil }

    /// The count as an ordinal, such as "17th".
    public var ordinal: String { count.ordinal }

    /// Whether the count is prime.
    public var isPrime: Bool { Primality.isPrime(count) }
  }

  /// A message that stays until it is dismissed.
  public struct Alert: Codable, Equatable, Sendable, FieldRecord {
    /// What the alert says.
    public let title: String

    /// The title.
    public static let fields: [RecordField<Alert>] = [.constant("title", \.title)]
  }

  /// Everything that can happen to the counter.
  public enum Action: Codable, Equatable, Sendable {
    /// The count goes up.
    case increment(by: Int)
    /// The count goes down.
    case decrement(by: Int)
    /// The count is set.
    case set(count: Int)
    /// The prime card opens.
    case askIsPrime
    /// The prime card closes.
    case dismissModal
    /// The count-th prime is requested.
    case nthPrimeRequested(request: Int, source: NthPrimeSource = .local)
    /// The answer came: the prime with that ordinal.
    case nthPrimeSucceeded(request: Int, ordinal: Int, prime: Int)
    /// No answer came.
    case nthPrimeFailed(request: Int)
    /// The alert is dismissed.
    case dismissAlert
  }

  /// Applies an action to the counter.
  ///
  /// - Throws: `CounterError`; the state is then unchanged.
  public static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .increment(let amount):
      state.count = try checked(state.count.addingReportingOverflow(amount), from: state.count)
    case .decrement(let amount):
      state.count = try checked(state.count.subtractingReportingOverflow(amount), from: state.count)
    case .set(let count):
      state.count = count
    case .askIsPrime:
      state.isModalOpen = true
    case .dismissModal:
      state.isModalOpen = false
    case .nthPrimeRequested(let request, _):
      guard state.count >= 1 else { throw CounterError.outOfRange(count: state.count) }
      state.pendingRequest = request
      state.alert = nil
    case .nthPrimeSucceeded(let request, let ordinal, let prime):
      guard request == state.pendingRequest else { return }
      state.pendingRequest = nil
      state.alert = Alert(title: "The \(ordinal.ordinal) prime is \(prime)")
    case .nthPrimeFailed(let request):
      guard request == state.pendingRequest else { return }
      state.pendingRequest = nil
    case .dismissAlert:
      state.alert = nil
    }
  }

  private static func checked(
    _ result: (partialValue: Int, overflow: Bool), from count: Int
  ) throws -> Int {
    guard !result.overflow else { throw CounterError.overflow(count: count) }
    return result.partialValue
  }

  /// Fails a request whose process ended before the answer came.
  public static func recovery(of state: State) -> Action? {
    state.pendingRequest.map { .nthPrimeFailed(request: $0) }
  }

  /// The count, whether an answer is awaited, and the alert.
  public static let fields: [Field<Counter>] = [
    .value("count", \.count),
    .awaiting("loading", \.pendingRequest),
    .value("alert", \.alert).showing("title"),
    // The card's field, which depends on the favorites, too, shows and restores it.
    .hidden(\.isModalOpen),
  ]
}

/// The sources of the nth prime.
public enum NthPrimeSource: String, CaseIterable, Codable, Sendable {
  /// The prime counting library on this machine.
  case local
  /// Wolfram|Alpha.
  case wolfram
}

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
