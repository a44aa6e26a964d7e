package import Lua
package import PrimereplLineEditing
import PrimereplPlatform
package import Scripting
import StateStore

/// Answers a line editor's questions about Lua: completeness, completion, hints.
///
/// It reads the state that the text is to run in, and never runs any of a script's code.
@MainActor
package final class LuaAssistant: LineEditorDelegate {
  /// The argument of a command of the prompt, for completion.
  package enum ArgumentKind: Equatable, Sendable {
    /// The name of a module or function.
    case name
    case statePath
    case file
    case code
    case words([String])
    case task
    case none
  }

  /// The commands of the prompt, without their dots.
  package var dotCommands: [(name: String, help: String, argument: ArgumentKind)] = []

  private let state: LuaState
  private let app: ScriptedApp
  private let highlighter: LuaHighlighter
  /// The latest text: each key leads to several questions about the same one.
  private var latest = LuaBlocks(SourceTokens([]))

  package init(state: LuaState, app: ScriptedApp) {
    self.state = state
    self.app = app
    highlighter = LuaHighlighter(
      knownNames: LuaLibrarySignatures.globals.union(app.modules.map(\.name)))
  }

  /// Whether a name is that of a module, or of a global variable of Lua's library.
  package func isKnown(_ name: String) -> Bool { highlighter.knownNames.contains(name) }

  /// The function with a name such as `t.f`, which is read without running code; nil if there is none.
  package func function(named name: String) throws(LuaError) -> LuaFunction? {
    let source = SourceTokens(Array(name.utf8))
    let finder = LuaSubjectFinder(state: state, modules: app.modules, scopes: LuaScopes(source))
    guard let expression = source.expression(endingAt: source.tokens.count - 1),
      case .value(.function(let function), _)? = try finder.subject(of: expression)
    else { return nil }
    return function
  }

  // MARK: - The text

  package func verdict(on text: String) -> InputVerdict { PromptInput(text).verdict(in: state) }

  package func styles(of text: String) -> [StyledRange] {
    let bytes = Array(text.utf8)
    guard let command = DotCommandLine(bytes) else {
      latest = blocks(of: bytes)
      return highlighter.styles(of: latest.source)
    }
    var styles = [StyledRange(command.name, LuaHighlighter.keyword)]
    if let start = command.argument, argumentKind(of: command, in: bytes) == .code {
      latest = blocks(of: Array(bytes[start...]))
      styles += highlighter.styles(of: latest.source).map {
        StyledRange($0.range.shifted(by: start), $0.style)
      }
    }
    return styles
  }

  package func isWordCharacter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  package func matchingBrackets(in text: String, at cursor: Int) -> (
    open: Range<Int>, close: Range<Int>
  )? {
    blocks(of: Array(text.utf8)).pair(at: cursor)
  }

  package func indentation(after text: String) -> Int {
    blocks(of: Array(text.utf8)).indentation
  }

  package func reindentation(ofLastLineIn text: String) -> Int? {
    LuaBlocks.reindentation(ofLastLineIn: SourceTokens(Array(text.utf8)))
  }

  private func blocks(of bytes: [UInt8]) -> LuaBlocks {
    bytes == latest.source.bytes ? latest : LuaBlocks(SourceTokens(bytes))
  }

  // MARK: - The place of the cursor

  package func completions(of text: String, at cursor: Int) -> Completions {
    let bytes = Array(text.utf8)
    let cursor = min(max(0, cursor), bytes.count)
    let typed = Array(bytes[..<cursor])
    do throws(LuaError) {
      guard let command = DotCommandLine(typed, isTyped: false) else {
        return try luaCompletions(of: bytes[...], at: cursor)
      }
      return try completions(of: command, in: bytes, at: cursor)
    } catch {
      // Memory is short, or the state is closed: there is nothing to offer.
      return Completions(replacing: cursor..<cursor, with: [])
    }
  }

  package func hint(for text: String, at cursor: Int) -> StyledText? {
    let bytes = Array(text.utf8)
    let cursor = min(max(0, cursor), bytes.count)
    var start = 0
    if let command = DotCommandLine(bytes) {
      guard let argument = command.argument, argument <= cursor,
        argumentKind(of: command, in: bytes) == .code
      else { return nil }
      start = argument
    }
    let blocks = blocks(of: Array(bytes[start..<cursor]))
    guard let call = CallSite(atEndOf: blocks) else { return nil }
    let finder = LuaSubjectFinder(
      state: state, modules: app.modules, scopes: LuaScopes(blocks.source))
    do throws(LuaError) {
      return try finder.signature(of: call.callee)?.styled(marking: call.argument)
    } catch {
      // Memory is short, or the state is closed: there is nothing to say.
      return nil
    }
  }

  /// The candidates in Lua that begins where `text` does.
  private func luaCompletions(of text: ArraySlice<UInt8>, at cursor: Int) throws(LuaError)
    -> Completions
  {
    let start = text.startIndex
    let completer = LuaCompleter(text[..<cursor], following: text[cursor...], in: state, app)
    var completions = try completer.completions()
    completions.range = completions.range.shifted(by: start)
    return completions
  }

  // MARK: - Commands of the prompt

  private func argumentKind(of command: DotCommandLine, in bytes: [UInt8]) -> ArgumentKind {
    let name = String(decoding: bytes[command.name].dropFirst(), as: UTF8.self)
    return dotCommands.first { $0.name == name }?.argument ?? .none
  }

  private func completions(
    of command: DotCommandLine, in bytes: [UInt8], at cursor: Int
  ) throws(LuaError) -> Completions {
    guard let start = command.argument else { return commandNames(command, in: bytes) }
    let argument = bytes[start..<cursor]
    let text = String(decoding: argument, as: UTF8.self)
    switch argumentKind(of: command, in: bytes) {
    case .code: return try luaCompletions(of: bytes[start...], at: cursor)
    case .file:
      // .scenario takes a range of actions before the file; without a space, it is the name of a file.
      let hasRange = argument.first == UInt8(ascii: "#")
      let space = hasRange ? argument.firstIndex(of: UInt8(ascii: " ")) : nil
      let path = space.map { argument[($0 + 1)...] } ?? argument
      if let contents = LuaStringLiteral.contents(of: path) {
        return FileCompleter.completions(
          for: String(systemBytes: contents), typedAs: path.dropFirst(), quote: path.first)
      }
      return FileCompleter.completions(
        for: String(decoding: path, as: UTF8.self), typedAs: path, quote: nil)
    case .name:
      return Completions(
        replacing: start..<cursor,
        with: app.modules.documentedNames(from: TypedText(argument), text))
    case .statePath:
      // A path may have the sign of length before it.
      let word = argument.lastIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "#") }
      let path = argument[(word.map { $0 + 1 } ?? start)...]
      return Completions(
        replacing: path.startIndex..<cursor,
        with: app.store.schema.pathCandidates(for: String(decoding: path, as: UTF8.self)))
    case .words(let words):
      return Completions(
        replacing: start..<cursor,
        with: TypedText(argument).best(of: words) { $0 }.map { .init($0) })
    case .task:
      let tasks = state.tasks.map { Completions.Candidate("\($0.number)", kind: "task") }
      return Completions(
        replacing: start..<cursor, with: tasks.filter { $0.text.utf8.starts(with: argument) })
    case .none: return Completions(replacing: cursor..<cursor, with: [])
    }
  }

  private func commandNames(_ command: DotCommandLine, in bytes: [UInt8]) -> Completions {
    let typed = bytes[command.name].dropFirst()
    let candidates = TypedText(typed).best(of: dotCommands) { $0.name }.sorted { $0.name < $1.name }
    return Completions(
      replacing: command.name,
      with: candidates.map { name, help, _ in
        .init(".\(name)", detail: StyledText(".\(name)") + StyledText("  " + help, .dim))
      })
  }
}

extension [LuaModule] {
  /// The names of modules and, after a dot, of their members, that a text can become.
  func documentedNames(from typed: TypedText, _ text: String) -> [Completions.Candidate] {
    var candidates: [Completions.Candidate] = []
    for module in self {
      candidates.append(
        .init(
          module.name, kind: "module",
          detail: StyledText(module.name) + StyledText("  " + module.help, .dim)))
      guard text.utf8.contains(UInt8(ascii: ".")) else { continue }
      let owner = "\(module.name)."
      candidates += module.documentation.map { member in
        .init(
          owner + member.name, label: member.name,
          kind: member.kindText,
          detail: member.detail(after: owner))
      }
    }
    return typed.best(of: candidates) { $0.text }.sorted { $0.text < $1.text }
  }
}

extension StoreSchema {
  func pathCandidates(for text: String) -> [Completions.Candidate] {
    TypedText(text.utf8).best(of: Array(paths(like: text))) { $0 }.sorted().map { .init($0) }
  }
}

extension Range<Int> {
  fileprivate func shifted(by offset: Int) -> Range<Int> {
    lowerBound + offset..<upperBound + offset
  }
}
