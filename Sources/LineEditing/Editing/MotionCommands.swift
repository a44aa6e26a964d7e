/// Commands that move the cursor.
extension EditorModel {
  /// The target of a motion, and the part of the text that it gives an operator of vi.
  struct Motion {
    var target: Int
    /// Whether the character at the farther end belongs to it.
    var isInclusive = false
    /// Whether it takes whole lines.
    var isLinewise = false
  }

  /// Moves the cursor.
  ///
  /// - Returns: Nil if the command isn't a motion, or can't move.
  func move(_ command: EditorCommand, count: Int?) -> Outcome? {
    if takeSuggestion(with: command) { return .editing }
    let isBackward = command == .previousLine || command == .searchPreviousHistory
    switch command {
    case .previousLine, .nextLine:
      return moveVertically(isBackward ? -(count ?? 1) : count ?? 1) ? .editing : .refused
    case .searchPreviousHistory, .searchNextHistory:
      for _ in 0..<(count ?? 1) where !moveVertically(isBackward ? -1 : 1) {
        guard walkHistory(isBackward: isBackward, isSearch: true) else { return .refused }
      }
      return .editing
    case .viFindNext, .viFindPrevious, .viFindToNext, .viFindToPrevious:
      return awaitFind(command, count: count ?? 1)
    default: break
    }
    guard let motion = motion(of: command, count: count) else { return nil }
    buffer.moveCursor(to: motion.target)
    return .editing
  }

  private func moveVertically(_ lines: Int) -> Bool {
    let last = buffer.lineCount - 1
    let target = min(max(buffer.cursorLine + lines, 0), last)
    return buffer.moveVertically(by: target - buffer.cursorLine)
  }

  /// The motion of a command; nil if it can't move, or isn't a motion.
  func motion(of command: EditorCommand, count: Int?) -> Motion? {
    let (cursor, line) = (buffer.cursor, buffer.cursorLineRange)
    switch command {
    case .moveToStart, .viZero: return Motion(target: line.lowerBound)
    case .viFirstNonBlank:
      return Motion(target: buffer.firstNonBlank(ofLine: buffer.cursorLine))
    case .moveToEnd: return Motion(target: line.upperBound)
    case .viToColumn:
      return Motion(target: min(line.lowerBound + (count ?? 1) - 1, line.upperBound))
    case .previousCharacter, .nextCharacter:
      // vi stays in the line.
      let limits = vi.mode == .command ? line : 0..<buffer.count
      let step = (command == .nextCharacter ? 1 : -1) * (count ?? 1)
      let target = min(max(cursor + step, limits.lowerBound), limits.upperBound)
      return target == cursor ? nil : Motion(target: target)
    case .viToLine, .viToFirstLine:
      let number = count ?? (command == .viToLine ? buffer.lineCount : 1)
      let line = min(max(number, 1), buffer.lineCount) - 1
      return Motion(target: buffer.firstNonBlank(ofLine: line), isLinewise: true)
    case .viMatch: return bracketMotion
    case .viRepeatFind, .viRepeatFindBackward:
      guard let last = vi.lastFind else { return nil }
      let find = command == .viRepeatFind ? last : last.reversed
      return motion(of: find, count: count ?? 1, isRepeated: true)
    default: return wordMotion(command, count: count ?? 1)
    }
  }

  private func wordMotion(_ command: EditorCommand, count: Int) -> Motion? {
    let isWord = delegate.isWordCharacter
    var motion = Motion(target: buffer.cursor)
    for _ in 0..<count {
      let start = motion.target
      switch command {
      case .previousWord: motion.target = buffer.wordStart(before: start, isWord)
      case .nextWord: motion.target = buffer.wordEnd(after: start, isWord)
      case .viNextWord, .viNextBigWord:
        motion.target = buffer.viWordStart(
          after: start, isBig: command == .viNextBigWord, isWord)
      case .viPreviousWord, .viPreviousBigWord:
        motion.target = buffer.viWordStart(
          before: start, isBig: command == .viPreviousBigWord, isWord)
      case .viEndWord, .viEndBigWord:
        motion.isInclusive = true
        motion.target = buffer.viWordEnd(after: start, isBig: command == .viEndBigWord, isWord)
      default: return nil
      }
      if motion.target == start { break }
    }
    return motion.target == buffer.cursor ? nil : motion
  }

  private var bracketMotion: Motion? {
    let cursor = buffer.offset(of: buffer.cursor)
    guard let (open, close) = delegate.matchingBrackets(in: buffer.text, at: cursor) else {
      return nil
    }
    let other = open.contains(cursor) ? close : open
    return Motion(target: buffer.position(ofOffset: other.lowerBound), isInclusive: true)
  }

  // MARK: - Suggestions

  /// Takes the suggestion at the end of the text, or a word of it, if a command would move beyond the end.
  private func takeSuggestion(with command: EditorCommand) -> Bool {
    guard [.nextCharacter, .moveToEnd, .nextWord].contains(command),
      let ghost = ghost(besides: hint)
    else { return false }
    let rest = EditBuffer(ghost)
    let end =
      command == .nextWord ? rest.wordEnd(after: 0, delegate.isWordCharacter) : rest.count
    buffer.insert(rest.text(in: 0..<end))
    return true
  }

  /// The rest of the suggested completion, after the text; nil beside a hint.
  func ghost(besides hint: StyledText?) -> String? {
    guard buffer.isCursorAtEnd, vi.mode == .insert, search == nil, menu == nil,
      !isFinished, hint == nil
    else { return nil }
    let text = buffer.text
    let entry = suggestion ?? history.suggestion(for: text)
    guard let entry, entry.utf8.count > text.utf8.count, entry.hasPrefix(text),
      entry.utf8.starts(with: text.utf8)
    else { return nil }
    return String(decoding: entry.utf8.dropFirst(text.utf8.count), as: UTF8.self)
  }
}
