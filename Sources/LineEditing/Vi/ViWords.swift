/// Positions to move to at vi's words.
///
/// Words are runs of characters for which `isWord` holds, and runs of others that aren't blank; "big" words are runs of
/// all that isn't blank.
extension EditBuffer {
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
