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

/// The app's actions by the names of its features.
extension StoreAction {
  static func counter(_ action: Counter.Action) -> Self { Self(action, of: Counter.self) }
  static func favorites(_ action: FavoritePrimes.Action) -> Self {
    Self(action, of: FavoritePrimes.self)
  }
  static func todo(_ action: Todo.Action) -> Self { Self(action, of: Todo.self) }
  static func persons(_ action: Persons.Action) -> Self { Self(action, of: Persons.self) }

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
  subscript<F: Feature>(feature: F.Type) -> F.State {
    get { state(of: feature, at: App.index(of: feature)) }
    set { update(feature, at: App.index(of: feature)) { $0 = newValue } }
  }
}
