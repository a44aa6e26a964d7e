/// The commands that take a motion.
extension ViMode {
  enum Operator {
    case delete
    case change
    case yank

    init?(_ command: EditorCommand) {
      switch command {
      case .viDelete: self = .delete
      case .viChange: self = .change
      case .viYank: self = .yank
      default: return nil
      }
    }
  }

  /// Waits for the motion of an operator.
  func begin(_ kind: Operator, count: Int?) -> Outcome {
    editor.awaiting = .command { [self] command, commandCount in
      let total = count == nil && commandCount == nil ? nil : (count ?? 1) * (commandCount ?? 1)
      // A count can be 0 if a key of Emacs begins the command.
      guard total != 0 else { return .refused }
      return perform(kind, with: command, count: total)
    }
    return .editing
  }

  /// Applies an operator to the text that a command moves over.
  private func perform(_ kind: Operator, with command: EditorCommand, count: Int?) -> Outcome {
    if let outcome = find(command, count: count ?? 1, for: kind) { return outcome }
    editor.buffer.endStep()
    let line = buffer.cursorLine
    switch command {
    case _ where Operator(command) == kind:
      return apply(kind, toLines: line, line + (count ?? 1) - 1)
    case .searchNextHistory, .nextLine, .nextHistory:
      return apply(kind, toLines: line, line + (count ?? 1))
    case .searchPreviousHistory, .previousLine, .previousHistory:
      return apply(kind, toLines: line - (count ?? 1), line)
    default:
      guard let motion = motion(of: command, for: kind, count: count) else { return .refused }
      return apply(kind, to: motion)
    }
  }

  /// A motion as operators see it: `cw` leaves the blanks after a word, and `dw` the line's end.
  private func motion(of command: EditorCommand, for kind: Operator, count: Int?) -> Motion? {
    let cursor = buffer.cursor
    let isNextWord = command == .viNextWord || command == .viNextBigWord
    let isOnWord = cursor < buffer.count && !buffer.characters[cursor].isWhitespace
    if isNextWord, kind == .change, isOnWord {
      // A word of one character is its own end.
      let isBig = command == .viNextBigWord
      let end = (0..<(count ?? 1)).reduce(cursor - 1) { position, _ in
        buffer.viWordEnd(after: position, isBig: isBig, editor.delegate.isWordCharacter)
      }
      return Motion(target: max(end, cursor), isInclusive: true)
    }
    guard var motion = motion(of: command, count: count) else { return nil }
    if isNextWord {
      let lastLine = buffer.line(at: motion.target)
      if lastLine > buffer.cursorLine, motion.target <= buffer.firstNonBlank(ofLine: lastLine) {
        motion.target = max(buffer.range(ofLine: lastLine - 1).upperBound, cursor)
      }
    }
    return motion
  }

  func apply(_ kind: Operator, to motion: Motion) -> Outcome {
    let cursor = buffer.cursor
    if motion.isLinewise {
      let (line, target) = (buffer.cursorLine, buffer.line(at: motion.target))
      return apply(kind, toLines: min(line, target), max(line, target))
    }
    let lower = min(cursor, motion.target)
    let upper = min(max(cursor, motion.target) + (motion.isInclusive ? 1 : 0), buffer.count)
    if kind == .yank {
      editor.killRing.add(buffer.text(in: lower..<upper))
      editor.buffer.moveCursor(to: lower)
      return .editing
    }
    isChange = true
    if lower < upper { _ = editor.kill(lower..<upper, extending: .back) }
    editor.action = .other
    if kind == .change { beginInsertion() }
    return .editing
  }

  /// Applies an operator to whole lines; a change keeps the indentation of the first.
  func apply(_ kind: Operator, toLines first: Int, _ last: Int) -> Outcome {
    guard first >= 0 else { return .refused }
    let start = buffer.range(ofLine: first).lowerBound
    let end = buffer.range(ofLine: last).upperBound
    editor.killRing.add(buffer.text(in: start..<end), isLinewise: true)
    switch kind {
    case .yank:
      if first < buffer.cursorLine { editor.buffer.moveCursor(to: start) }
      return .editing
    case .change:
      editor.buffer.delete(buffer.firstNonBlank(ofLine: first)..<end)
      beginInsertion()
    case .delete:
      let isLast = end == buffer.count
      editor.buffer.delete(isLast ? max(start - 1, 0)..<end : start..<end + 1)
      let line = min(first, buffer.lineCount - 1)
      editor.buffer.moveCursor(to: buffer.firstNonBlank(ofLine: line))
    }
    isChange = true
    return .editing
  }
}
