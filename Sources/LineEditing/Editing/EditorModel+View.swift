import PrimereplPlatform

extension EditorModel {
  package var view: EditorView {
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
    let hint = hint
    view.ghost = ghost(besides: hint).map(Self.ghostText) ?? StyledText()
    view.rows = rows(with: hint)
    return view
  }

  /// The prompts, with the mode's indicator before them.
  private var prompts: (StyledText, StyledText) {
    let indicator = mode.indicator
    return (
      StyledText(indicator, .dim) + prompt,
      StyledText(String(repeating: " ", count: indicator.count)) + continuationPrompt
    )
  }

  /// A suggestion in one line.
  private static func ghostText(_ suggestion: String) -> StyledText {
    let line = suggestion.prefix { !$0.isNewline }
    let isWhole = line.endIndex == suggestion.endIndex
    return StyledText(line + (isWhole ? "" : " ↵ …"), Style(.gray))
  }

  private func rows(with hint: StyledText?) -> [StyledText] {
    if let search { return search.rows(in: history, columns: screen.columns) }
    if let menu { return menu.rows }
    let text = detail.isEmpty ? hint : detail
    return text?.wrapped(to: screen.columns) ?? []
  }

  /// The hint for the call at the cursor; nil if there is none, or it isn't shown now.
  var hint: StyledText? {
    guard isInserting, search == nil, menu == nil else { return nil }
    return delegate.hint(for: buffer.text, at: buffer.offset(of: buffer.cursor))
  }

  // MARK: - Styles

  /// The styled lines; the delegate is asked only if the text has changed.
  private var currentLines: StyledLines {
    let text = buffer.text
    if let styled, styled.text.isExactly(text) { return styled }
    let styled = StyledLines(of: buffer, delegate.styles(of: text))
    self.styled = styled
    return styled
  }

  /// Parts of the text that are emphasized for where the cursor is: brackets that match, or what a search found.
  private var emphasis: [StyledRange] {
    guard !isFinished else { return [] }
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
