extension EditorModel {
  /// Returns nil if the command isn't a motion, or can't move.
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
    default: break
    }
    guard let target = target(of: command, count: count ?? 1) else { return nil }
    buffer.moveCursor(to: target)
    return .editing
  }

  private func moveVertically(_ lines: Int) -> Bool {
    let last = buffer.lineCount - 1
    let target = min(max(buffer.cursorLine + lines, 0), last)
    return buffer.moveVertically(by: target - buffer.cursorLine)
  }

  /// The position that a command moves to; nil if it can't move, or isn't a motion.
  func target(of command: EditorCommand, count: Int) -> Int? {
    let (cursor, line) = (buffer.cursor, buffer.cursorLineRange)
    let target: Int
    switch command {
    case .moveToStart, .zeroOrStart: return line.lowerBound
    case .moveToEnd: return line.upperBound
    case .previousCharacter, .nextCharacter:
      // A cursor on a character stays in the line.
      let limits = isInserting ? 0..<buffer.count : line
      let step = (command == .nextCharacter ? 1 : -1) * count
      target = min(max(cursor + step, limits.lowerBound), limits.upperBound)
    case .previousWord, .nextWord:
      let isWord = delegate.isWordCharacter
      target = (0..<count).reduce(cursor) { position, _ in
        command == .previousWord
          ? buffer.wordStart(before: position, isWord) : buffer.wordEnd(after: position, isWord)
      }
    default: return nil
    }
    return target == cursor ? nil : target
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
    guard buffer.isCursorAtEnd, isInserting, search == nil, menu == nil,
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
