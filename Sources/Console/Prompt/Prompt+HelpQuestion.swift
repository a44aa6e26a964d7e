import Lua
import PrimereplLineEditing
import PrimereplTerminal
import Scripting

extension Prompt {
  /// Answers a question about a name.
  ///
  /// - Throws: `LuaError` if memory is short.
  func answer(_ question: HelpQuestion) throws {
    guard let function = try assistant.function(named: question.name),
      case .lua(let definition) = try function.origin()
    else {
      try showHelp(on: question.name)
      if question.isAboutSource { screen.showNote("Only functions in Lua have a source to show.") }
      return
    }
    screen.show([CallSignature(of: definition, name: question.name).styled()])
    guard question.isAboutSource else {
      return screen.showNote("\(question.name)?? shows its source.")
    }
    // Lua marks the names of files with "@", and those of other chunks with "=".
    guard let text = interpreter.sources[String(definition.chunkName.dropFirst())] else {
      return screen.showNote("Its source isn't known any more.")
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let range = max(definition.firstLine - 1, 0)..<max(definition.lastLine, definition.firstLine)
    screen.show(
      lines[range.clamped(to: lines.indices)].map { StyledText(String($0).printableLines) })
  }
}
