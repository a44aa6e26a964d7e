package import Foundation
package import StateStore

/// The sample features, composed.
package enum Sample {
  package static let features: [any Feature.Type] = [
    Counter.self, Numbers.self, Notes.self, People.self, Account.self,
  ]

  /// The features and the field that depends on two of them.
  package static let schema: StoreSchema = {
    do throws(SchemaError) {
      return try StoreSchema(features: features, derived: [Card.field])
    } catch {
      preconditionFailure(error.message)
    }
  }()
}

/// The services of the sample features, whose answers a test gives.
package struct SampleServices: Sendable {
  package var number: @Sendable () async throws -> Int
  package var names: @Sendable (_ source: String) async throws -> [String]

  package init(
    number: @escaping @Sendable () async throws -> Int = { 7 },
    names: @escaping @Sendable (_ source: String) async throws -> [String] = { _ in [] }
  ) {
    (self.number, self.names) = (number, names)
  }
}

extension Store {
  package convenience init(
    states: States? = nil, historyLimit: Int = Store.defaultHistoryLimit, now: (() -> Date)? = nil
  ) {
    self.init(Sample.schema, states: states, historyLimit: historyLimit, now: now)
  }

  /// Sends actions, one after the other.
  package func send(
    _ first: StoreAction, _ second: StoreAction, _ others: StoreAction...
  ) throws {
    for action in [first, second] + others { try send(action) }
  }
}

extension Journal {
  /// Opens the session of the sample features, as another process would.
  package func openSession() throws -> JournaledSession {
    try JournaledSession(Sample.schema, in: self)
  }
}

extension JournaledSession {
  /// Sends actions, and saves what they change.
  package func save(doing first: StoreAction, _ others: StoreAction...) throws {
    for action in [first] + others { try store.send(action) }
    try save()
  }
}

extension StoreAction {
  package static func counter(_ action: Counter.Action) -> Self { Self(action, of: Counter.self) }
  package static func numbers(_ action: Numbers.Action) -> Self { Self(action, of: Numbers.self) }
  package static func notes(_ action: Notes.Action) -> Self { Self(action, of: Notes.self) }
  package static func people(_ action: People.Action) -> Self { Self(action, of: People.self) }
  package static func account(_ action: Account.Action) -> Self { Self(action, of: Account.self) }

  /// A step of the request with a number, without asking a service.
  package static func step<F, Question, Answer>(
    of request: Request<F, Question, Answer>, _ number: Int, _ phase: RequestPhase<Question, Answer>
  ) -> Self {
    do throws(SchemaError) {
      return try Sample.schema.action(phase, of: request, number: number)
    } catch {
      preconditionFailure(error.message)
    }
  }

  private init<F: Feature>(_ action: F.Action, of feature: F.Type) {
    do throws(SchemaError) {
      self = try Sample.schema.action(action, of: feature)
    } catch {
      preconditionFailure(error.message)
    }
  }
}
