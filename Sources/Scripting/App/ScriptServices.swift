public import Lua
public import StateStore

/// What the modules of an app need of the world.
public protocol ScriptServices: Sendable {
  /// Who names new records; an app of `store.new()` gets names of its own.
  var identifiers: any IdentifierSource { get set }

  /// What waiting is measured by.
  var clock: any Clock<Duration> { get }

  /// Checks that the system lets the process wait for something, which takes a thread.
  ///
  /// - Throws: why it doesn't.
  func checkWaiting() throws

  /// Writes a document to a file that a user names.
  ///
  /// - Throws: why it can't be written; then the file is as it was.
  func export(_ text: String, to path: String) throws

  /// Reads a document from a file that a user names.
  ///
  /// - Returns: the states, and what the history calls the file.
  /// - Throws: what is wrong with the file, and where.
  func importStates(
    of schema: Schema, from path: String
  ) async throws -> (states: States, source: String?)
}

/// An error that scripts can read more of than its code and message.
public protocol ScriptableError: CodedError {
  /// What they can read, by its names.
  var luaFields: [String: any LuaPushable] { get }
}
