/// Commands that move the cursor, or give an operator its text.
extension ViMode {
  /// The target of a motion, and the text between it and the cursor.
  struct Motion {
    var target: Int
    /// Whether the character at the farther end belongs to the text.
    var isInclusive = false
    /// Whether the text consists of whole lines.
    var isLinewise = false
  }

  /// Moves the cursor, or waits for the character to move to.
  ///
  /// - Returns: Nil if the command isn't a motion, or can't move.
  func move(_ command: EditorCommand, count: Int?) -> Outcome? {
    if let outcome = find(command, count: count ?? 1) { return outcome }
    guard let motion = motion(of: command, count: count) else { return nil }
    editor.buffer.moveCursor(to: motion.target)
    return .editing
  }

  /// The motion of a command, which may be a common one; nil if it can't move, or isn't a motion.
  func motion(of command: EditorCommand, count: Int?) -> Motion? {
    let line = buffer.cursorLineRange
    switch command {
    case .viFirstNonBlank:
      return Motion(target: buffer.firstNonBlank(ofLine: buffer.cursorLine))
    case .viToColumn:
      return Motion(target: min(line.lowerBound + (count ?? 1) - 1, line.upperBound))
    case .viToLine, .viToFirstLine:
      let number = count ?? (command == .viToLine ? buffer.lineCount : 1)
      let line = min(max(number, 1), buffer.lineCount) - 1
      return Motion(target: buffer.firstNonBlank(ofLine: line), isLinewise: true)
    case .viMatch: return bracketMotion
    case .viRepeatFind, .viRepeatFindBackward:
      guard var find = lastFind else { return nil }
      if command == .viRepeatFindBackward { find.isBackward.toggle() }
      return motion(to: find, count: count ?? 1, isRepeated: true)
    default:
      return wordMotion(command, count: count ?? 1)
        ?? editor.target(of: command, count: count ?? 1).map { Motion(target: $0) }
    }
  }

  private func wordMotion(_ command: EditorCommand, count: Int) -> Motion? {
    let isWord = editor.delegate.isWordCharacter
    let isBig = [.viNextBigWord, .viPreviousBigWord, .viEndBigWord].contains(command)
    var motion = Motion(target: buffer.cursor)
    for _ in 0..<count {
      let start = motion.target
      switch command {
      case .viNextWord, .viNextBigWord:
        motion.target = buffer.viWordStart(after: start, isBig: isBig, isWord)
      case .viPreviousWord, .viPreviousBigWord:
        motion.target = buffer.viWordStart(before: start, isBig: isBig, isWord)
      case .viEndWord, .viEndBigWord:
        motion.isInclusive = true
        motion.target = buffer.viWordEnd(after: start, isBig: isBig, isWord)
      default: return nil
      }
      if motion.target == start { break }
    }
    return motion.target == buffer.cursor ? nil : motion
  }

  private var bracketMotion: Motion? {
    let cursor = buffer.offset(of: buffer.cursor)
    guard let (open, close) = editor.delegate.matchingBrackets(in: buffer.text, at: cursor) else {
      return nil
    }
    let other = open.contains(cursor) ? close : open
    return Motion(target: buffer.position(ofOffset: other.lowerBound), isInclusive: true)
  }

  // MARK: - Finding a character

  struct Find {
    let character: Character
    var isBackward: Bool
    /// Whether to stop before the character.
    let isUpTo: Bool
  }

  /// Waits for the character to move to, or up to which an operator is applied.
  ///
  /// - Returns: Nil if the command isn't such a search.
  func find(_ command: EditorCommand, count: Int, for kind: Operator? = nil) -> Outcome? {
    let isBackward = command == .viFindPrevious || command == .viFindToPrevious
    let isUpTo = command == .viFindToNext || command == .viFindToPrevious
    guard isBackward || isUpTo || command == .viFindNext else { return nil }
    editor.awaiting = .key { [self] key in
      guard case .character(let character) = key else { return .refused }
      let find = Find(character: character, isBackward: isBackward, isUpTo: isUpTo)
      lastFind = find
      guard let motion = motion(to: find, count: count, isRepeated: false) else {
        return .refused
      }
      if let kind {
        editor.buffer.endStep()
        return apply(kind, to: motion)
      }
      editor.buffer.moveCursor(to: motion.target)
      return .editing
    }
    return .editing
  }

  /// The motion to an occurrence of a character in the line; nil if there are fewer.
  ///
  /// If the search is repeated, an occurrence right beside the cursor is the previous match, which is skipped.
  private func motion(to find: Find, count: Int, isRepeated: Bool) -> Motion? {
    let line = buffer.cursorLineRange
    let step = find.isBackward ? -1 : 1
    var position = buffer.cursor
    var rest = count
    if find.isUpTo, isRepeated { position += step }
    repeat {
      position += step
      guard line.contains(position) else { return nil }
      if buffer.characters[position] == find.character { rest -= 1 }
    } while rest > 0
    return Motion(target: find.isUpTo ? position - step : position, isInclusive: !find.isBackward)
  }
}
