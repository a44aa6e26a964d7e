import Platform

/// How an edit is shown.
extension EditorModel {
  /// What is known of the call at the cursor.
  struct CachedHint {
    let text: String
    let cursor: Int
    let hint: StyledText?
  }

  /// What is to be shown.
  package var view: EditorView {
    if let cachedView { return cachedView }
    let view = makeView()
    cachedView = view
    return view
  }

  private func makeView() -> EditorView {
    var view = EditorView()
    (view.prompt, view.continuationPrompt) = prompts
    let styled = currentLines
    view.lines = styled.lines
    for line in emphasis.reduce(into: Set<Int>(), { $0.formUnion(lines(of: $1.range)) }) {
      view.lines[line] = styled.line(buffer.offsets(ofLine: line), emphasis: emphasis)
    }
    view.cursorLine = buffer.cursorLine
    view.cursorColumn = buffer.cursorColumn
    view.status = status
    view.annotation = annotation
    guard !isFinished else { return view }
    view.ghost = ghost.map(Self.ghostText) ?? StyledText()
    view.rows = rows.map { usesStyles ? $0 : StyledText($0.text) }
    return view
  }

  /// The prompts, with vi's mode before them.
  private var prompts: (StyledText, StyledText) {
    guard keyMap.style == .vi else { return (prompt, continuationPrompt) }
    let mark = vi.mode == .insert ? "[i] " : "[n] "
    return (
      StyledText(mark, usesStyles ? .dim : .plain) + prompt,
      StyledText(String(repeating: " ", count: mark.count)) + continuationPrompt
    )
  }

  /// A suggestion in one line.
  private static func ghostText(_ suggestion: String) -> StyledText {
    let line = suggestion.prefix { !$0.isNewline }
    let isWhole = line.endIndex == suggestion.endIndex
    return StyledText(line + (isWhole ? "" : " ↵ …"), Style(.gray))
  }

  private var rows: [StyledText] {
    if let search { return search.rows(in: history, columns: screen.columns) }
    if let menu { return menu.rows }
    if !detail.isEmpty { return [detail] }
    return hint.map { [$0] } ?? []
  }

  /// What is known of the call at the cursor; nil if there is none, or nothing is to be shown of it.
  var hint: StyledText? {
    guard usesStyles, vi.mode == .insert, search == nil, menu == nil else { return nil }
    if let cachedHint, cachedHint.cursor == buffer.cursor,
      cachedHint.text.isExactly(buffer.text)
    {
      return cachedHint.hint
    }
    let hint = delegate.hint(for: buffer.text, at: buffer.offset(of: buffer.cursor))
    cachedHint = CachedHint(text: buffer.text, cursor: buffer.cursor, hint: hint)
    return hint
  }

  // MARK: - Styles

  /// The styled lines; the delegate is asked only if the text has changed.
  private var currentLines: StyledLines {
    let text = buffer.text
    if let styled, styled.text.isExactly(text) { return styled }
    let ranges = usesStyles ? delegate.styles(of: text) : []
    let styled = StyledLines(of: buffer, ranges, reusing: styled)
    self.styled = styled
    return styled
  }

  /// Parts of the text that are emphasized for where the cursor is: brackets that match, or what a search found.
  private var emphasis: [StyledRange] {
    guard usesStyles, !isFinished else { return [] }
    let style = Style(bold: true, underlined: true)
    if let search {
      guard let match = search.matchedRange(in: history) else { return [] }
      return StyledLines.usable([StyledRange(match, style)], in: buffer.text)
    }
    let cursor = buffer.offset(of: buffer.cursor)
    guard let (open, close) = delegate.matchingBrackets(in: buffer.text, at: cursor),
      [open, close].contains(where: { $0.contains(cursor) || $0.upperBound == cursor })
    else { return [] }
    return StyledLines.usable(
      [StyledRange(open, style), StyledRange(close, style)], in: buffer.text)
  }

  private func lines(of offsets: Range<Int>) -> ClosedRange<Int> {
    buffer.line(
      at: buffer.position(ofOffset: offsets.lowerBound))...buffer.line(
        at: buffer.position(ofOffset: offsets.upperBound))
  }
}
