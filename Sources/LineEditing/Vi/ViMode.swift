/// vi's mode, in which keys type text (insert mode) or are commands (command mode).
@MainActor
final class ViMode: EditingMode {
  unowned let editor: EditorModel

  var lastFind: Find?
  /// Whether the current command changes the text, so that it can be repeated.
  var isChange = false
  private var lastChange: [Key] = []
  /// The keys of the current command.
  private var recording: [Key] = []
  private var isRepeating = false

  init(_ editor: EditorModel) { self.editor = editor }

  var buffer: EditBuffer { editor.buffer }

  var indicator: String { editor.isInserting ? "[i] " : "[n] " }

  func reset() { (isChange, recording) = (false, []) }

  func didHandle(_ key: Key, _ outcome: Outcome) {
    // A line break typed in a change must not run the text when the change is repeated.
    if outcome != .refused { recording.append(key == .enter ? .altEnter : key) }
    guard !editor.isInserting, editor.isAtCommandStart else { return }
    if isChange { lastChange = recording }
    reset()
    if !editor.isFinished { editor.buffer.moveCursorOntoCharacter() }
  }

  func perform(_ command: EditorCommand, count: Int?) -> Outcome? {
    switch command {
    case .viCommandMode: return enterCommandMode()
    case .viRepeatChange: return repeatChange()
    case .viYankEnd:
      editor.killRing.add(buffer.text(in: buffer.cursor..<buffer.cursorLineRange.upperBound))
      return .editing
    case .viSearchBackward, .viSearchForward:
      return editor.beginSearch(isBackward: command == .viSearchBackward, runsOnEnter: false)
    case .viRepeatSearch, .viRepeatSearchBackward:
      return editor.repeatSearch(isBackward: command == .viRepeatSearch)
    default: break
    }
    if let kind = Operator(command) { return begin(kind, count: count) }
    if let outcome = move(command, count: count) { return outcome }
    guard let outcome = insert(command) ?? change(command, count: count ?? 1) else { return nil }
    // A refused one of an insertion is part of that change.
    if outcome != .refused { isChange = true }
    return outcome
  }

  private func enterCommandMode() -> Outcome {
    let wasInserting = editor.isInserting
    (editor.isInserting, editor.isStepHeld, editor.isOverwriting) = (false, false, false)
    guard wasInserting else { return .refused }
    editor.buffer.endStep()
    if buffer.cursorColumn > 0 { editor.buffer.moveCursor(to: buffer.cursor - 1) }
    return .editing
  }

  private func repeatChange() -> Outcome {
    guard !lastChange.isEmpty, !isRepeating else { return .refused }
    isRepeating = true
    defer { (isRepeating, isChange) = (false, false) }
    return editor.play(lastChange)
  }

  // MARK: - Insertions

  /// Performs a command that begins an insertion.
  private func insert(_ command: EditorCommand) -> Outcome? {
    let (cursor, line) = (buffer.cursor, buffer.cursorLineRange)
    let start = buffer.firstNonBlank(ofLine: buffer.cursorLine)
    switch command {
    case .viInsert: break
    case .viAdd: editor.buffer.moveCursor(to: min(cursor + 1, line.upperBound))
    case .viAddAtEnd: editor.buffer.moveCursor(to: line.upperBound)
    case .viInsertAtStart: editor.buffer.moveCursor(to: start)
    case .viReplaceMode: editor.isOverwriting = true
    case .viOpenBelow:
      editor.buffer.moveCursor(to: line.upperBound)
      _ = editor.insertLine()
    case .viOpenAbove:
      let indentation = String(repeating: " ", count: start - line.lowerBound)
      editor.buffer.replace(line.lowerBound..<line.lowerBound, with: indentation + "\n")
      editor.buffer.moveCursor(to: start)
    case .viChangeToEnd: _ = editor.kill(cursor..<line.upperBound, extending: .back)
    case .viSubstituteCharacter:
      _ = editor.kill(cursor..<min(cursor + 1, line.upperBound), extending: .back)
    case .viSubstituteLine: return apply(.change, toLines: buffer.cursorLine, buffer.cursorLine)
    default: return nil
    }
    beginInsertion()
    return .editing
  }

  /// Lets keys type text, which is one step of undo with the command until Escape.
  func beginInsertion() { (editor.isInserting, editor.isStepHeld) = (true, true) }

  // MARK: - Changes

  private func change(_ command: EditorCommand, count: Int) -> Outcome? {
    let (cursor, line) = (buffer.cursor, buffer.cursorLineRange)
    switch command {
    case .deleteNextCharacter:
      return editor.kill(cursor..<min(cursor + count, line.upperBound), extending: .back)
    case .deletePreviousCharacter, .viDeletePreviousCharacter:
      return editor.kill(max(cursor - count, line.lowerBound)..<cursor, extending: .front)
    case .viReplaceCharacter:
      guard cursor + count <= line.upperBound else { return .refused }
      editor.awaiting = .key { [self] in replaceCharacters(count, with: $0) }
      return .editing
    case .viChangeCase:
      guard cursor < line.upperBound else { return .refused }
      let end = min(cursor + count, line.upperBound)
      let changed = buffer.text(in: cursor..<end).map {
        $0.isUppercase ? $0.lowercased() : $0.uppercased()
      }
      editor.buffer.replace(cursor..<end, with: changed.joined())
      return .editing
    case .viJoinLines: return joinLines(max(count - 1, 1))
    case .viPasteNext, .viPastePrevious:
      return paste(isAfter: command == .viPasteNext, count: count)
    case .viCommentOut:
      editor.buffer.replace(line.lowerBound..<line.lowerBound, with: "--")
      return .editing
    default: return nil
    }
  }

  private func replaceCharacters(_ count: Int, with key: Key) -> Outcome {
    guard key != .escape, let text = key == .enter ? "\n" : key.literalText else {
      isChange = false
      return .refused
    }
    let cursor = buffer.cursor
    editor.buffer.replace(
      cursor..<cursor + count, with: String(repeating: text, count: count))
    editor.buffer.moveCursor(to: buffer.cursor - 1)
    return .editing
  }

  private func joinLines(_ count: Int) -> Outcome {
    guard buffer.cursorLine < buffer.lineCount - 1 else { return .refused }
    for _ in 0..<count where buffer.cursorLine < buffer.lineCount - 1 {
      let end = buffer.cursorLineRange.upperBound
      let next = buffer.firstNonBlank(ofLine: buffer.cursorLine + 1)
      editor.buffer.replace(end..<next, with: " ")
      editor.buffer.moveCursor(to: end)
    }
    return .editing
  }

  private func paste(isAfter: Bool, count: Int) -> Outcome {
    guard let entry = editor.killRing.current else { return .refused }
    let line = buffer.cursorLineRange
    guard entry.isLinewise else {
      let start = isAfter ? min(buffer.cursor + 1, line.upperBound) : buffer.cursor
      editor.buffer.replace(start..<start, with: String(repeating: entry.text, count: count))
      editor.buffer.moveCursor(to: buffer.cursor - 1)
      return .editing
    }
    let lines = Array(repeating: entry.text, count: count).joined(separator: "\n")
    let start = isAfter ? line.upperBound : line.lowerBound
    editor.buffer.replace(start..<start, with: isAfter ? "\n" + lines : lines + "\n")
    let first = buffer.line(at: start) + (isAfter ? 1 : 0)
    editor.buffer.moveCursor(to: buffer.firstNonBlank(ofLine: first))
    return .editing
  }
}
