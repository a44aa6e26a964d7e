public import Lua
public import PrimereplDomain
public import Scripting
public import StateStore

/// The app: its features, side by side.
public enum App {
  /// The app's features, in the order of help; add a new feature here.
  public static let features: [any ScriptableFeature.Type] = [
    Counter.self, FavoritePrimes.self, Todo.self, Landmarks.self, Persons.self, SignUp.self,
  ]

  /// The fields that depend on several features.
  public static let derived = [PrimeCard.field]

  /// The modules without a state.
  public static let modules = [ScriptModule.prime, .wolfram]

  /// The program that the app's state files belong to.
  public static let program = Program("primerepl", fileIdentifier: 0x7072_696D)
}

extension WolframError: ScriptableError {
  /// The answer's status, and what Wolfram|Alpha suggests instead.
  public var luaFields: [String: any LuaPushable] {
    ["status": status, "suggestions": suggestions]
  }
}
