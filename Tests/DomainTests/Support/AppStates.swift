@testable import Domain
@testable import StateStore

/// The app's actions and states by the names of its features, as the tests have many of them.
extension StoreAction {
  static func counter(_ action: Counter.Action) -> Self { Self(action, of: Counter.self) }
  static func favorites(_ action: FavoritePrimes.Action) -> Self {
    Self(action, of: FavoritePrimes.self)
  }
  static func todo(_ action: Todo.Action) -> Self { Self(action, of: Todo.self) }
  static func landmarks(_ action: Landmarks.Action) -> Self { Self(action, of: Landmarks.self) }
  static func persons(_ action: Persons.Action) -> Self { Self(action, of: Persons.self) }
  static func signUp(_ action: SignUp.Action) -> Self { Self(action, of: SignUp.self) }

  private init<F: Feature>(_ action: F.Action, of feature: F.Type) {
    self.init(.feature(FeatureAction<F>(action), at: App.index(of: feature)))
  }
}

extension App {
  fileprivate static func index<F: Feature>(of feature: F.Type) -> Int {
    do {
      return try schema.index(of: feature)
    } catch {
      preconditionFailure(error.message)
    }
  }
}

extension States {
  init() { self = App.schema.initial }

  subscript<F: Feature>(feature: F.Type) -> F.State {
    get { state(of: feature, at: App.index(of: feature)) }
    set { update(feature, at: App.index(of: feature)) { $0 = newValue } }
  }

  var counter: Counter.State {
    get { self[Counter.self] }
    set { self[Counter.self] = newValue }
  }
  var favorites: FavoritePrimes.State {
    get { self[FavoritePrimes.self] }
    set { self[FavoritePrimes.self] = newValue }
  }
  var todo: Todo.State {
    get { self[Todo.self] }
    set { self[Todo.self] = newValue }
  }
  var landmarks: Landmarks.State {
    get { self[Landmarks.self] }
    set { self[Landmarks.self] = newValue }
  }
  var persons: Persons.State {
    get { self[Persons.self] }
    set { self[Persons.self] = newValue }
  }
  var signUp: SignUp.State {
    get { self[SignUp.self] }
    set { self[SignUp.self] = newValue }
  }

  var primeCard: PrimeCard? { counter.isModalOpen ? PrimeCard(of: counter, favorites) : nil }

  var snapshot: StateValue { App.schema.snapshot(of: self) }
}
