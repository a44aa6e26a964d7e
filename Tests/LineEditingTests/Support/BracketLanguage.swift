import PrimereplLineEditing

/// A little language for tests: brackets nest, `@` is an error, and a line that closes a bracket moves back.
@MainActor
final class BracketLanguage: LineEditorDelegate {
  var candidates: [Completions.Candidate] = []
  /// The number of times that the styles were asked for.
  private(set) var styleRequests = 0

  func verdict(on text: String) -> InputVerdict {
    if let fault = text.utf8.firstIndex(of: UInt8(ascii: "@")) {
      let offset = text.utf8.distance(from: text.utf8.startIndex, to: fault)
      return .fault(offset: offset, message: "unexpected '@'")
    }
    return depth(of: text) > 0 ? .incomplete : .complete
  }

  private func depth(of text: String) -> Int {
    text.utf8.reduce(0) { depth, byte in
      switch UInt8(byte) {
      case UInt8(ascii: "("), UInt8(ascii: "{"): depth + 1
      case UInt8(ascii: ")"), UInt8(ascii: "}"): depth - 1
      default: depth
      }
    }
  }

  /// Numbers are green.
  func styles(of text: String) -> [StyledRange] {
    styleRequests += 1
    return text.utf8.enumerated().compactMap { offset, byte in
      (0x30...0x39).contains(byte) ? StyledRange(offset..<offset + 1, Style(.green)) : nil
    }
  }

  /// The candidates that begin with the word before the cursor.
  func completions(of text: String, at cursor: Int) -> Completions {
    let before = String(decoding: text.utf8.prefix(cursor), as: UTF8.self)
    let word = String(before.reversed().prefix { isWordCharacter($0) || $0 == "." }.reversed())
    return Completions(
      replacing: cursor - word.utf8.count..<cursor,
      with: candidates.filter { $0.text.hasPrefix(word) })
  }

  func hint(for text: String, at cursor: Int) -> StyledText? {
    let before = String(decoding: text.utf8.prefix(cursor), as: UTF8.self)
    return before.last == "(" || before.hasSuffix("(a, ") ? StyledText("f(a, b)") : nil
  }

  func matchingBrackets(
    in text: String, at cursor: Int
  ) -> (open: Range<Int>, close: Range<Int>)? {
    var opened: [Int] = []
    for (offset, byte) in text.utf8.enumerated() {
      if byte == UInt8(ascii: "(") { opened.append(offset) }
      guard byte == UInt8(ascii: ")"), let open = opened.popLast() else { continue }
      if [open, open + 1, offset, offset + 1].contains(cursor) {
        return (open..<open + 1, offset..<offset + 1)
      }
    }
    return nil
  }

  func indentation(after text: String) -> Int { 2 * max(depth(of: text), 0) }

  func reindentation(ofLastLineIn text: String) -> Int? {
    let line = text.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
    return line.drop { $0 == " " } == "}" ? 2 * max(depth(of: text), 0) : nil
  }

  func isWordCharacter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
