public import Domain
public import Scripting
internal import StateStore
import Lua

extension FavoritePrimes: ScriptableFeature {
  /// What the module is for.
  public static let help = "The favorite primes, in the order they were added."

  /// The codes of its errors.
  public static let errorCodes = [
    "not_prime", "position_out_of_range",
  ]

  /// Adds the favorites as a sequence, and the functions that change them.
  public static func describe(_ module: FeatureModule<FavoritePrimes>) {
    let store = module.store
    let logic = FavoritePrimesLogic(store: store)
    module.sequence(
      count: { store.state(of: FavoritePrimes.self).count },
      element: { store.state(of: FavoritePrimes.self)[$0] })
    module.function(
      "add", "n", help: "Adds a prime; returns false if it is already a favorite.",
      example: "favorites.add(7)"
    ) { (number: Int) in try logic.add(number) }
    module.function(
      "remove", "n", help: "Removes a prime; returns false if it isn't a favorite.",
      example: "favorites.remove(7)"
    ) { (number: Int) in try logic.remove(number) }
    module.function(
      "toggle", "n", help: "Adds or removes a prime; returns whether it is a favorite now.",
      example: "favorites.toggle(7)"
    ) { (number: Int) in try logic.toggle(number) }
    module.function(
      "remove_at", "positions", help: "Removes the primes at a position, or at several.",
      example: "favorites.remove_at({1, 3})"
    ) { (positions: Positions) in try logic.remove(atPositions: positions.fromZero) }
    module.function(
      "contains", "n", help: "Whether a number is a favorite.", example: "favorites.contains(7)"
    ) { (number: Int) in logic.contains(number) }
    module.function("clear", help: "Removes all favorites.", example: "favorites.clear()") {
      () in try logic.clear()
    }
    module.function(
      "list", help: "A new table of the favorites.",
      example: "print(table.concat(favorites.list(), \" \"))"
    ) { () in store.state(of: FavoritePrimes.self).list }
  }
}

extension FavoritePrimes {
  /// An action as Lua text.
  public static func luaText(of action: Action) -> String {
    switch action {
    case .add(let number): "favorites.add(\(number.luaLiteral))"
    case .remove(let number): "favorites.remove(\(number.luaLiteral))"
    case .toggle(let number): "favorites.toggle(\(number.luaLiteral))"
    case .removeAt(let positions) where positions.count == 1:
      "favorites.remove_at(\(positions[0] + 1))"
    case .removeAt(let positions):
      "favorites.remove_at({\(positions.map { String($0 + 1) }.joined(separator: ", "))})"
    case .clear: "favorites.clear()"
    }
  }
}
