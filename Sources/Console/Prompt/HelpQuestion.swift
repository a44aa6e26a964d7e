import LineEditing
import Lua
import Scripting

/// A question about a name: `counter.count?` asks for help, and `f??` for the source of a function in Lua.
struct HelpQuestion: Equatable {
  let name: String
  let isAboutSource: Bool

  /// Parses an input; nil if it is none.
  init?(_ text: String) {
    // Most inputs are told by their last character, as they may be long.
    guard text.last(where: { !$0.isWhitespace }) == "?",
      let match = text.wholeMatch(
        of: /\s*(?<name>[A-Za-z_][A-Za-z0-9_]*(?:[.:][A-Za-z_][A-Za-z0-9_]*)*)\s*(?<marks>\?\??)\s*/
      )
    else { return nil }
    name = String(match.name)
    isAboutSource = match.marks.count == 2
  }
}

extension Prompt {
  /// Answers a question about a name.
  ///
  /// - Throws: `LuaError` if memory is short.
  func answer(_ question: HelpQuestion) throws {
    guard let function = try assistant.function(named: question.name),
      case .lua(let definition) = try function.origin()
    else {
      try showHelp(on: question.name)
      if question.isAboutSource { screen.note("Only functions in Lua have a source to show.") }
      return
    }
    screen.show([CallSignature(of: definition, name: question.name).styled()])
    guard question.isAboutSource else {
      return screen.note("\(question.name)?? shows its source.")
    }
    // Lua marks the names of files with "@", and those of other chunks with "=".
    guard let text = interpreter.sources[String(definition.chunkName.dropFirst())] else {
      return screen.note("Its source isn't known any more.")
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let range = max(definition.firstLine - 1, 0)..<max(definition.lastLine, definition.firstLine)
    screen.show(
      lines[range.clamped(to: lines.indices)].map { StyledText(String($0).printableLines) })
  }
}
