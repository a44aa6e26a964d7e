import PrimereplFoundation

/// A search for entries of the history that contain a text, while the text is typed.
@MainActor
struct IncrementalSearch {
  private(set) var pattern = ""
  /// Whether the last step was to older entries.
  private(set) var isBackward: Bool
  /// The edit to return to.
  let original: EditBuffer
  let runsOnEnter: Bool

  /// The matching entries, the newest first.
  private var matches: [Int] = []
  /// The index in `matches` of the entry shown; nil before anything was typed.
  private var selection: Int?
  /// Whether nothing contains the text, or nothing more in the direction wanted.
  private(set) var isFailing = false
  private let start: Int

  /// The number of matches listed.
  private static let listed = 8

  init(from start: Int, isBackward: Bool, original: EditBuffer, runsOnEnter: Bool) {
    (self.start, self.isBackward, self.original) = (start, isBackward, original)
    self.runsOnEnter = runsOnEnter
  }

  /// The index of the entry shown.
  var entry: Int? { selection.map { matches[$0] } }

  // MARK: - Searching

  /// Looks for another text: from the entry shown on if the text became longer, else from the beginning.
  mutating func search(for newPattern: String, in history: InputHistory) {
    let isLonger = !pattern.isEmpty && newPattern.hasPrefix(pattern)
    let (old, current) = (entry, isLonger ? entry ?? start : start)
    pattern = newPattern
    let test = ContainsTest(pattern)
    matches =
      pattern.isEmpty
      ? [] : history.entries.indices.reversed().filter { test.matches(history.entries[$0]) }
    // The entry shown counts if the text became longer.
    let isNewerWanted = !isBackward && current < history.count
    selection =
      isNewerWanted
      ? matches.lastIndex { $0 > current || isLonger && $0 == current }
      : matches.firstIndex { $0 < current || isLonger && $0 == current }
    isFailing = selection == nil && !pattern.isEmpty
    // The last match stays visible.
    if isFailing, let old { (matches, selection) = ([old], 0) }
  }

  /// Returns whether there is another match.
  mutating func step(isBackward: Bool) -> Bool {
    self.isBackward = isBackward
    guard let selection, !isFailing || matches.count > 1 else { return false }
    let target = selection + (isBackward ? 1 : -1)
    isFailing = !matches.indices.contains(target)
    if !isFailing { self.selection = target }
    return !isFailing
  }

  /// The UTF-8 offsets of the text in the entry shown.
  func matchedRange(in history: InputHistory) -> Range<Int>? {
    guard let entry, !pattern.isEmpty else { return nil }
    return ContainsTest(pattern).range(in: history.entries[entry])
  }

  // MARK: - View

  /// The state of the search, and the matches around the one shown, one a row.
  func rows(in history: InputHistory, columns: Int) -> [StyledText] {
    var title = isFailing ? "failing " : ""
    title += isBackward ? "reverse-i-search" : "i-search"
    var rows = [StyledText("(\(title))", .dim) + StyledText("'\(pattern)'")]
    let test = ContainsTest(pattern)
    guard let selection, test.matches(history.entries[matches[selection]]) else { return rows }
    let first = min(max(selection - Self.listed / 2, 0), max(matches.count - Self.listed, 0))
    for index in matches[first...].prefix(Self.listed).indices {
      let isSelected = index == selection
      let row = Self.row(
        for: history.entries[matches[index]], test, columns: columns - 2,
        isSelected ? .plain : .dim)
      rows.append(StyledText(isSelected ? "▸ " : "  ") + row)
    }
    return rows
  }

  /// An entry in one row, with the text looked for in sight.
  private static func row(
    for entry: String, _ test: ContainsTest, columns: Int, _ style: Style
  ) -> StyledText {
    guard let range = test.range(in: entry) else { return StyledText() }
    let lower = entry.utf8.index(entry.startIndex, offsetBy: range.lowerBound)
    let upper = entry.utf8.index(entry.startIndex, offsetBy: range.upperBound)
    var before = line(entry[..<lower])
    if before.count + line(entry[lower..<upper]).count > columns {
      before = "…" + before.suffix(max(columns / 3, 0))
    }
    var row = StyledText(before, style)
    row.append(line(entry[lower..<upper]), Style(bold: true, underlined: true))
    row.append(line(entry[upper...].prefix(max(columns, 0))), style)
    return row
  }

  /// A text in one line, with a mark and a single space for line breaks and the indentation after them.
  private static func line(_ text: Substring) -> String {
    guard text.utf8.contains(0x0A) else { return String(text) }
    var line = ""
    var isIndentation = false
    for character in text {
      if character.isNewline {
        line += isIndentation ? "" : " ↵ "
        isIndentation = true
      } else if !isIndentation || !character.isBlank {
        line.append(character)
        isIndentation = false
      }
    }
    return line
  }
}

/// Checks whether an entry contains a text; case matters only if the text has an uppercase letter.
private struct ContainsTest {
  private let pattern: [UInt8]
  private let ignoresCase: Bool
  /// The pattern, if its case is ignored and it isn't ASCII: case is more than a bit of a byte then.
  private let folded: [String]?

  init(_ text: String) {
    ignoresCase = !text.contains(where: \.isUppercase)
    pattern = Array(text.utf8)
    folded =
      ignoresCase && pattern.contains { $0 >= 0x80 } ? text.map { String($0).caseFolded } : nil
  }

  func matches(_ entry: String) -> Bool { range(in: entry) != nil }

  /// The UTF-8 offsets of the first place.
  func range(in entry: String) -> Range<Int>? {
    if let folded {
      // Comparing without case is slow, and most entries are ASCII.
      guard entry.utf8.contains(where: { $0 >= 0x80 }),
        let range = entry.map({ String($0).caseFolded }).firstRange(of: folded)
      else { return nil }
      let lower = entry.prefix(range.lowerBound).utf8.count
      return lower..<entry.prefix(range.upperBound).utf8.count
    }
    var entry = entry
    return entry.withUTF8 { bytes in
      firstIndex(in: bytes).map { $0..<$0 + pattern.count }
    }
  }

  private func firstIndex(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let first = pattern.first, bytes.count >= pattern.count else { return nil }
    let last = bytes.count - pattern.count
    for start in 0...last where folding(bytes[start]) == first {
      var length = 1
      while length < pattern.count, folding(bytes[start + length]) == pattern[length] {
        length += 1
      }
      if length == pattern.count { return start }
    }
    return nil
  }

  private func folding(_ byte: UInt8) -> UInt8 {
    ignoresCase && (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
