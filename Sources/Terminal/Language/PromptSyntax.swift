import PrimereplFoundation

/// A question about a name: `counter.count?` asks for help, and `f??` for the source of a function in Lua.
package struct HelpQuestion: Equatable {
  package let name: String
  package let isAboutSource: Bool

  package init?(_ text: String) {
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

/// A text that is a command of the prompt, such as `.help store`: a dot and a letter at its start.
package struct DotCommandLine {
  /// The range of the dot and the name, which may be empty while it is typed.
  package let name: Range<Int>
  /// The offset after the space that follows the name; nil if nothing follows it.
  package let argument: Int?

  /// The command of a text, which may end after its dot unless it is typed; nil for Lua.
  package init?(_ bytes: [UInt8], isTyped: Bool = true) {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let text = bytes.drop { isBlank($0) }
    guard text.first == UInt8(ascii: "."),
      text.dropFirst().first?.isASCIILetter ?? !isTyped
    else { return nil }
    let word = text.dropFirst().prefix { $0.isASCIILetter || $0 == UInt8(ascii: "_") }
    name = text.startIndex..<word.endIndex
    let rest = bytes[word.endIndex...]
    argument = rest.isEmpty ? nil : rest.firstIndex { !isBlank($0) } ?? rest.endIndex
  }
}
