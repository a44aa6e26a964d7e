extension StyledText {
  /// The columns of the text in one row, with tabs to the next stop of 8.
  package var columns: Int { columns(upTo: .max) ?? .max }

  /// The columns of the text in one row, or nil if they are more than a number.
  ///
  /// - Complexity: O(`limit`), however long the text is.
  package func columns(upTo limit: Int) -> Int? {
    var columns = 0
    forEachCharacter { character, _ in
      columns += Self.columns(of: character, at: columns)
      return columns <= limit
    }
    return columns <= limit ? columns : nil
  }

  /// The text, cut off with `…` if it has more columns than there are.
  ///
  /// - Complexity: O(columns), however long the text is.
  package func fitted(to columns: Int) -> StyledText {
    guard columns > 0 else { return StyledText() }
    var fitted = StyledText()
    // The result if the text turns out to be too long.
    var cut: StyledText?
    var used = 0
    var isWhole = true
    forEachCharacter { character, style in
      let width = Self.columns(of: character, at: used)
      if cut == nil, used + width > columns - 1 { cut = fitted + StyledText("…", style) }
      isWhole = used + width <= columns
      guard isWhole else { return false }
      used += width
      fitted.append(String(character), style)
      return true
    }
    return isWhole ? fitted : cut ?? fitted
  }

  /// The text with spaces after it, or before it, to a number of columns; as it is if it has as many.
  package func padded(to columns: Int, onLeft: Bool = false) -> StyledText {
    let spaces = StyledText(String(repeating: " ", count: max(columns - self.columns, 0)))
    return onLeft ? spaces + self : self + spaces
  }

  /// The text in rows of at most a number of columns, broken at spaces and at its own line breaks.
  ///
  /// A word that is longer than a row is broken where the row ends. Spaces at the start of a line are kept.
  package func wrapped(to columns: Int) -> [StyledText] {
    var wrapper = WordWrapper(columns: max(columns, 1))
    forEachCharacter { character, style in
      wrapper.append(character, style)
      return true
    }
    wrapper.endLine()
    return wrapper.rows
  }

  /// The text for a terminal, with SGR sequences for its styles; line breaks stay, and everything else that isn't a visible
  /// character is escaped.
  package func terminalSequence(usingColors: Bool) -> String {
    var sequence = ""
    var current = Style.plain
    var column = 0
    forEachCharacter { character, style in
      let style = usingColors ? style : style.withoutColor
      if style != current {
        sequence += style.selection
        current = style
      }
      switch character {
      case "\n":
        sequence += "\n"
        column = 0
      case "\t":
        let width = Self.columns(of: character, at: column)
        sequence += String(repeating: " ", count: width)
        column += width
      default:
        let form = DisplayForm(character)
        sequence += form.text
        column += form.columns
      }
      return true
    }
    return current == .plain ? sequence : sequence + Style.plain.selection
  }

  /// Calls a function with each character and its style until it returns false.
  ///
  /// A run begins a character: `StyledLines` puts the ends of styles between characters.
  package func forEachCharacter(_ body: (Character, Style) -> Bool) {
    for run in runs {
      for character in run.text where !body(character, run.style) { return }
    }
  }

  private static func columns(of character: Character, at column: Int) -> Int {
    character == "\t"
      ? DisplayForm.tabStop - column % DisplayForm.tabStop : DisplayForm(character).columns
  }
}

extension Style {
  /// The SGR sequence that selects this style and no other (ECMA-48, 8.3.117).
  package var selection: String {
    var parameters = "0"
    if isBold { parameters += ";1" }
    if isDim { parameters += ";2" }
    if isUnderlined { parameters += ";4" }
    if isInverse { parameters += ";7" }
    if let color { parameters += ";\(color.rawValue)" }
    return "\u{1B}[\(parameters)m"
  }
}

private struct WordWrapper {
  let columns: Int
  private(set) var rows: [StyledText] = []
  private var row = StyledText()
  private var rowColumns = 0
  /// The spaces after the row's last word, which are dropped if the row ends there.
  private var gap = StyledText()
  private var gapColumns = 0
  private var word: [(character: Character, style: Style, columns: Int)] = []
  private var wordColumns = 0

  init(columns: Int) { self.columns = columns }

  mutating func append(_ character: Character, _ style: Style) {
    switch character {
    case "\n": endLine()
    case " ", "\t":
      endWord()
      gap.append(" ", style)
      gapColumns += 1
    default:
      let width = DisplayForm(character).columns
      word.append((character, style, width))
      wordColumns += width
    }
  }

  mutating func endLine() {
    endWord()
    rows.append(row)
    startRow()
    (gap, gapColumns) = (StyledText(), 0)
  }

  private mutating func endWord() {
    guard !word.isEmpty else { return }
    if rowColumns + gapColumns + wordColumns > columns, !row.isEmpty {
      rows.append(row)
      startRow()
    } else if gapColumns + rowColumns < columns {
      row.append(gap)
      rowColumns += gapColumns
    }
    (gap, gapColumns) = (StyledText(), 0)
    for (character, style, width) in word {
      if rowColumns + width > columns, !row.isEmpty {
        rows.append(row)
        startRow()
      }
      row.append(String(character), style)
      rowColumns += width
    }
    (word, wordColumns) = ([], 0)
  }

  private mutating func startRow() { (row, rowColumns) = (StyledText(), 0) }
}
