public import Domain
public import Scripting
public import StateStore
import Lua

extension FavoritePrimes: ScriptableFeature {
  /// The module's purpose.
  public static let help = "The favorite primes, in the order they were added."

  /// Adds the functions that change the favorites.
  public static func describe(_ module: FeatureModule<FavoritePrimes>) {
    let store = module.store
    let logic = FavoritePrimesLogic(store: store)
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
  /// The code that removes positions, which scripts count from 1.
  public static func call(repeating action: Action, showing secret: (Secret) -> String) -> String? {
    guard case .removeAt(let positions) = action else { return nil }
    let list = positions.map { String($0 + 1) }.joined(separator: ", ")
    return "favorites.remove_at(\(positions.count == 1 ? list : "{\(list)}"))"
  }
}
