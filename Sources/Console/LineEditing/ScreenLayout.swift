import CLibedit

/// Where libedit puts things on the screen.
///
/// libedit can redraw its prompt and line, but not clear them first, so we have to know the row of its cursor.
/// This follows libedit's own rules (`re_addc` and `re_putc` in its `refresh.c`).
struct DisplayedLine {
  let columns: Int
  let rows: Int

  /// Finds the cursor's row.
  ///
  /// A line taller than the screen has scrolled, so the cursor is at most in the last row.
  ///
  /// - Parameters:
  ///   - prompt: The prompt's visible characters.
  ///   - text: The line up to the cursor.
  ///   - next: The character at the cursor, if any. A character two columns wide may have moved to the next row, and
  ///     the cursor with it.
  /// - Returns: The row, counted from 0 for the prompt's first row.
  /// - Complexity: O(n), where n is the length of prompt and text.
  func cursorRow(
    prompt: some Sequence<Unicode.Scalar>, text: some Sequence<Unicode.Scalar>,
    next: Unicode.Scalar? = nil
  ) -> Int {
    var position = Position(columns: max(columns, 1))
    for scalar in prompt { position.advance(over: scalar) }
    for scalar in text { position.advance(over: scalar) }
    let nextWidth = next.map(Self.width) ?? 0
    let isNextBelow = nextWidth > 1 && position.column + nextWidth > position.columns
    return min(position.row + (isNextBelow ? 1 : 0), max(rows - 1, 0))
  }

  /// The columns of a character that is shown as itself.
  fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
    max(Int(wcwidth(wchar_t(bitPattern: scalar.value))), 0)
  }
}

/// A place on the screen that moves as characters are drawn.
private struct Position {
  let columns: Int
  var row = 0
  var column = 0

  init(columns: Int) {
    self.columns = columns
  }

  mutating func advance(over scalar: Unicode.Scalar) {
    let code = wint_t(scalar.value)
    if scalar == "\t" {
      repeat { advance(by: 1) } while column % 8 != 0
    } else if scalar == "\n" {
      row += 1
      column = 0
    } else if code < 0x100, iswcntrl(code) != 0 {
      for _ in "^A" { advance(by: 1) }
    } else if iswprint(code) != 0 {
      advance(by: DisplayedLine.width(scalar))
    } else {
      for _ in code > 0xFFFF ? "\\U+12345" : "\\U+1234" { advance(by: 1) }
    }
  }

  private mutating func advance(by width: Int) {
    if column + width > columns {
      row += 1
      column = 0
    }
    column += width
    if column >= columns {
      row += 1
      column = 0
    }
  }
}

/// A prompt in libedit's form, and its visible characters.
///
/// libedit needs marks around the parts that occupy no columns. It drops such a part at the very end of a prompt, so
/// a trailing color sequence is moved in front of the last visible character: prompts should end in a plain space.
struct PromptText: Equatable {
  /// The mark, for `EL_PROMPT_ESC`.
  static let marker: Unicode.Scalar = "\u{1}"

  /// The prompt with its color sequences marked, without the zero character at the end.
  let marked: [Unicode.Scalar]

  /// The prompt without its color sequences.
  let visible: [Unicode.Scalar]

  /// - Parameter prompt: Text that may contain ANSI control sequences (`ESC [`, parameters, a letter).
  init(_ prompt: String) {
    // A visible character, and the sequences that come before it.
    var pieces: [(sequences: [Unicode.Scalar], character: Unicode.Scalar)] = []
    var sequences: [Unicode.Scalar] = []
    var isInSequence = false
    for scalar in prompt.unicodeScalars {
      if isInSequence || scalar == "\u{1B}" {
        sequences.append(scalar)
        // ECMA-48, 5.4: the final byte of a control sequence is in @ to ~; [ only introduces it.
        isInSequence = scalar == "[" || !("@"..."~").contains(scalar)
      } else {
        pieces.append((sequences, scalar))
        sequences = []
      }
    }
    if let last = pieces.indices.last { pieces[last].sequences += sequences }
    visible = pieces.map(\.character)
    marked = pieces.flatMap { piece in
      piece.sequences.isEmpty
        ? [piece.character] : [Self.marker] + piece.sequences + [Self.marker, piece.character]
    }
  }
}

/// Lays out names in columns, sorted downwards, as `ls` does.
enum ColumnLayout {
  /// The lines of a table that fits into a width, without newlines.
  static func lines(_ names: [String], width: Int) -> [String] {
    let cell = (names.map(\.count).max() ?? 0) + 2
    let columns = max(width / cell, 1)
    let rows = (names.count + columns - 1) / columns
    return (0..<rows).map { row in
      let cells = stride(from: row, to: names.count, by: rows).map { names[$0] }
      let padded = cells.dropLast().map { $0 + String(repeating: " ", count: cell - $0.count) }
      return (padded + cells.suffix(1)).joined()
    }
  }
}
