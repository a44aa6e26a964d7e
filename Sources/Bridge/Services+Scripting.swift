public import Domain
public import Lua
public import Scripting
public import StateStore

extension Services: ScriptServices {
  /// Checks that there can be threads.
  public func checkWaiting() throws { try Threads.check() }

  /// Writes a document to a file that a user names.
  public func export(_ text: String, to path: String) throws { try exports.write(text, to: path) }

  /// Reads a document from a file that a user names, or from an address.
  public func importStates(
    of schema: Schema, from path: String
  ) async throws -> (states: States, source: String?) {
    try Threads.check()
    return try await sources.states(of: schema, from: path)
  }
}

extension WolframError: ScriptableError {
  /// The status of an answer, and what Wolfram|Alpha suggests instead.
  public var luaFields: [String: any LuaPushable] {
    ["status": status, "suggestions": suggestions]
  }
}

extension SourceError: ScriptableError {
  /// The status of an answer.
  public var luaFields: [String: any LuaPushable] { ["status": status] }
}
