public import Lua
public import PrimereplDomain
public import Scripting
public import StateStore

extension Counter: ScriptableFeature {
  /// The module's purpose.
  public static let help = "A count, with facts about the number."

  /// Only its requests use services.
  public static let functionsUseServices = false

  /// Adds the count's facts, its prime card, and the request for the count-th prime.
  public static func describe(_ module: FeatureModule<Counter>) {
    module.addCount(of: module.store)
    module.addPrimeCard(of: module.store)
    module.addNthPrime(of: module.store)
  }
}

extension FeatureModule<Counter> {
  fileprivate func addCount(of store: Store) {
    property(
      "ordinal", help: "The count as an ordinal number.", example: "print(counter.ordinal) --> 17th"
    ) { store.state(of: Counter.self).ordinal }
    property(
      "is_prime", help: "Whether the count is prime.", example: "print(counter.is_prime) --> true"
    ) { store.state(of: Counter.self).isPrime }
    function(
      "increment", "by", help: "Adds 1, or an amount, to the count and returns it.",
      example: "counter.increment(10)"
    ) { (amount: Int?) in
      try store.send(.increment(by: amount ?? 1), to: Counter.self)
      return store.read(Counter.self) { $0.count }
    }
    function(
      "decrement", "by", help: "Subtracts 1, or an amount, from the count and returns it.",
      example: "counter.decrement()"
    ) { (amount: Int?) in
      try store.send(.decrement(by: amount ?? 1), to: Counter.self)
      return store.read(Counter.self) { $0.count }
    }
  }

  fileprivate func addPrimeCard(of store: Store) {
    function(
      "ask_is_prime", help: "Opens the card that says whether the count is prime, and returns it.",
      example: "print(counter.ask_is_prime().text) --> 17 is prime 🎉"
    ) { () in
      try store.send(.askIsPrime, to: Counter.self)
      return store.cardForCount
    }
    function(
      "press_modal_button", help: "Presses the card's button, and returns the card.",
      example: "counter.press_modal_button()"
    ) { () in
      try store.send(store.cardButtonAction, to: FavoritePrimes.self)
      return store.primeCard
    }
    function("dismiss_modal", help: "Closes the card.", example: "counter.dismiss_modal()") {
      () in
      if store.state(of: Counter.self).isModalOpen {
        try store.send(.dismissModal, to: Counter.self)
      }
    }
  }

  fileprivate func addNthPrime(of store: Store) {
    func dismissAlert() throws {
      if store.state(of: Counter.self).alert != nil {
        try store.send(.dismissAlert, to: Counter.self)
      }
    }
    request(
      Counter.askNthPrime, "options",
      help:
        "Asks for the count-th prime, shows it as an alert and returns it.",
      example: "print(counter.ask_nth_prime()) --> 59",
      question: { (options: NthPrimeOptions?) in
        // It will be refused, and a failure leaves no alert.
        if !store.state(of: Counter.self).hasNthPrime { try dismissAlert() }
        return NthPrimeQuestion(source: (options ?? NthPrimeOptions()).source)
      }, returning: \.prime)
    function("dismiss_alert", help: "Closes the alert.", example: "counter.dismiss_alert()") {
      () in try dismissAlert()
    }
  }
}

extension PrimeCard: LuaPushable {}

extension Counter {
  /// The code that repeats an action; nil where it follows from the module.
  public static func call(repeating action: Action, showing secret: (Secret) -> String) -> String? {
    switch action {
    case .increment(by: 1): "counter.increment()"
    case .decrement(by: 1): "counter.decrement()"
    default: nil
    }
  }
}

extension NthPrimeSource: LuaCodable {}

private struct NthPrimeOptions: LuaOptions {
  var source = NthPrimeSource.local

  static let options: [LuaOption<NthPrimeOptions>] = [
    .option("source", \.source, help: "The service that is asked; by default, local.")
  ]
}
