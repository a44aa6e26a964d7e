import PrimereplFoundation

/// The text of an edit, with a cursor, and its undo history.
///
/// Positions count characters from the beginning of the text. The characters are always those that the text as a whole
/// has: a combining mark that comes to stand behind a letter becomes part of it. An exception is a carriage return
/// before a newline, which stays a character of its own, as every newline separates lines.
struct EditBuffer {
  private(set) var characters: [Character] = []
  private(set) var text = ""
  private(set) var cursor = 0

  private var lineStarts = [LineStart(position: 0, offset: 0)]
  /// The column to return to when vertical moves pass shorter lines.
  private var goalColumn: Int?
  private var undoSteps: [Step] = []
  private var redoSteps: [Step] = []
  private var isStepOpen = false

  init(_ text: String = "") {
    guard !text.isEmpty else { return }
    let inserted = Self.characters(of: text)
    apply(Edit(position: 0, removed: [], inserted: inserted))
    cursor = inserted.count
  }

  var count: Int { characters.count }
  var isEmpty: Bool { characters.isEmpty }
  var isCursorAtEnd: Bool { cursor == count }

  static func characters(of text: String) -> [Character] {
    var characters = Array(text)
    guard characters.contains("\r\n") else { return characters }
    characters = characters.flatMap { $0 == "\r\n" ? ["\r", "\n"] : [$0] }
    return characters
  }

  /// Positions outside the text are left out.
  func text(in range: Range<Int>) -> String {
    String(characters[range.clamped(to: 0..<count)])
  }

  // MARK: - Lines

  private struct LineStart {
    var position: Int
    /// Its distance from the beginning of the text in UTF-8 bytes.
    var offset: Int
  }

  var lineCount: Int { lineStarts.count }

  /// - Complexity: O(log n), where n is the number of lines.
  func line(at position: Int) -> Int { lineBefore { $0.position > position } }

  private func lineBefore(where follows: (LineStart) -> Bool) -> Int {
    lineStarts.dropFirst().partitioningIndex(where: follows) - 1
  }

  /// The positions of a line's characters, without its newline; the last line's for a number beyond the text.
  func range(ofLine line: Int) -> Range<Int> {
    let line = min(max(line, 0), lineCount - 1)
    let end = line + 1 < lineCount ? lineStarts[line + 1].position - 1 : count
    return lineStarts[line].position..<end
  }

  /// The UTF-8 offsets of a line, without its newline.
  func offsets(ofLine line: Int) -> Range<Int> {
    let line = min(max(line, 0), lineCount - 1)
    let end = line + 1 < lineCount ? lineStarts[line + 1].offset - 1 : text.utf8.count
    return lineStarts[line].offset..<end
  }

  var cursorLine: Int { line(at: cursor) }
  var cursorColumn: Int { cursor - lineStarts[cursorLine].position }
  var cursorLineRange: Range<Int> { range(ofLine: cursorLine) }

  /// The distance of a position from the beginning of the text in UTF-8 bytes.
  ///
  /// - Complexity: O(length of the line), but O(1) at the end of the text, where most is typed.
  func offset(of position: Int) -> Int {
    guard position < count else { return text.utf8.count }
    let position = max(position, 0)
    let start = lineStarts[line(at: position)]
    return characters[start.position..<position].reduce(start.offset) { $0 + $1.utf8.count }
  }

  /// The position of the character that contains a UTF-8 offset.
  ///
  /// - Complexity: O(length of the line).
  func position(ofOffset offset: Int) -> Int {
    let start = lineStarts[lineBefore { $0.offset > offset }]
    var (position, rest) = (start.position, offset - start.offset)
    while position < count {
      rest -= characters[position].utf8.count
      guard rest >= 0 else { break }
      position += 1
    }
    return position
  }

  // MARK: - Moving

  mutating func moveCursor(to position: Int) {
    cursor = min(max(position, 0), count)
    goalColumn = nil
  }

  /// Moves up, for a negative number, or down by lines, and keeps the column where the lines allow it.
  ///
  /// - Returns: Whether there is such a line; if not, nothing is moved.
  mutating func moveVertically(by lines: Int) -> Bool {
    let target = cursorLine + lines
    guard lines != 0, (0..<lineCount).contains(target) else { return false }
    let column = goalColumn ?? cursorColumn
    let range = range(ofLine: target)
    cursor = min(range.lowerBound + column, range.upperBound)
    goalColumn = column
    return true
  }

  /// Moves from the end of a line to its last character, if it has one; the column for vertical moves stays.
  mutating func moveCursorOntoCharacter() {
    let line = cursorLineRange
    if !line.isEmpty, cursor == line.upperBound { cursor -= 1 }
  }

  // MARK: - Editing

  mutating func insert(_ text: String) { replace(cursor..<cursor, with: text) }

  /// Replaces a part of the text, and moves the cursor behind the new part.
  ///
  /// - Complexity: O(n), where n is the length of the text; only memory is moved, unless characters combine.
  mutating func replace(_ range: Range<Int>, with replacement: String) {
    let range = range.clamped(to: 0..<count)
    guard !range.isEmpty || !replacement.isEmpty else { return moveCursor(to: range.lowerBound) }
    let (edit, newCursor) = edit(replacing: range, with: Self.characters(of: replacement))
    let previousCursor = cursor
    apply(edit)
    moveCursor(to: newCursor)
    record(edit, previousCursor: previousCursor)
  }

  mutating func delete(_ range: Range<Int>) { replace(range, with: "") }

  /// Replaces the whole text, as a step of its own.
  mutating func setText(_ text: String) {
    endStep()
    replace(0..<count, with: text)
    endStep()
  }

  private struct Edit {
    var position: Int
    var removed: [Character]
    var inserted: [Character]

    var inverse: Edit { Edit(position: position, removed: inserted, inserted: removed) }
  }

  /// The edit that replaces a range, with the neighbors that combine with the new characters, and the cursor after it.
  private func edit(
    replacing range: Range<Int>, with inserted: [Character]
  ) -> (Edit, cursor: Int) {
    let left = range.lowerBound > 0 ? characters[range.lowerBound - 1] : nil
    let right = range.upperBound < count ? characters[range.upperBound] : nil
    guard
      Self.combine(left, inserted.first ?? right) || Self.combine(inserted.last ?? left, right)
    else {
      let edit = Edit(
        position: range.lowerBound, removed: Array(characters[range]), inserted: inserted)
      return (edit, range.lowerBound + inserted.count)
    }
    // The end of a cluster depends on those before it (flags, families).
    let before = String(characters[..<range.lowerBound]) + String(inserted)
    let after = String(characters[range.upperBound...])
    let combined = Self.characters(of: before + after)
    var (length, scalars) = (0, before.unicodeScalars.count)
    while scalars > 0, length < combined.count {
      scalars -= combined[length].unicodeScalars.count
      length += 1
    }
    return (Edit(position: 0, removed: characters, inserted: combined), length)
  }

  /// Whether two characters side by side aren't the same two characters in a text.
  private static func combine(_ left: Character?, _ right: Character?) -> Bool {
    guard let left, let right, !(left.isASCII && right.isASCII) else { return false }
    return characters(of: String(left) + String(right)) != [left, right]
  }

  private mutating func apply(_ edit: Edit) {
    let end = edit.position + edit.removed.count
    let start = offset(of: edit.position)
    let removedBytes = edit.removed.reduce(0) { $0 + $1.utf8.count }
    let lower = text.utf8.index(text.utf8.startIndex, offsetBy: start)
    let upper = text.utf8.index(lower, offsetBy: removedBytes)
    text.replaceSubrange(lower..<upper, with: String(edit.inserted))

    let firstLine = line(at: edit.position) + 1
    let lastLine = line(at: end) + 1
    var newStarts: [LineStart] = []
    var offset = start
    for (index, character) in edit.inserted.enumerated() {
      offset += character.utf8.count
      guard character == "\n" else { continue }
      newStarts.append(LineStart(position: edit.position + index + 1, offset: offset))
    }
    for line in lastLine..<lineStarts.count {
      lineStarts[line].position += edit.inserted.count - edit.removed.count
      lineStarts[line].offset += offset - start - removedBytes
    }
    if firstLine < lastLine || !newStarts.isEmpty {
      lineStarts.replaceSubrange(firstLine..<lastLine, with: newStarts)
    }
    characters.replaceSubrange(edit.position..<end, with: edit.inserted)
  }

  // MARK: - Undo

  /// The edits that one undo reverts.
  private struct Step {
    var edits: [Edit] = []
    let cursorBefore: Int
    var cursorAfter: Int
  }

  /// Ends the step of undo: the next edit begins another one.
  mutating func endStep() { isStepOpen = false }

  private mutating func record(_ edit: Edit, previousCursor: Int) {
    redoSteps = []
    if !isStepOpen {
      undoSteps.append(Step(cursorBefore: previousCursor, cursorAfter: cursor))
      isStepOpen = true
    }
    let step = undoSteps.count - 1
    undoSteps[step].edits.append(edit)
    undoSteps[step].cursorAfter = cursor
  }

  /// Returns whether there was a step to undo.
  mutating func undo() -> Bool {
    guard let step = undoSteps.popLast() else { return false }
    for edit in step.edits.reversed() { apply(edit.inverse) }
    moveCursor(to: step.cursorBefore)
    redoSteps.append(step)
    isStepOpen = false
    return true
  }

  /// Returns whether there was a step to redo.
  mutating func redo() -> Bool {
    guard let step = redoSteps.popLast() else { return false }
    for edit in step.edits { apply(edit) }
    moveCursor(to: step.cursorAfter)
    undoSteps.append(step)
    isStepOpen = false
    return true
  }
}
