import Lua
import StateStore

/// The source of a file that declares features: it has the order of fields, which tables of Lua don't keep, the lines of
/// mistakes, and the codes of errors.
struct DeclarationSource {
  private let bytes: [UInt8]
  private let tokens: [LuaTokens.Token]
  /// The tokens of each feature's declaration, up to the next one's.
  private let regions: [(name: String, region: Range<Int>)]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let tokens = Array(LuaTokens(bytes, isFile: true))
    self.tokens = tokens
    let starts = tokens.indices.compactMap { index -> (String, Int)? in
      guard tokens[index].text == "feature" else { return nil }
      let name = tokens[(index + 1)...].prefix(2).lazy.compactMap { $0.string(in: bytes) }.first
      return name.map { ($0, index) }
    }
    regions = starts.enumerated().map { position, start in
      let end = starts.dropFirst(position + 1).first?.1 ?? tokens.endIndex
      return (name: start.0, region: start.1..<end)
    }
  }

  var featureNames: [String] { regions.map(\.name) }

  /// The tokens of a feature's declaration; those of the file if the name isn't written in it.
  func region(ofFeature name: String) -> Range<Int> {
    regions.first { $0.name == name }?.region ?? tokens.indices
  }

  /// The keys of the first table in a region: for each, the tokens from it to the next one.
  ///
  /// - Complexity: O(tokens of the table).
  func keys(in region: Range<Int>) -> [String: Range<Int>] {
    var starts: [Int] = []
    var end = region.upperBound
    var depth = 0
    for index in region {
      guard tokens[index].kind == .symbol else { continue }
      switch tokens[index].text {
      case "{": depth += 1
      case "}": depth -= 1
      case ",", ";": break
      default: continue
      }
      if depth == 0, tokens[index].text == "}" {
        end = index
        break
      }
      // A key comes after the brace or a separator of its own table.
      guard depth == 1, tokens[index].text != "}", isKey(at: index + 1) else { continue }
      starts.append(index + 1)
    }
    let ends = starts.dropFirst() + [end]
    return Dictionary(zip(starts, ends).map { (tokens[$0].text, $0..<$1) }) { first, _ in first }
  }

  private func isKey(at index: Int) -> Bool {
    guard tokens.indices.contains(index), tokens[index].kind == .word else { return false }
    return isSymbol("=", at: index + 1) && !isSymbol("=", at: index + 2)
  }

  private func isSymbol(_ symbol: String, at index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].kind == .symbol && tokens[index].text == symbol
  }

  /// The line of a place in the declaration of a feature, such as "cart.state.items"; nil if the name isn't written.
  ///
  /// A part that isn't written in the tables around it has the line of these.
  func line(of path: String) -> Int? {
    let names = path.split(separator: ".").map(String.init)
    guard let name = names.first, var region = regions.first(where: { $0.name == name })?.region
    else { return nil }
    for name in names.dropFirst() {
      guard let part = keys(in: region)[name] else { break }
      region = part
    }
    return tokens[region.lowerBound].line
  }

  // MARK: - Errors

  /// The codes of the errors that a feature raises by `fail("code", ...)`, in their order; each once.
  ///
  /// Only a code that is written as the whole argument is known: the codes of `fail("no_" .. what, ...)` aren't. Those of
  /// a function `fail` of the file's own are taken for errors, too. The functions that a file has outside of its features
  /// belong to its feature, if it is the only one.
  func errorCodes(ofFeature name: String) -> [String] {
    let region = regions.count == 1 ? tokens.indices : region(ofFeature: name)
    var codes: [String] = []
    for index in region where tokens[index].text == "fail" {
      guard !isSymbol(".", at: index - 1), !isSymbol(":", at: index - 1),
        isSymbol("(", at: index + 1), isSymbol(",", at: index + 3),
        let code = tokens[index + 2].string(in: bytes), StatePath.isName(code),
        !codes.contains(code)
      else { continue }
      codes.append(code)
    }
    return codes
  }

  // MARK: - Results

  /// The result of a function, as far as its code says it.
  enum Result: Equatable {
    case nothing
    /// A new record of a list.
    case record(list: String)
    case value
  }

  func result(ofFunctionOn line: Int, in region: Range<Int>) -> Result {
    let isStart = { (index: Int) in tokens[index].text == "function" && tokens[index].line == line }
    guard let start = region.first(where: isStart) ?? tokens.indices.first(where: isStart) else {
      return .value
    }
    var result = Result.nothing
    // For each open block, whether it is a function's.
    var blocks: [Bool] = []
    for index in start..<tokens.endIndex where tokens[index].kind == .word {
      switch tokens[index].text {
      case "function": blocks.append(true)
      case "do", "if", "repeat": blocks.append(false)
      case "end", "until":
        blocks.removeLast()
        if blocks.isEmpty { return result }
      case "return" where blocks.count(where: { $0 }) == 1:
        let returned = self.returned(after: index)
        if returned == .nothing { continue }
        if result != .nothing, result != returned { return .value }
        result = returned
      default: break
      }
    }
    return result
  }

  /// The result of a `return`: a record for `return state.items:append` or `insert`.
  private func returned(after index: Int) -> Result {
    let texts = tokens[(index + 1)...].prefix(5).map(\.text)
    guard let first = texts.first, !["end", "else", "elseif", "until", ";", "nil"].contains(first)
    else { return .nothing }
    guard texts.count == 5, texts[1] == ".", texts[3] == ":",
      ["append", "insert"].contains(texts[4])
    else { return .value }
    return .record(list: texts[2])
  }
}

extension LuaTokens.Token {
  /// The text of a string; nil for another token.
  fileprivate func string(in source: [UInt8]) -> String? {
    guard kind == .string else { return nil }
    return LuaStringLiteral.value(of: source[range]).map { String(decoding: $0, as: UTF8.self) }
  }
}
