import PrimereplLineEditing
import Scripting
import StateStore

/// A value as it is laid out on lines: a text, or a table of other values.
indirect enum ValueNode {
  case text(StyledText)
  case string(QuotedString)
  /// A text that an object gave itself, which may have any number of lines.
  case lines([StyledText])
  case table(Table)

  struct Table {
    /// The text before the brace; may be empty.
    var name = StyledText()
    var entries: [Entry] = []
  }

  /// An entry of a table, or a note on those that are left out.
  struct Entry {
    /// The text before the value; nil for an element of a sequence.
    var key: StyledText?
    var value: ValueNode
    /// The number of entries left out by the note; 0 for an entry.
    var hidden = 0

    /// A note on a number of entries that are left out, or ``uncounted``.
    static func more(_ count: Int) -> Entry {
      let text = count == uncounted ? "... more ..." : "... \(count.grouped) more ..."
      return Entry(key: nil, value: .text(StyledText(text, .dim)), hidden: count)
    }

    static let uncounted = Int.max

    /// A note that stands for entries, of which some may be notes themselves.
    static func more(insteadOf entries: some Collection<Entry>) -> Entry {
      .more(
        entries.reduce(0) { sum, entry in
          let (count, overflows) = sum.addingReportingOverflow(max(1, entry.hidden))
          return overflows ? uncounted : count
        })
    }
  }

  static func text(_ text: String, _ style: Style = .plain) -> ValueNode {
    .text(StyledText(text, style))
  }

  /// The text of a value without parts.
  var ownText: StyledText? {
    switch self {
    case .text(let text): text
    case .string(let string): string.text
    case .lines, .table: nil
    }
  }
}

// MARK: - Parts of the state

extension ValueNode {
  /// Makes a node of a part of the state that is in `depth` tables.
  init(_ value: StateValue, _ limits: ValueLimits, depth: Int = 0) {
    switch value {
    case .none: self = .text("nil", .dim)
    case .boolean(let value): self = .text("\(value)", .boolean)
    case .integer(let value): self = .text("\(value)", .number)
    case .number(let value): self = .text(ValueText.number(value), .number)
    case .text(let text):
      let columns = depth == 0 ? limits.columns.outer : limits.columns.inner
      let bytes = Array(text.utf8.prefix(ValueText.bytesRead(forColumns: columns)))
      self = .string(QuotedString(bytes, of: text.utf8.count, columns: columns))
    case .secret(let secret):
      // The same for all passwords, whatever their length.
      self = .text(secret.bullets.isEmpty ? "\"\"" : "\"\(StateValue.secretBullets)\"", .string)
    case .list(let values, let members):
      let shown = values.prefix(depth < limits.depth ? limits.entries.inner : 0)
      var entries = shown.map { Entry(value: ValueNode($0, limits, depth: depth + 1)) }
      if shown.count < values.count { entries.append(.more(values.count - shown.count)) }
      entries += members.map { Entry($0.name, $0.value, limits, depth: depth + 1) }
      self = .table(Table(entries: entries))
    case .record(let members):
      self = .table(
        Table(entries: members.map { Entry($0.name, $0.value, limits, depth: depth + 1) }))
    }
  }
}

extension ValueNode {
  /// Makes a node of a part of a live record: a decimal number with all its places, and a reference by its label.
  init(_ field: RecordObject.Contents.Field, _ limits: ValueLimits, depth: Int) {
    if let label = field.referredLabel {
      self = .text(ValueText.bare(label, columns: limits.columns.inner), .bold)
    } else if let text = field.type?.decimalPlaces?.text(of: field.value) {
      self = .text(text, .number)
    } else {
      self.init(field.value, limits, depth: depth)
    }
  }
}

extension ValueNode.Entry {
  init(_ name: String, _ value: StateValue, _ limits: ValueLimits, depth: Int) {
    self.init(name, ValueNode(value, limits, depth: depth))
  }

  init(_ name: String, _ value: ValueNode) {
    let isName = LuaTokens.isName(name.utf8)
    key = StyledText(isName ? "\(name) = " : "[\(name.quoted(limit: 40))] = ")
    self.value = value
  }
}

/// A string in quotes, or its beginning with the number of bytes after it.
struct QuotedString {
  private let bytes: [UInt8]
  private let byteCount: Int
  let text: StyledText

  init(_ bytes: [UInt8], of byteCount: Int, columns: Int) {
    (self.bytes, self.byteCount) = (bytes, byteCount)
    text = ValueText.quoted(bytes, of: byteCount, columns: columns)
  }

  /// The string within a width, which includes the note on the bytes left out.
  func text(fitting columns: Int) -> StyledText {
    if text.columns(upTo: columns) != nil { return text }
    // The quotes, and the note with the maximum count that it can have.
    let others = 2 + ValueText.note(of: byteCount).columns
    return ValueText.quoted(bytes, of: byteCount, columns: max(0, columns - others))
      .fitted(to: columns)
  }

  /// The string without quotes, with an ellipsis if it is wider.
  func bare(columns: Int) -> StyledText {
    StyledText(ValueText.bare(bytes, of: byteCount, columns: columns), .string)
  }
}

/// Lays out values within a width: on one line if they fit, else with one entry a line.
struct ValueLayout {
  /// In columns.
  let width: Int
  var shouldCutTexts = true

  /// The columns that a table's entries are moved in by.
  private static let step = 2
  /// Elements up to this width share lines.
  private static let packedColumns = 24

  /// The lines of a value, with a text before it on its first line, and one after it on its last.
  ///
  /// `indentation` is the number of columns before `before`, and before the last line.
  func lines(
    of node: ValueNode, before: StyledText = StyledText(), after: String = "",
    indentation: Int = 0, limit: Int
  ) -> [StyledText] {
    let lead = space(indentation) + before
    let room = width - lead.columns - after.utf8.count
    let end = StyledText(after)
    if let line = line(of: node, columns: room) { return [lead + line + end] }
    switch node {
    case .text(let text): return [lead + cut(text, toColumns: room) + end]
    case .string(let string):
      return [lead + (shouldCutTexts ? string.text(fitting: room) : string.text) + end]
    case .lines(let lines):
      return self.lines(lines, after: lead, indentation: indentation, limit: limit)
    case .table(let table):
      // Fewer lines would show less than the line that holds what fits.
      guard limit - 2 >= min(table.entries.count, 3) else {
        return [lead + shortened(table, columns: room) + end]
      }
      let inner = indentation + Self.step
      let contents =
        packedLines(of: table, indentation: inner, limit: limit - 2)
        ?? entryLines(of: table, indentation: inner, limit: limit - 2)
      return [lead + opening(of: table)] + contents + [space(indentation) + StyledText("}") + end]
    }
  }

  /// The value on one line, in O(`columns`); nil if it is wider.
  func line(of node: ValueNode, columns: Int) -> StyledText? {
    var line = StyledText()
    var left = columns
    return append(node, to: &line, &left) ? line : nil
  }

  /// The value on one line, with fewer entries and an ellipsis if necessary.
  func shortenedLine(of node: ValueNode, columns: Int) -> StyledText {
    if let line = line(of: node, columns: columns) { return line }
    return switch node {
    case .text(let text): text.fitted(to: columns)
    case .string(let string): string.text(fitting: columns)
    case .lines(let lines): (lines.first ?? StyledText()).fitted(to: columns)
    case .table(let table): shortened(table, columns: columns)
    }
  }

  // MARK: - On one line

  /// Appends a value if it fits, or else returns false.
  private func append(_ node: ValueNode, to line: inout StyledText, _ left: inout Int) -> Bool {
    switch node {
    case .text(let text): return append(text, to: &line, &left)
    case .string(let string): return append(string.text, to: &line, &left)
    case .lines(let lines): return lines.count == 1 && append(lines[0], to: &line, &left)
    case .table(let table):
      guard append(opening(of: table), to: &line, &left) else { return false }
      for (index, entry) in table.entries.enumerated() {
        let separator = StyledText(index == 0 ? " " : ", ") + (entry.key ?? StyledText())
        guard append(separator, to: &line, &left), append(entry.value, to: &line, &left) else {
          return false
        }
      }
      return append(StyledText(table.entries.isEmpty ? "}" : " }"), to: &line, &left)
    }
  }

  private func append(_ text: StyledText, to line: inout StyledText, _ left: inout Int) -> Bool {
    guard let columns = text.columns(upTo: left) else { return false }
    left -= columns
    line.append(text)
    return true
  }

  /// As many entries as fit, and a note on the others.
  private func shortened(_ table: ValueNode.Table, columns: Int) -> StyledText {
    var line = opening(of: table)
    let end = StyledText(" }")
    var left = columns - line.columns - end.columns
    for (index, entry) in table.entries.enumerated() {
      let note = StyledText(index == 0 ? " " : ", ") + noteText(insteadOf: table.entries[index...])
      let later = table.entries.count - index - 1
      var piece = StyledText(index == 0 ? " " : ", ") + (entry.key ?? StyledText())
      let room = left - piece.columns - (later > 0 ? note.columns : 0)
      switch (self.line(of: entry.value, columns: room), entry.value) {
      case (let text?, _): piece.append(text)
      case (nil, .table(let inner)) where collapsed(inner).columns <= room:
        piece.append(collapsed(inner))
      default:
        guard note.columns <= left else { return collapsed(table).fitted(to: columns) }
        return line + note + end
      }
      line.append(piece)
      left -= piece.columns
    }
    return line + end
  }

  private func noteText(insteadOf entries: ArraySlice<ValueNode.Entry>) -> StyledText {
    ValueNode.Entry.more(insteadOf: entries).value.ownText ?? StyledText()
  }

  private func collapsed(_ table: ValueNode.Table) -> StyledText {
    opening(of: table) + StyledText("...", .dim) + StyledText("}")
  }

  private func opening(of table: ValueNode.Table) -> StyledText {
    table.name + StyledText(table.name.isEmpty ? "{" : " {")
  }

  // MARK: - On several lines

  /// A line or more for each entry: what is left of the limit is shared by those that need several.
  private func entryLines(of table: ValueNode.Table, indentation: Int, limit: Int) -> [StyledText] {
    var entries = table.entries
    if entries.count > limit {
      let dropped = entries[(limit - 1)...]
      entries.replaceSubrange((limit - 1)..., with: [.more(insteadOf: dropped)])
    }
    let single = entries.map { entry -> StyledText? in
      let lead = space(indentation) + (entry.key ?? StyledText())
      let end = entry.hidden > 0 ? "" : ","
      return line(of: entry.value, columns: width - lead.columns - end.utf8.count)
        .map { lead + $0 + StyledText(end) }
    }
    var spare = limit - entries.count
    var long = single.count { $0 == nil }
    var lines: [StyledText] = []
    for (entry, line) in zip(entries, single) {
      if let line {
        lines.append(line)
        continue
      }
      let own = self.lines(
        of: entry.value, before: entry.key ?? StyledText(), after: ",", indentation: indentation,
        limit: 1 + spare / long)
      spare -= own.count - 1
      long -= 1
      lines += own
    }
    return lines
  }

  /// Lines of several elements each; nil if the table has keys, or elements that are tables or wide.
  private func packedLines(
    of table: ValueNode.Table, indentation: Int, limit: Int
  ) -> [StyledText]? {
    var lines: [StyledText] = []
    var line = StyledText()
    var columns = indentation
    for (index, entry) in table.entries.enumerated() {
      guard entry.key == nil, let text = entry.value.ownText else { return nil }
      let widest = entry.hidden > 0 ? Int.max : Self.packedColumns
      guard let own = text.columns(upTo: widest) else { return nil }
      if columns > indentation, columns + own + 2 > width {
        lines.append(space(indentation) + line)
        line = StyledText()
        columns = indentation
        // The last line is kept for the note.
        if lines.count + 1 >= limit {
          return lines + [space(indentation) + noteText(insteadOf: table.entries[index...])]
        }
      }
      if columns > indentation { line.append(" ") }
      line.append(text)
      if entry.hidden == 0 { line.append(",") }
      columns += own + 2
    }
    return lines + [space(indentation) + line]
  }

  private func lines(
    _ lines: [StyledText], after lead: StyledText, indentation: Int, limit: Int
  ) -> [StyledText] {
    var shown = lines.prefix(lines.count > limit ? max(1, limit - 1) : limit).enumerated().map {
      ($0 == 0 ? lead : space(indentation)) + cut($1, toColumns: width - indentation)
    }
    if lines.count > shown.count, limit > 1 {
      shown.append(space(indentation) + StyledText("... more lines ...", .dim))
    }
    return shown
  }

  private func cut(_ text: StyledText, toColumns columns: Int) -> StyledText {
    shouldCutTexts ? text.fitted(to: columns) : text
  }

  private func space(_ columns: Int) -> StyledText {
    StyledText(String(repeating: " ", count: columns))
  }
}
