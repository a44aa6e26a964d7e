/// The state of vi's modes and commands.
struct ViState {
  enum Mode {
    /// Keys type text; the only mode of Emacs' keys.
    case insert
    case command
  }

  /// A command that takes a motion.
  enum Operator {
    case delete
    case change
    case yank

    /// The command that is typed twice for whole lines.
    var command: EditorCommand {
      switch self {
      case .delete: .viDelete
      case .change: .viChange
      case .yank: .viYank
      }
    }
  }

  /// An operator with the number typed before it.
  struct PendingOperator {
    var kind: Operator
    var count: Int?
  }

  /// A search for a character in the line.
  struct Find: Equatable {
    var isBackward: Bool
    /// Whether to stop before the character.
    var isUpTo: Bool
    var character: Character?

    var reversed: Find {
      Find(isBackward: !isBackward, isUpTo: isUpTo, character: character)
    }
  }

  var mode = Mode.insert
  var pendingOperator: PendingOperator?
  var lastFind: Find?
  /// Whether all typing until Escape belongs to the command that began the insertion.
  var insertsAsOneStep = false
  /// Whether the command changes the text, so that it can be repeated.
  var isChange = false

  /// The keys of the last change.
  private(set) var lastChange: [Key] = []
  private var recording: [Key] = []
  var isRepeating = false

  /// Returns to the insert mode, for another text.
  mutating func reset() {
    (mode, pendingOperator, insertsAsOneStep) = (.insert, nil, false)
    (isChange, recording) = (false, [])
  }

  mutating func beginRecording() {
    guard !isRepeating else { return }
    (isChange, recording) = (false, [])
  }

  mutating func record(_ key: Key) {
    if !isRepeating { recording.append(key) }
  }

  mutating func endRecording() {
    guard !isRepeating, isChange else { return }
    (lastChange, recording, isChange) = (recording, [], false)
  }
}

/// The commands of vi.
extension EditorModel {
  func performInVi(_ command: EditorCommand, count: Int?) -> Outcome? {
    switch command {
    case .viCommandMode: return enterCommandMode()
    case .viDelete, .viChange, .viYank:
      let kind: ViState.Operator =
        command == .viDelete ? .delete : command == .viChange ? .change : .yank
      vi.pendingOperator = ViState.PendingOperator(kind: kind, count: count)
      return .editing
    case .viRepeatChange: return repeatChange()
    case .viYankEnd:
      killRing.add(buffer.text(in: buffer.cursor..<buffer.cursorLineRange.upperBound))
      return .editing
    default: break
    }
    guard let outcome = insertInVi(command) ?? changeInVi(command, count: count ?? 1) else {
      return nil
    }
    vi.isChange = true
    return outcome
  }

  private func enterCommandMode() -> Outcome {
    let isInserting = vi.mode == .insert
    (vi.mode, vi.insertsAsOneStep, isOverwriting) = (.command, false, false)
    guard isInserting else { return .refused }
    buffer.endStep()
    if buffer.cursorColumn > 0 { buffer.moveCursor(to: buffer.cursor - 1) }
    return .editing
  }

  private func repeatChange() -> Outcome {
    guard !vi.lastChange.isEmpty, !vi.isRepeating else { return .refused }
    vi.isRepeating = true
    defer { (vi.isRepeating, vi.isChange) = (false, false) }
    return play(vi.lastChange)
  }

  // MARK: - Insertions

  /// Commands that begin an insertion.
  private func insertInVi(_ command: EditorCommand) -> Outcome? {
    let line = buffer.cursorLineRange
    switch command {
    case .viInsert: break
    case .viAdd: buffer.moveCursor(to: min(buffer.cursor + 1, line.upperBound))
    case .viAddAtEnd: buffer.moveCursor(to: line.upperBound)
    case .viInsertAtStart: buffer.moveCursor(to: buffer.firstNonBlank(ofLine: buffer.cursorLine))
    case .viReplaceMode: isOverwriting = true
    case .viOpenBelow:
      buffer.moveCursor(to: line.upperBound)
      _ = insertLine()
    case .viOpenAbove:
      let indentation = buffer.firstNonBlank(ofLine: buffer.cursorLine) - line.lowerBound
      buffer.replace(
        line.lowerBound..<line.lowerBound,
        with: String(repeating: " ", count: indentation) + "\n")
      buffer.moveCursor(to: line.lowerBound + indentation)
    case .viChangeToEnd: _ = kill(buffer.cursor..<line.upperBound, extending: .back)
    case .viSubstituteCharacter:
      _ = kill(buffer.cursor..<min(buffer.cursor + 1, line.upperBound), extending: .back)
    case .viSubstituteLine: changeLines(buffer.cursorLine...buffer.cursorLine)
    default: return nil
    }
    beginInsertion()
    return .editing
  }

  private func beginInsertion() { (vi.mode, vi.insertsAsOneStep) = (.insert, true) }

  // MARK: - Changes

  private func changeInVi(_ command: EditorCommand, count: Int) -> Outcome? {
    let (cursor, line) = (buffer.cursor, buffer.cursorLineRange)
    switch command {
    case .deleteNextCharacter:
      return kill(cursor..<min(cursor + count, line.upperBound), extending: .back)
    case .deletePreviousCharacter, .viDeletePreviousCharacter:
      return kill(max(cursor - count, line.lowerBound)..<cursor, extending: .front)
    case .viReplaceCharacter:
      guard cursor + count <= line.upperBound else { return .refused }
      awaiting = .replacement(count: count)
      return .editing
    case .viChangeCase:
      guard cursor < line.upperBound else { return .refused }
      let end = min(cursor + count, line.upperBound)
      let changed = buffer.text(in: cursor..<end).map {
        $0.isUppercase ? $0.lowercased() : $0.uppercased()
      }
      buffer.replace(cursor..<end, with: changed.joined())
      return .editing
    case .viJoinLines: return joinLines(max(count - 1, 1))
    case .viPasteNext, .viPastePrevious:
      return pasteKilled(isAfter: command == .viPasteNext, count: count)
    case .viCommentOut:
      buffer.replace(line.lowerBound..<line.lowerBound, with: "--")
      return .editing
    default: return nil
    }
  }

  func replaceCharacters(_ count: Int, with key: Key) -> Outcome {
    guard key != .escape, let text = key == .enter ? "\n" : key.literalText else {
      vi.isChange = false
      return .refused
    }
    let cursor = buffer.cursor
    buffer.replace(cursor..<cursor + count, with: String(repeating: text, count: count))
    buffer.moveCursor(to: buffer.cursor - 1)
    return .editing
  }

  private func joinLines(_ count: Int) -> Outcome {
    guard buffer.cursorLine < buffer.lineCount - 1 else { return .refused }
    for _ in 0..<count where buffer.cursorLine < buffer.lineCount - 1 {
      let end = buffer.cursorLineRange.upperBound
      let next = buffer.firstNonBlank(ofLine: buffer.cursorLine + 1)
      buffer.replace(end..<next, with: " ")
      buffer.moveCursor(to: end)
    }
    return .editing
  }

  private func pasteKilled(isAfter: Bool, count: Int) -> Outcome {
    guard let entry = killRing.current else { return .refused }
    let line = buffer.cursorLineRange
    guard entry.isLinewise else {
      let start = isAfter ? min(buffer.cursor + 1, line.upperBound) : buffer.cursor
      buffer.replace(start..<start, with: String(repeating: entry.text, count: count))
      buffer.moveCursor(to: buffer.cursor - 1)
      return .editing
    }
    let lines = Array(repeating: entry.text, count: count).joined(separator: "\n")
    let start = isAfter ? line.upperBound : line.lowerBound
    buffer.replace(start..<start, with: isAfter ? "\n" + lines : lines + "\n")
    let first = buffer.line(at: start) + (isAfter ? 1 : 0)
    buffer.moveCursor(to: buffer.firstNonBlank(ofLine: first))
    return .editing
  }

  // MARK: - Operators

  /// Applies an operator to the text that a command moves over.
  func perform(
    _ pending: ViState.PendingOperator, with command: EditorCommand, count: Int?
  ) -> Outcome {
    let total = (count == nil && pending.count == nil) ? nil : (count ?? 1) * (pending.count ?? 1)
    switch command {
    case .viFindNext, .viFindPrevious, .viFindToNext, .viFindToPrevious:
      return awaitFind(command, count: total ?? 1)
    default: break
    }
    vi.pendingOperator = nil
    buffer.endStep()
    let line = buffer.cursorLine
    switch command {
    case pending.kind.command: return apply(pending.kind, toLines: line, line + (total ?? 1) - 1)
    case .searchNextHistory, .nextLine, .nextHistory:
      return apply(pending.kind, toLines: line, line + (total ?? 1))
    case .searchPreviousHistory, .previousLine, .previousHistory:
      return apply(pending.kind, toLines: line - (total ?? 1), line)
    default: break
    }
    guard let motion = operatorMotion(command, pending.kind, count: total) else { return .refused }
    return apply(pending.kind, motion)
  }

  /// A motion as operators see it: `cw` leaves the blanks after a word, and `dw` the line's end.
  private func operatorMotion(
    _ command: EditorCommand, _ kind: ViState.Operator, count: Int?
  ) -> Motion? {
    let cursor = buffer.cursor
    let isNextWord = command == .viNextWord || command == .viNextBigWord
    let isOnWord = cursor < buffer.count && !buffer.characters[cursor].isWhitespace
    if isNextWord, kind == .change, isOnWord {
      // A word of one character is its own end.
      let isBig = command == .viNextBigWord
      let end = (0..<(count ?? 1)).reduce(cursor - 1) { position, _ in
        buffer.viWordEnd(after: position, isBig: isBig, delegate.isWordCharacter)
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

  private func apply(_ kind: ViState.Operator, _ motion: Motion) -> Outcome {
    let cursor = buffer.cursor
    if motion.isLinewise {
      let target = buffer.line(at: motion.target)
      return apply(
        kind, toLines: min(buffer.cursorLine, target), max(buffer.cursorLine, target))
    }
    let lower = min(cursor, motion.target)
    let upper = min(max(cursor, motion.target) + (motion.isInclusive ? 1 : 0), buffer.count)
    if kind == .yank {
      killRing.add(buffer.text(in: lower..<upper))
      buffer.moveCursor(to: lower)
      return .editing
    }
    vi.isChange = true
    if lower < upper { _ = kill(lower..<upper, extending: .back) }
    action = .other
    if kind == .change { beginInsertion() }
    return .editing
  }

  private func apply(_ kind: ViState.Operator, toLines first: Int, _ last: Int) -> Outcome {
    guard first >= 0 else { return .refused }
    let lines = first...min(last, buffer.lineCount - 1)
    let range =
      buffer.range(ofLine: lines.lowerBound)
      .lowerBound..<buffer.range(ofLine: lines.upperBound).upperBound
    switch kind {
    case .yank:
      killRing.add(buffer.text(in: range), isLinewise: true)
      if lines.lowerBound < buffer.cursorLine { buffer.moveCursor(to: range.lowerBound) }
      return .editing
    case .change:
      changeLines(lines)
      beginInsertion()
    case .delete:
      killRing.add(buffer.text(in: range), isLinewise: true)
      let isLast = range.upperBound == buffer.count
      buffer.delete(
        isLast
          ? max(range.lowerBound - 1, 0)..<range.upperBound
          : range.lowerBound..<range.upperBound + 1)
      let line = min(first, buffer.lineCount - 1)
      buffer.moveCursor(to: buffer.firstNonBlank(ofLine: line))
    }
    vi.isChange = true
    return .editing
  }

  /// Cuts the text of lines, but for the indentation of the first.
  private func changeLines(_ lines: ClosedRange<Int>) {
    let start = buffer.firstNonBlank(ofLine: lines.lowerBound)
    let end = buffer.range(ofLine: lines.upperBound).upperBound
    killRing.add(
      buffer.text(in: buffer.range(ofLine: lines.lowerBound).lowerBound..<end), isLinewise: true)
    buffer.delete(start..<end)
  }

  // MARK: - Finding a character

  func awaitFind(_ command: EditorCommand, count: Int) -> Outcome {
    let find = ViState.Find(
      isBackward: command == .viFindPrevious || command == .viFindToPrevious,
      isUpTo: command == .viFindToNext || command == .viFindToPrevious)
    awaiting = .find(find, count: count)
    return .editing
  }

  func completeFind(_ find: ViState.Find, with key: Key, count: Int) -> Outcome {
    let pending = vi.pendingOperator
    vi.pendingOperator = nil
    guard case .character(let character) = key else { return .refused }
    var find = find
    find.character = character
    vi.lastFind = find
    guard let motion = motion(of: find, count: count, isRepeated: false) else { return .refused }
    if let pending {
      buffer.endStep()
      return apply(pending.kind, motion)
    }
    buffer.moveCursor(to: motion.target)
    return .editing
  }

  /// The motion to a character in the line.
  ///
  /// - Parameters:
  ///   - find: The character to find, and the direction.
  ///   - count: The number of the occurrence.
  ///   - isRepeated: Whether an occurrence right beside the cursor is the previous match, which is skipped.
  /// - Returns: The motion; nil if there are fewer occurrences.
  func motion(of find: ViState.Find, count: Int, isRepeated: Bool) -> Motion? {
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
