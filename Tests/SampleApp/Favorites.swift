package import Scripting
package import StateStore

/// A list of numbers that is the module itself for scripts.
package enum Favorites: ScriptableFeature {
  package struct Number: Record {
    package static let valueType = ValueType.integer
    package let id: Int

    package var stateValue: StateValue { .integer(id) }

    package init(_ id: Int) { self.id = id }
    package init(from decoder: any Decoder) throws { id = try Int(from: decoder) }
    package func encode(to encoder: any Encoder) throws { try id.encode(to: encoder) }

    package func validate() throws {
      guard Primes.isPrime(id) else { throw FavoritesError.notPrime(id) }
    }
  }

  package struct State: Codable, Equatable, Sendable {
    package var numbers = RecordList<Number>()
  }

  package enum Action: Codable, Equatable, Sendable {
    case add(number: Int)
    case remove(number: Int)
    case clear
  }

  package static let name = "favorites"
  package static let help = "The favorite primes, in the order they were added."
  package static var initial: State { State() }
  package enum ErrorCode: String, FeatureErrorCode { case notPrime }
  package static let fields: [Field<Favorites>] = [.list("", \.numbers)]

  package static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let number):
      try Number(number).validate()
      if !state.numbers.contains(id: number) { try state.numbers.append(Number(number)) }
    case .remove(let number): state.numbers.remove(id: number)
    case .clear: state.numbers.removeAll()
    }
  }

  package static func describe(_ module: FeatureModule<Favorites>) {
    module.action("add", "n", help: "Adds a prime.", example: "favorites.add(7)") {
      (number: Int) in .add(number: number)
    }
    module.action("remove", "n", help: "Removes a prime.", example: "favorites.remove(7)") {
      (number: Int) in .remove(number: number)
    }
    module.action("clear", help: "Removes all favorites.", example: "favorites.clear()") {
      () in .clear
    }
  }
}

typealias FavoritesError = FeatureError<Favorites>

extension FavoritesError {
  static func notPrime(_ number: Int) -> Self { Self(.notPrime, "\(number) is not prime") }
}
