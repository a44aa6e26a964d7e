import PrimereplLineEditing
import Scripting

/// The colors of Lua code: few, and readable on dark and light backgrounds.
struct LuaHighlighter {
  static let keyword = Style(.magenta)
  static let literal = Style(.cyan)
  static let comment = Style(.gray)
  static let known = Style(.blue)
  static let call = Style(bold: true)

  /// The names of modules and other global variables that every script finds.
  let knownNames: Set<String>

  func styles(of source: SourceTokens) -> [StyledRange] {
    let tokens = source.tokensAndComments
    return tokens.indices.compactMap { index in
      let before = index > 0 ? tokens[index - 1] : nil
      let after = index + 1 < tokens.count ? tokens[index + 1] : nil
      return style(of: tokens[index], before: before, after: after, source.bytes).map {
        StyledRange(tokens[index].range, $0)
      }
    }
  }

  private func style(
    of token: LuaTokens.Token, before: LuaTokens.Token?, after: LuaTokens.Token?, _ bytes: [UInt8]
  ) -> Style? {
    switch token.kind {
    case .comment: return Self.comment
    case .string: return .string
    case .number: return Self.literal
    case .symbol: return nil
    case .word:
      if token.text == "nil" || token.text == "true" || token.text == "false" {
        return Self.literal
      }
      if LuaTokens.keywords.contains(token.text) { return Self.keyword }
      let isMember = before.map { $0.text == "." || $0.text == ":" } ?? false
      if !isMember || isOperator(before, bytes), knownNames.contains(token.text) {
        return Self.known
      }
      return after?.text == "(" ? Self.call : nil
    }
  }

  /// Whether a dot or colon is the end of `..` or `::`, rather than what a member's name follows.
  private func isOperator(_ token: LuaTokens.Token?, _ bytes: [UInt8]) -> Bool {
    guard let start = token?.range.lowerBound, start > 0 else { return false }
    return bytes[start - 1] == bytes[start]
  }
}
