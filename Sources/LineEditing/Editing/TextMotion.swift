/// Positions to move to, found in a text.
///
/// Words are runs of characters for which `isWord` holds.
extension EditBuffer {
  typealias WordTest = (Character) -> Bool

  /// The text's beginning if there is no word before the position.
  func wordStart(before position: Int, _ isWord: WordTest) -> Int {
    var position = position
    while position > 0, !isWord(characters[position - 1]) { position -= 1 }
    while position > 0, isWord(characters[position - 1]) { position -= 1 }
    return position
  }

  /// The text's end if there is no word after the position.
  func wordEnd(after position: Int, _ isWord: WordTest) -> Int {
    var position = position
    while position < count, !isWord(characters[position]) { position += 1 }
    while position < count, isWord(characters[position]) { position += 1 }
    return position
  }

  func word(atOrAfter position: Int, _ isWord: WordTest) -> Range<Int>? {
    var start = position
    while start > 0, isWord(characters[start - 1]) { start -= 1 }
    while start < count, !isWord(characters[start]) { start += 1 }
    let end = wordEnd(after: start, isWord)
    return start < end ? start..<end : nil
  }

  /// The first character of a line that isn't blank; the line's end if there is none.
  func firstNonBlank(ofLine line: Int) -> Int {
    let range = range(ofLine: line)
    return characters[range].firstIndex { !$0.isBlank } ?? range.upperBound
  }

  /// Whether there are only blanks, or nothing, before the cursor in its line.
  var isCursorInIndentation: Bool {
    characters[cursorLineRange.lowerBound..<cursor].allSatisfy(\.isBlank)
  }
}

extension Character {
  var isBlank: Bool { self == " " || self == "\t" }
}
