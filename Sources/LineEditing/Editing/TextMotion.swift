/// Positions to move to, found in a text.
///
/// Words are runs of characters for which `isWord` holds. In vi there are two more kinds of words: runs of other
/// characters that aren't blank, and, as "big" words, all that isn't blank.
extension EditBuffer {
  typealias WordTest = (Character) -> Bool

  /// The beginning of the word before a position, or the beginning of the text.
  func wordStart(before position: Int, _ isWord: WordTest) -> Int {
    var position = position
    while position > 0, !isWord(characters[position - 1]) { position -= 1 }
    while position > 0, isWord(characters[position - 1]) { position -= 1 }
    return position
  }

  /// The end of the word after a position, or the end of the text.
  func wordEnd(after position: Int, _ isWord: WordTest) -> Int {
    var position = position
    while position < count, !isWord(characters[position]) { position += 1 }
    while position < count, isWord(characters[position]) { position += 1 }
    return position
  }

  /// The next word at or after a position.
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

  // MARK: - vi

  /// The kinds of characters that make vi's words.
  private enum WordClass {
    case blank
    case word
    case other
  }

  private func wordClass(at position: Int, isBig: Bool, _ isWord: WordTest) -> WordClass {
    let character = characters[position]
    if character.isWhitespace { return .blank }
    return isBig || isWord(character) ? .word : .other
  }

  /// The beginning of the next word (`w`); the end of the text if there is none.
  func viWordStart(after start: Int, isBig: Bool, _ isWord: WordTest) -> Int {
    guard start < count else { return count }
    var position = start
    let kind = wordClass(at: start, isBig: isBig, isWord)
    if kind != .blank {
      while position < count, wordClass(at: position, isBig: isBig, isWord) == kind {
        position += 1
      }
    }
    while position < count, characters[position].isWhitespace { position += 1 }
    return position
  }

  /// The beginning of the word before a position (`b`).
  func viWordStart(before start: Int, isBig: Bool, _ isWord: WordTest) -> Int {
    var position = start
    while position > 0, characters[position - 1].isWhitespace { position -= 1 }
    guard position > 0 else { return 0 }
    let kind = wordClass(at: position - 1, isBig: isBig, isWord)
    while position > 0, wordClass(at: position - 1, isBig: isBig, isWord) == kind {
      position -= 1
    }
    return position
  }

  /// The last character of the word after a position (`e`).
  func viWordEnd(after start: Int, isBig: Bool, _ isWord: WordTest) -> Int {
    var position = start + 1
    while position < count, characters[position].isWhitespace { position += 1 }
    guard position < count else { return max(count - 1, 0) }
    let kind = wordClass(at: position, isBig: isBig, isWord)
    while position + 1 < count, wordClass(at: position + 1, isBig: isBig, isWord) == kind {
      position += 1
    }
    return position
  }
}

extension Character {
  /// Whether it is a space or a tab.
  var isBlank: Bool { self == " " || self == "\t" }
}
