import Lua
public import PrimereplDomain
public import Scripting
public import StateStore

extension FavoritePrimes: ScriptableFeature {
  /// The module's purpose.
  public static let help = "The favorite primes, in the order they were added."

  /// Adds the functions that change the favorites.
  public static func describe(_ module: FeatureModule<FavoritePrimes>) {
    let store = module.store
    func contains(_ number: Int) -> Bool {
      store.read(FavoritePrimes.self) { $0.contains(number) }
    }
    module.function(
      "add", "n", help: "Adds a prime; returns false if it is already a favorite.",
      example: "favorites.add(7)"
    ) { (number: Int) in
      if contains(number) { return false }
      try store.send(.add(number: number), to: FavoritePrimes.self)
      return true
    }
    module.function(
      "remove", "n", help: "Removes a prime; returns false if it isn't a favorite.",
      example: "favorites.remove(7)"
    ) { (number: Int) in
      guard contains(number) else { return false }
      try store.send(.remove(number: number), to: FavoritePrimes.self)
      return true
    }
    module.function(
      "toggle", "n", help: "Adds or removes a prime; returns whether it is a favorite now.",
      example: "favorites.toggle(7)"
    ) { (number: Int) in
      let isFavorite = !contains(number)
      try store.send(.toggle(number: number), to: FavoritePrimes.self)
      return isFavorite
    }
    module.function(
      "remove_at", "positions", help: "Removes the primes at a position, or at several.",
      example: "favorites.remove_at({1, 3})"
    ) { (positions: Positions) in
      if !positions.fromZero.isEmpty {
        try store.send(.removeAt(positions: positions.fromZero), to: FavoritePrimes.self)
      }
    }
    module.function(
      "contains", "n", help: "Whether a number is a favorite.", example: "favorites.contains(7)"
    ) { (number: Int) in contains(number) }
    module.function("clear", help: "Removes all favorites.", example: "favorites.clear()") {
      () in
      if store.read(FavoritePrimes.self, { $0.count > 0 }) {
        try store.send(.clear, to: FavoritePrimes.self)
      }
    }
    module.function(
      "list", help: "A new table of the favorites.",
      example: "print(table.concat(favorites.list(), \" \"))"
    ) { () in store.state(of: FavoritePrimes.self).list }
  }
}

extension FavoritePrimes {
  /// The code that removes positions, which scripts count from 1.
  public static func call(repeating action: Action, showing secret: (Secret) -> String) -> String? {
    guard case .removeAt(let positions) = action else { return nil }
    let list = positions.map { String($0 + 1) }.joined(separator: ", ")
    return "favorites.remove_at(\(positions.count == 1 ? list : "{\(list)}"))"
  }
}
