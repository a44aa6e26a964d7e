import Lua
import PrimereplLineEditing
import SampleApp
import Scripting
import StateStore
import TestSupport

@testable import PrimereplTerminal

/// An assistant for a session in which some Lua has run.
///
/// Its texts have a `|` where the cursor is.
@MainActor
struct AssistantFixture {
  let state: LuaState
  let assistant: LuaAssistant

  init(after code: String = "") throws {
    let state = try LuaState()
    self.init(state, try ScriptedApp(in: state))
    try state.load(code, name: .text("stdin")).call()
  }

  /// Makes an assistant for another app.
  init(_ state: LuaState, _ app: ScriptedApp) {
    self.state = state
    assistant = LuaAssistant(state: state, app: app)
    assistant.dotCommands = [
      ("help", "Describes a name.", .name), ("watch", "Watches paths.", .statePath),
      ("load", "Runs a file.", .file), ("time", "Times code.", .code), ("quit", "Leaves.", .none),
    ]
  }

  /// The texts of the candidates.
  func candidates(_ marked: String) -> [String] { completions(marked).candidates.map(\.text) }

  /// The text with its only candidate in place; nil if there are none or several.
  func completed(_ marked: String) -> String? {
    let completions = completions(marked)
    guard completions.candidates.count == 1, let candidate = completions.candidates.first else {
      return nil
    }
    let (text, _) = Self.split(marked)
    let bytes = Array(text.utf8)
    return String(
      decoding: bytes[..<completions.range.lowerBound] + Array(candidate.text.utf8)
        + bytes[completions.range.upperBound...], as: UTF8.self)
  }

  /// The detail of the only candidate.
  func detail(_ marked: String) -> String? {
    let candidates = completions(marked).candidates
    return candidates.count == 1 ? candidates.first?.detail.text : nil
  }

  func completions(_ marked: String) -> Completions {
    let (text, cursor) = Self.split(marked)
    return assistant.completions(of: text, at: cursor)
  }

  /// The hint, with the current argument in angle brackets, and without the line of help.
  func hint(_ marked: String) -> String? {
    let (text, cursor) = Self.split(marked)
    return assistant.hint(for: text, at: cursor).map { hint in
      hint.runs.filter { !$0.style.isDim }.map { run in
        run.style.isBold ? "<\(run.text)>" : run.text
      }.joined()
    }
  }

  private static func split(_ marked: String) -> (text: String, cursor: Int) {
    let parts = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    return (parts.joined(), parts[0].utf8.count)
  }
}

extension ScriptedApp {
  /// Makes an app of features that Lua declares.
  convenience init(in state: LuaState, declaring source: String) throws {
    let folder = try TemporaryFolder()
    let declared = try DeclaredApp(files: [try folder.write(source, to: "shop.lua")])
    let schema = try StoreSchema(features: [], declared: declared.features, derived: [])
    try declared.connect(to: schema)
    try self.init(in: state, store: Store(schema), modules: declared.modules)
  }
}
