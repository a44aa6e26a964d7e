@testable import PrimereplDomain
@testable import StateStore

/// The app's features, side by side.
enum App {
  static let schema: StoreSchema = {
    let features: [any Feature.Type] = [
      Counter.self, FavoritePrimes.self, Todo.self, Landmarks.self, Persons.self, SignUp.self,
    ]
    do throws(SchemaError) {
      return try StoreSchema(features: features, derived: [PrimeCard.field])
    } catch {
      preconditionFailure(error.message)
    }
  }()

  static let program = Program("primerepl", fileIdentifier: 0x7072_696D)
}

extension Store {
  /// Makes a store of the app in its initial state.
  convenience init() { self.init(App.schema) }
}

/// The app's actions and states by the names of its features.
extension StoreAction {
  static func counter(_ action: Counter.Action) -> Self { Self(action, of: Counter.self) }
  static func favorites(_ action: FavoritePrimes.Action) -> Self {
    Self(action, of: FavoritePrimes.self)
  }
  static func todo(_ action: Todo.Action) -> Self { Self(action, of: Todo.self) }
  static func landmarks(_ action: Landmarks.Action) -> Self { Self(action, of: Landmarks.self) }
  static func persons(_ action: Persons.Action) -> Self { Self(action, of: Persons.self) }
  static func signUp(_ action: SignUp.Action) -> Self { Self(action, of: SignUp.self) }

  /// The action that asks a request's question.
  static func asked<F, Question, Answer>(
    _ request: Request<F, Question, Answer>, _ question: Question, number: Int
  ) -> Self {
    Self(request, number, .asked(question))
  }

  /// The action that answers a request's question.
  static func answered<F, Question, Answer>(
    _ request: Request<F, Question, Answer>, _ answer: Answer, number: Int
  ) -> Self {
    Self(request, number, .answered(answer))
  }

  /// The action that a request's question has no answer.
  static func failed<F, Question, Answer>(
    _ request: Request<F, Question, Answer>, _ message: String, number: Int
  ) -> Self {
    Self(request, number, .failed(message: message))
  }

  private init<F, Question, Answer>(
    _ request: Request<F, Question, Answer>, _ number: Int, _ phase: RequestPhase<Question, Answer>
  ) {
    self.init(
      .feature(RequestEvent(request.handler, number: number, phase), at: App.index(of: F.self)))
  }

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

  /// Why the latest request failed, or nil.
  func error<F, Question, Answer>(of request: Request<F, Question, Answer>) -> String? {
    slots[App.index(of: F.self)].requests[request.name]?.error
  }

  /// Removes that requests are pending, which documents don't have.
  mutating func removePendingRequests() {
    for index in slots.indices {
      makeUnique(index)
      for (name, request) in slots[index].requests {
        slots[index].setRequest(name, to: RequestState(error: request.error))
      }
    }
  }

  /// Removes why a request failed, which documents don't have if no field shows it.
  mutating func removeError<F, Question, Answer>(of request: Request<F, Question, Answer>) {
    let index = App.index(of: F.self)
    makeUnique(index)
    slots[index].setRequest(request.name, to: .initial)
  }

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
