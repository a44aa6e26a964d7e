import Lua
import StateStore

/// The declaration of a feature, as its file's code makes it.
struct FeatureDeclaration {
  struct Action {
    let call: DeclaredFeature.Call
    let code: LuaFunction
    let result: DeclarationSource.Result
  }

  struct Request {
    let type: DeclaredFeature.RequestType
    let asked: LuaFunction?
    let done: LuaFunction?
  }

  struct Derived {
    let field: DeclaredFeature.DerivedField
    let source: DerivedValue.Source
  }

  /// A derived value with parameters, which scripts call.
  struct DerivedFunction {
    let call: DeclaredFeature.Call
    let code: LuaFunction
    let readsApp: Bool
  }

  /// A function for scripts, which runs in their state.
  struct Function {
    let call: DeclaredFeature.Call
    let isVariadic: Bool
    /// Whether its arguments are checked by their types.
    let isTyped: Bool
    /// Whether the actions that it sends are one step of undo.
    let isGroup: Bool
  }

  let name: String
  let help: String
  let version: Int
  let fields: DeclaredFields
  let derived: [Derived]
  let derivedFunctions: [DerivedFunction]
  let actions: [Action]
  let requests: [Request]
  let functions: [Function]
  let migrate: LuaFunction?
  let errorCodes: [String]
  var page = PageLayout()

  /// A call with the part of the declaration that has it, and what messages call it.
  typealias PlacedCall = (call: DeclaredFeature.Call, part: String, role: String)

  /// All that scripts call.
  var calls: [PlacedCall] {
    func placed(
      _ calls: [DeclaredFeature.Call], _ part: String, _ role: String
    ) -> [PlacedCall] { calls.map { ($0, part, role) } }
    return placed(derivedFunctions.map(\.call), "derived", "a derived value")
      + placed(actions.map(\.call), "actions", "an action")
      + placed(requests.map(\.type.call), "requests", "a request")
      + placed(functions.map(\.call), "functions", "a function")
  }
}

/// The layout of a feature's tab in a browser, as its declaration gives it.
package struct PageLayout: Sendable {
  /// The names of the members that come first, in their order: fields, derived values, and functions of all kinds.
  package internal(set) var order: [String] = []
  package internal(set) var hidden: [String] = []
  /// The names of the columns of lists, in their order; others have all.
  package internal(set) var columns: [String: [String]] = [:]
  /// The name of the function whose form is open at first; nil for none.
  package internal(set) var main: String?
}
