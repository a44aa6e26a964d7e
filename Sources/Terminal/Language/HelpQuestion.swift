/// A question about a name: `counter.count?` asks for help, and `f??` for the source of a function in Lua.
package struct HelpQuestion: Equatable {
  package let name: String
  package let isAboutSource: Bool

  /// Parses an input; nil if it is none.
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
