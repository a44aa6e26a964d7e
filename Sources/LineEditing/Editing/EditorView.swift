/// The view of a line editor: the block being edited and its surroundings, before it is laid out in rows and columns.
package struct EditorView: Equatable, Sendable {
  package var prompt = StyledText()
  /// The prompt of the other lines, as wide as the first one.
  package var continuationPrompt = StyledText()
  package var lines: [StyledText] = [StyledText()]
  /// Counted from 0.
  package var cursorLine = 0
  /// The number of characters before the cursor in its line.
  package var cursorColumn = 0
  /// A suggestion after the end of the last line, which isn't part of the block.
  package var ghost = StyledText()
  /// A short message at the end of the cursor's line, such as a syntax error; it is cut off if it doesn't fit.
  package var annotation = StyledText()
  /// The rows below the block, such as a hint, candidates or found entries.
  ///
  /// Each is cut off at the screen's width. If the screen has too few rows, the last are left out.
  package var rows: [StyledText] = []
  /// The row below everything else, such as watched values; nil for none.
  package var status: StyledText?

  package init() {}
}

package struct ScreenSize: Equatable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
}
