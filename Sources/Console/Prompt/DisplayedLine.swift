import CLibedit

/// Where libedit puts things on the screen.
///
/// libedit can draw its prompt and line anew but can't be asked to clear them first, so the row its
/// cursor is in has to be known. This follows libedit's own rules (`re_addc` and `re_putc` of its
/// `refresh.c`).
struct DisplayedLine {
  /// The terminal's columns.
  let columns: Int

  /// The terminal's rows.
  let rows: Int

  /// How many rows below the prompt's first one the cursor is.
  ///
  /// A line taller than the screen has scrolled, so that the cursor is at most in the last row.
  /// - Parameters:
  ///   - prompt: The prompt's visible characters.
  ///   - text: The line up to the cursor.
  ///   - next: The character at the cursor, if there is one: one that is two columns wide may have
  ///     gone to the next row, and the cursor with it.
  /// - Returns: The row, 0 for the prompt's first one.
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
