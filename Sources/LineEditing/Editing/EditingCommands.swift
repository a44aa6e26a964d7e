/// Performs commands, and implements those that change the text.
extension EditorModel {
  private static let argumentLimit = 9_999
  private static let indentationStep = 2
  private static let indentationLimit = 200

  func perform(_ command: EditorCommand, _ key: Key) -> Outcome {
    if let outcome = readArgument(command, key) { return outcome }
    let count = argument
    argument = nil
    if case .command(let handle) = awaiting {
      awaiting = nil
      return handle(command, count)
    }
    return type(command, key, count: count ?? 1)
      ?? delete(command, count: count ?? 1)
      ?? performInNewStep(command, count: count)
  }

  private func performInNewStep(_ command: EditorCommand, count: Int?) -> Outcome {
    beginStep()
    return move(command, count: count)
      ?? kill(command, count: count ?? 1)
      ?? transform(command, count: count ?? 1)
      ?? recall(command, count: count ?? 1)
      ?? mode.perform(command, count: count)
      ?? control(command)
  }

  private func readArgument(_ command: EditorCommand, _ key: Key) -> Outcome? {
    switch command {
    case .universalArgument: argument = min((argument ?? 1) * 4, Self.argumentLimit)
    case .argumentDigit: break
    case .digit, .zeroOrStart: if argument == nil { return nil }
    default: return nil
    }
    action = previousAction
    guard command != .universalArgument else { return .editing }
    let digit: Int? =
      switch key {
      case .character(let character), .alt(let character): character.wholeNumberValue
      default: nil
      }
    guard let digit, (0...9).contains(digit) else { return .refused }
    argument = min((argument ?? 0) * 10 + digit, Self.argumentLimit)
    return .editing
  }

  // MARK: - Typing

  private func type(_ command: EditorCommand, _ key: Key, count: Int) -> Outcome? {
    switch command {
    case .insert, .digit:
      guard let text = key.literalText else { return .refused }
      return type(text, count: count)
    default: return nil
    }
  }

  private func type(_ text: String, count: Int) -> Outcome {
    let isBlank = text.isBlank
    let followsBlank = buffer.cursor > 0 && buffer.characters[buffer.cursor - 1].isWhitespace
    if previousAction != .typing || followsBlank && !isBlank { beginStep() }
    if previousAction != .typing { reindented = nil }
    action = .typing
    let cursor = buffer.cursor
    if isOverwriting {
      let end = min(cursor + count, buffer.cursorLineRange.upperBound)
      buffer.replace(cursor..<end, with: String(repeating: text, count: count))
    } else {
      buffer.insert(count == 1 ? text : String(repeating: text, count: count))
    }
    reindent()
    return .editing
  }

  private func insertLiterally(_ key: Key) -> Outcome {
    guard let text = key.literalText else { return .refused }
    buffer.endStep()
    buffer.insert(text)
    return .editing
  }

  /// Moves the cursor's line back if it closes a block now, and forth again if it no longer does.
  private func reindent() {
    let line = buffer.cursorLine
    // The first line closes no block. This keeps typing, and pasting without brackets, fast in long lines.
    guard line > 0, buffer.cursor == buffer.range(ofLine: line).upperBound else { return }
    let text =
      buffer.isCursorAtEnd ? buffer.text : buffer.text(in: 0..<buffer.cursor)
    let start = buffer.range(ofLine: line).lowerBound
    let indentation = buffer.firstNonBlank(ofLine: line) - start
    if reindented?.line != line { reindented = nil }
    let closing = delegate.reindentation(ofLastLineIn: text)
    guard let wanted = closing.map(Self.limited(indentation:)) ?? reindented?.indentation else {
      return
    }
    reindented = closing == nil ? nil : reindented ?? (line: line, indentation: indentation)
    guard wanted != indentation else { return }
    let cursor = buffer.cursor
    buffer.replace(start..<start + indentation, with: String(repeating: " ", count: wanted))
    buffer.moveCursor(to: cursor + wanted - indentation)
  }

  /// Adds a line at the cursor, indented unless the next line has its own indentation.
  func insertLine() -> Outcome {
    guard !isLineFollowed else {
      buffer.insert("\n")
      return .editing
    }
    let before = buffer.text(in: 0..<buffer.cursor)
    let columns = Self.limited(indentation: delegate.indentation(after: before))
    let rest = buffer.characters[buffer.cursor..<buffer.cursorLineRange.upperBound]
    let end = rest.firstIndex { !$0.isBlank } ?? buffer.cursor
    buffer.replace(
      buffer.cursor..<end, with: "\n" + String(repeating: " ", count: columns))
    return .editing
  }

  private static func limited(indentation columns: Int) -> Int {
    min(max(columns, 0), indentationLimit)
  }

  /// Adds spaces up to the next level of indentation.
  func indent() -> Outcome {
    let column = buffer.cursorColumn
    let spaces = Self.indentationStep - column % Self.indentationStep
    buffer.insert(String(repeating: " ", count: spaces))
    return .editing
  }

  // MARK: - Deleting

  private func delete(_ command: EditorCommand, count: Int) -> Outcome? {
    switch command {
    case .emacsDeletePreviousCharacter, .viDeletePreviousCharacter, .deletePreviousCharacter:
      guard isInserting else { return nil }
      return deleteBackward(count)
    case .deleteOrEnd where buffer.isEmpty, .endIfEmpty where buffer.isEmpty:
      return finish(.endOfInput)
    case .deleteNextCharacter, .deleteOrEnd:
      guard isInserting else { return nil }
      guard !buffer.isCursorAtEnd else { return .refused }
      continueStep(of: .deleting)
      buffer.delete(buffer.cursor..<buffer.cursor + count)
      return .editing
    default: return nil
    }
  }

  private func continueStep(of kind: Action) {
    if previousAction != kind { beginStep() }
    action = kind
  }

  private func deleteBackward(_ count: Int) -> Outcome {
    guard buffer.cursor > 0 else { return .refused }
    continueStep(of: .deleting)
    let before = buffer.characters[buffer.cursorLineRange.lowerBound..<buffer.cursor]
    let isIndentation = count == 1 && !before.isEmpty && before.allSatisfy { $0 == " " }
    let length = isIndentation ? (before.count - 1) % Self.indentationStep + 1 : count
    buffer.delete(max(buffer.cursor - length, 0)..<buffer.cursor)
    return .editing
  }

  // MARK: - Killing

  private func kill(_ command: EditorCommand, count: Int) -> Outcome? {
    let (cursor, line) = (buffer.cursor, buffer.cursorLineRange)
    switch command {
    case .killLine:
      // At a line's end, this is its newline.
      let end = cursor == line.upperBound && isInserting ? cursor + 1 : line.upperBound
      return kill(cursor..<end, extending: .back)
    case .killLineStart:
      let start = cursor == line.lowerBound ? cursor - 1 : line.lowerBound
      return kill(start..<cursor, extending: .front)
    case .killWholeLine: return kill(0..<buffer.count, extending: .back)
    case .deletePreviousWord:
      return kill((target(of: .previousWord, count: count) ?? cursor)..<cursor, extending: .front)
    case .deletePreviousBigWord:
      let start = (0..<count).reduce(cursor) { position, _ in
        buffer.wordStart(before: position) { !$0.isWhitespace }
      }
      return kill(start..<cursor, extending: .front)
    case .deleteNextWord:
      return kill(cursor..<(target(of: .nextWord, count: count) ?? cursor), extending: .back)
    case .killRegion, .copyRegion:
      guard let mark else { return .refused }
      let region = min(mark, cursor)..<max(mark, cursor)
      if command == .killRegion { return kill(region, extending: .back) }
      killRing.add(buffer.text(in: region))
      return .editing
    case .startOver:
      buffer.setText("")
      return .editing
    default: return nil
    }
  }

  func kill(_ range: Range<Int>, extending side: KillRing.Side) -> Outcome {
    let range = range.clamped(to: 0..<buffer.count)
    guard !range.isEmpty else { return .refused }
    killRing.add(
      buffer.text(in: range), extending: previousAction == .killing ? side : nil)
    buffer.delete(range)
    action = .killing
    return .editing
  }

  // MARK: - Changing

  private func transform(_ command: EditorCommand, count: Int) -> Outcome? {
    switch command {
    case .yank: return yank()
    case .yankPop: return yankPop()
    case .copyPreviousWord: return copyPreviousWord()
    case .insertLastArgument: return insertLastArgument()
    case .transposeCharacters: return transposeCharacters()
    case .transposeWords: return transposeWords()
    case .upperCase: return changeWords(count) { $0.uppercased() }
    case .lowerCase: return changeWords(count) { $0.lowercased() }
    case .capitalize:
      return changeWords(count) { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
    case .undo: return (0..<count).allSatisfy { _ in buffer.undo() } ? .editing : .refused
    case .redo: return (0..<count).allSatisfy { _ in buffer.redo() } ? .editing : .refused
    default: return nil
    }
  }

  private func yank() -> Outcome {
    guard let text = killRing.current?.text else { return .refused }
    return insert(text, replacing: buffer.cursor..<buffer.cursor) { .yanking($0) }
  }

  private func yankPop() -> Outcome {
    guard case .yanking(let range) = previousAction else { return .refused }
    killRing.turn()
    guard let text = killRing.current?.text else { return .refused }
    return insert(text, replacing: range) { .yanking($0) }
  }

  private func insert(
    _ text: String, replacing range: Range<Int>, as makeAction: (Range<Int>) -> Action
  ) -> Outcome {
    buffer.replace(range, with: text)
    let start = min(range.lowerBound, buffer.cursor)
    action = makeAction(start..<buffer.cursor)
    return .editing
  }

  private func copyPreviousWord() -> Outcome {
    let start = buffer.wordStart(before: buffer.cursor, delegate.isWordCharacter)
    guard start < buffer.cursor else { return .refused }
    buffer.insert(buffer.text(in: start..<buffer.cursor))
    return .editing
  }

  /// Inserts the last word of the newest entry, or, when repeated, of the one before.
  private func insertLastArgument() -> Outcome {
    var (entry, range) = (history.count - 1, buffer.cursor..<buffer.cursor)
    if case .insertingArgument(let last, let lastRange) = previousAction {
      (entry, range) = (last - 1, lastRange)
    }
    guard history.entries.indices.contains(entry),
      let word = history.entries[entry].split(whereSeparator: \.isWhitespace).last
    else {
      action = previousAction
      return .refused
    }
    return insert(String(word), replacing: range) { .insertingArgument(entry: entry, $0) }
  }

  private func transposeCharacters() -> Outcome {
    let line = buffer.cursorLineRange
    let right = buffer.cursor == line.upperBound ? buffer.cursor - 1 : buffer.cursor
    guard right > line.lowerBound else { return .refused }
    let (first, second) = (buffer.characters[right - 1], buffer.characters[right])
    buffer.replace(right - 1..<right + 1, with: String([second, first]))
    return .editing
  }

  private func transposeWords() -> Outcome {
    let isWord = delegate.isWordCharacter
    let lastStart = buffer.wordStart(before: buffer.cursor, isWord)
    let second =
      buffer.word(atOrAfter: buffer.cursor, isWord) ?? buffer.word(atOrAfter: lastStart, isWord)
    guard let second,
      let first = buffer.word(
        atOrAfter: buffer.wordStart(before: second.lowerBound, isWord), isWord),
      first.upperBound <= second.lowerBound
    else { return .refused }
    let between = buffer.text(in: first.upperBound..<second.lowerBound)
    buffer.replace(
      first.lowerBound..<second.upperBound,
      with: buffer.text(in: second) + between + buffer.text(in: first))
    return .editing
  }

  private func changeWords(_ count: Int, _ change: (String) -> String) -> Outcome {
    guard !buffer.isCursorAtEnd else { return .refused }
    for _ in 0..<count where !buffer.isCursorAtEnd {
      let end = buffer.wordEnd(after: buffer.cursor, delegate.isWordCharacter)
      let start =
        buffer.characters[buffer.cursor..<end].firstIndex(where: delegate.isWordCharacter) ?? end
      buffer.replace(start..<end, with: change(buffer.text(in: start..<end)))
    }
    return .editing
  }

  // MARK: - Others

  private func control(_ command: EditorCommand) -> Outcome {
    switch command {
    case .newline: return enter()
    case .insertLine: return insertLine()
    case .complete: return complete()
    case .quotedInsert: awaiting = .key { [unowned self] in insertLiterally($0) }
    case .setMark: mark = buffer.cursor
    case .exchangeMark:
      guard let mark else { return .refused }
      self.mark = buffer.cursor
      buffer.moveCursor(to: mark)
    case .toggleOverwrite: isOverwriting.toggle()
    case .abort: return .refused
    case .ignore, .redisplay: break
    case .clearScreen: return .screenCleared
    case .suspend: return .suspended
    case .interrupt: return finish(.interrupted)
    case .endOfFile: return finish(.endOfInput)
    case .externalEditor: return .externalEditor(buffer.text)
    default: return .refused
    }
    return .editing
  }
}
