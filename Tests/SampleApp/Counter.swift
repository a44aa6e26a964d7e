import Lua
package import Scripting
package import StateStore

/// A count, with errors, a request, and a card that depends on another feature.
package enum Counter: ScriptableFeature {
  package struct State: Codable, Equatable, Sendable {
    package var count = 0
    package var isCardOpen = false
    package var alert: Alert?
  }

  package struct Alert: FieldRecord, Codable, Equatable {
    let title: String

    package static let fields: [RecordField<Alert>] = [.constant("title", \.title)]
  }

  package enum Action: Codable, Equatable, Sendable {
    case increment(by: Int)
    case set(count: Int)
    case askIsPrime
    case dismissModal
  }

  package static let name = "counter"
  package static let help = "A count, with facts about the number."
  package static var initial: State { State() }
  package enum ErrorCode: String, FeatureErrorCode { case overflow, outOfRange }
  package static let fields: [Field<Counter>] = [
    .value("count", \.count, help: "The count; assignable.") { .set(count: $0) },
    .request(askNthPrime, pending: "loading", error: nil), .value("alert", \.alert),
    .hidden(\.isCardOpen),
  ]

  /// The question for the prime whose number is the count.
  package struct PrimeQuestion: Codable, Equatable, Sendable {
    package enum Source: String, CaseIterable, LuaCodable, Sendable {
      case local, remote
    }

    let source: Source?

    package init(source: Source? = nil) { self.source = source }
  }

  package static let askNthPrime = Request<Counter, PrimeQuestion, Int>(
    "ask_nth_prime", isLocal: { $0.source != .remote }, isLatest: true,
    ask: { context in try Primes.nth(context.state.count) },
    asked: { state, _ in
      guard state.count >= 1 else { throw CounterError.outOfRange(state.count) }
      state.alert = nil
    },
    done: { state, prime in state.alert = Alert(title: "The answer is \(prime)") })

  package static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .increment(let amount):
      let (count, isTooLarge) = state.count.addingReportingOverflow(amount)
      guard !isTooLarge else { throw CounterError.overflow(state.count) }
      state.count = count
    case .set(let count): state.count = count
    case .askIsPrime: state.isCardOpen = true
    case .dismissModal: state.isCardOpen = false
    }
  }

  package static func call(repeating action: Action, showing secret: (Secret) -> String) -> String?
  {
    action == .increment(by: 1) ? "counter.increment()" : nil
  }
}

typealias CounterError = FeatureError<Counter>

extension CounterError {
  static func overflow(_ count: Int) -> Self {
    Self(.overflow, "The count is \(count) and can't change by that much.")
  }

  static func outOfRange(_ count: Int) -> Self {
    Self(.outOfRange, "There is no prime number \(count): set the count to 1 or more first.")
  }
}

/// The open card, which follows the count and the favorites.
package struct PrimeCard: FieldRecord, LuaPushable {
  let number: Int
  let isFavorite: Bool

  var text: String { Primes.isPrime(number) ? "\(number) is prime 🎉" : "\(number) is not prime :(" }

  package static let fields: [RecordField<PrimeCard>] = [
    .constant("number", \.number), .derived("text", \.text),
    .constant("is_favorite", \.isFavorite),
  ]

  package init(fromDocument decoder: any Decoder) throws {
    throw DocumentError(decoder.codingPath, "the card follows from the count and the favorites")
  }

  init(of counter: Counter.State, _ favorites: Favorites.State) {
    number = counter.count
    isFavorite = favorites.numbers.contains(id: number)
  }

  package static let field = DerivedField(
    "counter.modal", of: Counter.self, Favorites.self,
    reading: { $0.isCardOpen ? PrimeCard(of: $0, $1) : nil }
  )
  .restoring(Counter.self) { counter, _ in counter.isCardOpen = true }
}

extension Counter {
  package static func describe(_ module: FeatureModule<Counter>) {
    let store = module.store
    module.function(
      "increment", "by", help: "Adds 1, or an amount, to the count and returns it.",
      example: "counter.increment(10)"
    ) { (amount: Int?) in
      try module.send(.increment(by: amount ?? 1))
      return module.state.count
    }
    func card() -> PrimeCard { PrimeCard(of: module.state, store.state(of: Favorites.self)) }
    module.function(
      "ask_is_prime", help: "Opens the card, and returns it.",
      example: "print(counter.ask_is_prime().text)"
    ) { () in
      try module.send(.askIsPrime)
      return card()
    }
    module.action("dismiss_modal", help: "Closes it.", example: "counter.dismiss_modal()") {
      () in .dismissModal
    }
    module.request(
      askNthPrime, "options", help: "Asks for the count-th prime, and returns it.",
      example: "print(counter.ask_nth_prime())",
      question: { (options: PrimeOptions?) in PrimeQuestion(source: options?.source) },
      returning: { $0 })
  }
}

/// A table argument with a choice of names.
private struct PrimeOptions: LuaOptions {
  var source: Counter.PrimeQuestion.Source?

  static let options: [LuaOption<PrimeOptions>] = [
    .option("source", \.source, help: "The service that is asked.")
  ]
}
