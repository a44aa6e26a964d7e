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
    /// Whether the prime card is open; its content is ``PrimeCard``.
    public internal(set) var isModalOpen = false
    /// The alert that is shown, or nil.
    public internal(set) var alert: Alert?

    /// The count as an ordinal, such as "17th".
    public var ordinal: String { count.ordinal }

    /// Whether the count is prime.
    public var isPrime: Bool { Primality.isPrime(count) }

    /// Whether a prime has the count as its ordinal.
    public var hasNthPrime: Bool { count >= 1 }
  }

  /// A message that stays until it is dismissed.
  public struct Alert: Codable, Equatable, Sendable, FieldRecord {
    /// The alert's text.
    public let title: String

    /// The title.
    public static let fields: [RecordField<Alert>] = [
      .constant("title", \.title, help: "The alert's text.")
    ]
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

  /// Asks for the prime whose ordinal is the count, and shows it in an alert.
  public static let askNthPrime = Request<Counter, NthPrimeQuestion, NthPrime>(
    "ask_nth_prime",
    // The other source has stubs of its own.
    isLocal: { _ in true }, isLatest: true,
    ask: { context in
      let function =
        switch context.question.source {
        case .local: PrimereplDomain.Services.nthPrime
        case .wolfram: PrimereplDomain.Services.nthWolframPrime
        }
      return try await context.answer(of: function, context.state.count)
    },
    answer: { prime, context, _ in NthPrime(ordinal: context.state.count, prime: prime) },
    reply: \.prime,
    asked: { state, _ in
      guard state.hasNthPrime else { throw CounterError.outOfRange(count: state.count) }
      state.alert = nil
    },
    done: { state, answer in
      state.alert = Alert(title: "The \(answer.ordinal.ordinal) prime is \(answer.prime)")
    })

  /// All parts of the state.
  public static let fields: [Field<Counter>] = [
    .value("count", \.count, help: "The count; assignable.") { .set(count: $0) },
    .request(askNthPrime, pending: "loading", error: nil),
    .value("alert", \.alert, help: "The alert that is shown, with its title; or nil.")
      .showing("title"),
    // The card's field, which depends on the favorites, too, shows and restores it.
    .hidden(\.isModalOpen),
  ]
}

/// The question for the prime whose ordinal is the count.
public struct NthPrimeQuestion: Codable, Equatable, Sendable {
  /// The source to ask.
  public let source: NthPrimeSource

  /// Makes a question to a source.
  public init(source: NthPrimeSource = .local) { self.source = source }
}

/// A prime with its ordinal.
public struct NthPrime: Codable, Equatable, Sendable {
  let ordinal: Int
  /// The prime.
  public let prime: Int
}

/// The sources of the nth prime.
public enum NthPrimeSource: String, CaseIterable, Codable, Sendable {
  /// The prime counting library on this machine.
  case local
  /// Wolfram|Alpha.
  case wolfram
}

extension Counter {
  /// The services that the request asks.
  public typealias Services = PrimereplDomain.Services

  /// The codes of its errors.
  public enum ErrorCode: String, FeatureErrorCode {
    case overflow, noModal, noButton, outOfRange
  }
}

/// Why something can't be done with the counter.
public typealias CounterError = FeatureError<Counter>

extension CounterError {
  static func overflow(count: Int) -> Self {
    Self(
      .overflow,
      "The count is \(count) and can't change by that much: it stays from \(Int.min) to \(Int.max)."
    )
  }

  static func outOfRange(count: Int) -> Self {
    Self(
      .outOfRange, "There is no \(count.ordinal) prime: set the count to 1 or more first.")
  }

  static var noModal: Self {
    Self(.noModal, "The prime card isn't open: ask whether the count is prime first.")
  }

  static func noButton(number: Int) -> Self {
    Self(.noButton, "The card has no button, as \(number) is not prime.")
  }
}
