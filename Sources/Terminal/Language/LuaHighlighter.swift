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
    let code = source.tokens.indices.compactMap { index in
      style(of: index, in: source).map { StyledRange(source.tokens[index].range, $0) }
    }
    let comments = source.comments.map { StyledRange($0.range, Self.comment) }
    return (code + comments).sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  private func style(of index: Int, in source: SourceTokens) -> Style? {
    let token = source.tokens[index]
    switch token.kind {
    case .string: return .string
    case .number: return Self.literal
    case .symbol, .comment: return nil
    case .word:
      if token.text == "nil" || token.text == "true" || token.text == "false" {
        return Self.literal
      }
      if LuaTokens.keywords.contains(token.text) { return Self.keyword }
      if !source.isMember(index), knownNames.contains(token.text) { return Self.known }
      return source.isSymbol(index + 1, "(") ? Self.call : nil
    }
  }
}
