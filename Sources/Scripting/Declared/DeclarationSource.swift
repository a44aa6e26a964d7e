import Lua

/// The source of a file that declares features: it has the order of fields, which tables of Lua don't keep, and the codes
/// of errors.
struct DeclarationSource {
  private let bytes: [UInt8]
  private let tokens: [LuaTokens.Token]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    tokens = Array(LuaTokens(bytes))
  }

  /// The tokens of a feature's declaration: up to the next one's. Those of the file if the name isn't written in it.
  func region(ofFeature name: String) -> Range<Int> {
    let starts = tokens.indices.filter { index in
      tokens[index].text == "feature" && string(at: index + 1) ?? string(at: index + 2) != nil
    }
    guard
      let start = starts.first(where: { (string(at: $0 + 1) ?? string(at: $0 + 2)) == name })
    else { return tokens.indices }
    return start..<(starts.first { $0 > start } ?? tokens.endIndex)
  }

  /// The index of the token `name` in `name = `, from an index on; nil if there is none.
  func position(ofKey name: String, in region: Range<Int>) -> Int? {
    region.first { index in
      tokens[index].kind == .word && tokens[index].text == name && isSymbol("=", at: index + 1)
        && !isSymbol("=", at: index + 2)
    }
  }

  /// Sorts names as a table that begins in a region has them; those that it computes come last.
  func sorted(_ names: [String], in region: Range<Int>) -> [String] {
    names.map { (name: $0, position: position(ofKey: $0, in: region) ?? .max) }
      .sorted { ($0.position, $0.name) < ($1.position, $1.name) }
      .map(\.name)
  }

  /// The codes of the errors that `fail("code", ...)` raises, in their order; each once.
  func errorCodes(in region: Range<Int>) -> [String] {
    var codes: [String] = []
    for index in region where tokens[index].text == "fail" {
      guard let code = string(at: index + 1) ?? string(at: index + 2), !codes.contains(code) else {
        continue
      }
      codes.append(code)
    }
    return codes
  }

  private func isSymbol(_ symbol: String, at index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].kind == .symbol && tokens[index].text == symbol
  }

  /// The text of a string in quotes without escapes; nil for another token.
  private func string(at index: Int) -> String? {
    guard tokens.indices.contains(index), tokens[index].kind == .string else { return nil }
    let text = String(decoding: bytes[tokens[index].range], as: UTF8.self)
    guard let quote = text.first, quote != "[", !text.contains("\\") else { return nil }
    return String(text.dropFirst().dropLast())
  }
}
