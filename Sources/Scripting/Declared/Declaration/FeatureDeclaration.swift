import Lua
import StateStore

/// The declaration of a feature, as its file's code makes it.
struct FeatureDeclaration {
  struct Action {
    let call: DeclaredFeature.Call
    let help: String
    let example: String
    let code: LuaFunction
    let result: DeclarationSource.Result
  }

  struct Request {
    let type: DeclaredFeature.RequestType
    let help: String
    let example: String
    let asked: LuaFunction?
    let done: LuaFunction?
  }

  struct Derived {
    let field: DeclaredFeature.DerivedField
    let code: LuaFunction
  }

  /// A function for scripts, which runs in their state.
  struct Function {
    let name: String
    let parameters: [String]
  }

  let name: String
  let help: String
  let version: Int
  let fields: DeclaredFields
  let derived: [Derived]
  let actions: [Action]
  let requests: [Request]
  let functions: [Function]
  let migrate: LuaFunction?
  let errorCodes: [String]
}
