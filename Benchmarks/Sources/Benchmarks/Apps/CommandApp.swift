internal import Lua
internal import PrimereplBridge
internal import Scripting
internal import StateFile
internal import StateStore

/// A Lua state with an app whose session is in memory or in a state file, as in the command.
@MainActor
struct CommandApp {
  let store: Store
  private let state: LuaState
  private let savedSession: JournaledSession?

  /// - Parameter path: the state file, which is made where there is none; `nil` for a session in memory.
  /// - Throws: when the file can't be used, or there is no memory for a state.
  init(stateFile path: String?) throws {
    let journal = try path.map { try SQLiteJournal(of: App.schema, program: App.program, path: $0) }
    let savedSession = try journal.map { try JournaledSession(App.schema, in: $0) }
    state = try LuaState()
    store = savedSession?.store ?? Store(App.schema)
    _ = try ScriptedApp(
      in: state, store: store,
      save: savedSession.map { savedSession in { try savedSession.save() } })
    self.savedSession = savedSession
  }

  /// Does what the command does for a script: runs it, and saves the session at its end.
  ///
  /// - Parameter source: the script.
  /// - Returns: how long it took.
  /// - Throws: what the script raises, and why the session can't be saved.
  func runScript(_ source: String) throws -> Duration {
    try ContinuousClock().measure {
      try state.load(source, name: .text("benchmark")).call()
      try savedSession?.save()
    }
  }

  /// Does what the prompt does for a line: reloads, runs the line, and saves the session.
  ///
  /// - Parameter line: the line.
  /// - Returns: how long it took.
  /// - Throws: what the line raises, and why the session's file can't be used.
  func runLine(_ line: String) throws -> Duration {
    try ContinuousClock().measure {
      try savedSession?.reload()
      try state.load(line, name: .text("benchmark")).call()
      try savedSession?.save()
    }
  }

  /// Frees the Lua state; the app isn't used after this.
  func close() { state.close() }
}
