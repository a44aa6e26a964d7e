public import Domain
public import Lua
public import Scripting
import StateStore

extension Counter: ScriptableFeature {
  /// What the module is for.
  public static let help = "A count, with facts about the number."

  /// The codes of its errors.
  public static let errorCodes = [
    "overflow", "no_modal", "no_button", "out_of_range",
  ]

  /// The function that asks a service.
  public static var stubbable: [String] { ["ask_nth_prime"] }

  /// Adds the count, its prime card, and the request for the count-th prime.
  public static func describe(_ module: FeatureModule<Counter>) {
    let logic = CounterLogic(store: module.store, services: App.services(module.services))
    module.addCount(of: module.store, logic)
    module.addPrimeCard(of: module.store, logic)
    module.addNthPrime(of: module.store, logic)
  }
}

extension FeatureModule<Counter> {
  fileprivate func addCount(of store: Store, _ logic: CounterLogic) {
    property(
      "count", help: "The count; assignable.", example: "counter.count = 17",
      get: { store.read(Counter.self) { $0.count } },
      set: { try store.send(.set(count: $0), to: Counter.self) })
    property(
      "ordinal", help: "The count as an ordinal number.", example: "print(counter.ordinal) --> 17th"
    ) { store.state(of: Counter.self).ordinal }
    property(
      "is_prime", help: "Whether the count is prime.", example: "print(counter.is_prime) --> true"
    ) { store.state(of: Counter.self).isPrime }
    function(
      "increment", "by", help: "Adds 1, or an amount, to the count and returns it.",
      example: "counter.increment(10)"
    ) { (amount: Int?) in try logic.increment(by: amount ?? 1) }
    function(
      "decrement", "by", help: "Subtracts 1, or an amount, from the count and returns it.",
      example: "counter.decrement()"
    ) { (amount: Int?) in try logic.decrement(by: amount ?? 1) }
  }

  fileprivate func addPrimeCard(of store: Store, _ logic: CounterLogic) {
    function(
      "ask_is_prime", help: "Opens the card that says whether the count is prime, and returns it.",
      example: "print(counter.ask_is_prime().text) --> 17 is prime 🎉"
    ) { () in try logic.askIsPrime() }
    property(
      "modal", help: "The open card: number, is_prime, text, is_favorite, button; or nil.",
      example: "print(counter.modal.button)"
    ) { store.primeCard }
    function(
      "press_modal_button", help: "Presses the card's button, and returns the card.",
      example: "counter.press_modal_button()"
    ) { () in try logic.pressModalButton() }
    function("dismiss_modal", help: "Closes the card.", example: "counter.dismiss_modal()") {
      () in try logic.dismissModal()
    }
  }

  fileprivate func addNthPrime(of store: Store, _ logic: CounterLogic) {
    asyncFunction(
      "ask_nth_prime", "options",
      help:
        "Asks for the count-th prime, shows it as an alert and returns it; {source=\"wolfram\"} asks Wolfram|Alpha.",
      example: "print(counter.ask_nth_prime()) --> 59"
    ) { (options: NthPrimeOptions?) in
      { try await logic.askNthPrime(from: options?.source ?? .local) }
    }
    property(
      "loading", help: "Whether a request is pending.", example: "print(counter.loading)"
    ) { store.state(of: Counter.self).isLoading }
    property(
      "alert", help: "The alert that is shown, with its title; or nil.",
      example: "print(counter.alert.title) --> The 17th prime is 59"
    ) { store.state(of: Counter.self).alert }
    function("dismiss_alert", help: "Closes the alert.", example: "counter.dismiss_alert()") {
      () in try logic.dismissAlert()
    }
  }
}

extension PrimeCard: LuaPushable {}

extension Counter.Alert: LuaPushable {}

extension Counter {
  /// How a recorded scenario repeats an action.
  public static func replay(of action: Action, _ secrets: SecretPlaceholders) -> ActionReplay {
    guard case .nthPrimeSucceeded(let request, _, let prime) = action else {
      return encodedReplay(of: action)
    }
    return .answer(request, .integer(prime))
  }

  /// An action as Lua text.
  public static func luaText(of action: Action) -> String {
    switch action {
    case .increment(by: 1): "counter.increment()"
    case .increment(let amount): "counter.increment(\(amount.luaLiteral))"
    case .decrement(by: 1): "counter.decrement()"
    case .decrement(let amount): "counter.decrement(\(amount.luaLiteral))"
    case .set(let count): "counter.count = \(count.luaLiteral)"
    case .askIsPrime: "counter.ask_is_prime()"
    case .dismissModal: "counter.dismiss_modal()"
    case .nthPrimeRequested(_, .local): "counter.ask_nth_prime()"
    case .nthPrimeRequested(_, let source): "counter.ask_nth_prime({source = \"\(source)\"})"
    case .nthPrimeSucceeded(_, _, let prime): "counter.ask_nth_prime() --> \(prime)"
    case .nthPrimeFailed: "counter.ask_nth_prime() --> failed"
    case .dismissAlert: "counter.dismiss_alert()"
    }
  }
}

/// The options of `counter.ask_nth_prime`: `{source="local"}` or `{source="wolfram"}`.
struct NthPrimeOptions: LuaReadable {
  let source: NthPrimeSource?

  static var luaTypeName: String { "{source=\"local\"|\"wolfram\"}" }

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    guard !stack.isModule(at: index) else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    let entries: [(key: LuaValue, value: LuaValue)]
    do {
      entries = try LuaTable.read(from: stack, at: index).entries()
    } catch let error as LuaTypeMismatch {
      throw LuaTypeMismatch(expected: luaTypeName, got: error.got)
    } catch {
      throw LuaTypeMismatch(expected: luaTypeName, got: "\(error)")
    }
    var source: NthPrimeSource?
    for (key, value) in entries {
      guard key == .string("source") else {
        throw LuaTypeMismatch(expected: luaTypeName, got: "the option \(key.literal)")
      }
      guard case .string(let name) = value, let named = NthPrimeSource(named: "\(name)") else {
        throw LuaTypeMismatch(expected: luaTypeName, got: "source=\(value.literal)")
      }
      source = named
    }
    return NthPrimeOptions(source: source)
  }
}

extension LuaValue {
  /// The value as messages show it.
  fileprivate var literal: String {
    switch self {
    case .nil: "nil"
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): "\"\(value.shown)\""
    case .table: "a table"
    case .function: "a function"
    case .userdata: "an object"
    case .coroutine: "a coroutine"
    }
  }
}
