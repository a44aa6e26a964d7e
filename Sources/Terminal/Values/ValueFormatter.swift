package import Lua
package import PrimereplLineEditing
import PrimereplPlatform
package import Scripting
package import StateStore

/// Shows values at the prompt, immediately and within the screen.
///
/// Tables are read without their metamethods. Only `__tostring` runs scripts' code, for a limited time.
@MainActor
package final class ValueFormatter {
  private let state: LuaState
  private var modules: [LuaModule]
  private let names: FunctionNames

  static let wholeWidth = 80
  /// The lines of a screen that are left to the prompt.
  private static let promptLines = 3
  private static let leastLines = 10

  /// Reads the names of Lua's functions, so scripts shouldn't have run.
  package init(app: ScriptedApp, state: LuaState) throws(LuaError) {
    (modules, self.state) = (app.modules, state)
    names = try FunctionNames(state: state, modules: modules)
  }

  package func setModules(_ modules: [LuaModule]) {
    self.modules = modules
    names.setModules(modules)
  }

  /// The results of a command as the prompt shows them: no lines for no values.
  ///
  /// A long string is one line, which the terminal wraps; all other lines fit the screen's width.
  package func lines(of values: [LuaValue], in size: ScreenSize) -> [StyledText] {
    let width = max(size.columns, 20)
    let limit = max(size.rows - Self.promptLines, Self.leastLines)
    let limits = ValueLimits(width: width, lines: limit)
    guard values.count > 1 else {
      return values.flatMap { lines(of: $0, reader(limits), width: width, limit: limit) }
    }
    return severalLines(values, reader(limits), width: width, limit: limit)
  }

  /// The values with all they contain as plain text, for a pager.
  ///
  /// A string alone is shown as its lines, without quotes; a list of records as a table of any width. Cycles are marked,
  /// and tables left out that are nested more than a hundred deep.
  package func whole(of values: [LuaValue], columns: Int = ValueFormatter.wholeWidth) -> String {
    if values.count == 1, case .string(let text) = values[0] {
      return String(systemBytes: text.bytes).printableLines
    }
    if values.count == 1, let table = wholeTable(of: values[0]) { return table }
    let reader = reader(.whole)
    let layout = ValueLayout(width: columns, shouldCutTexts: false)
    return values.flatMap { value in
      layout.lines(of: reader.node(of: LuaExcerpt(value)), limit: .max / 2).map(\.text)
    }.joined(separator: "\n")
  }

  private func wholeTable(of value: LuaValue) -> String? {
    let reader = reader(.whole)
    do throws(LuaError) {
      guard let list = try reader.sequence(of: value) else { return nil }
      let table = try RecordTable(list, reader, lines: .max)
      return table?.lines(width: nil).map(\.text).joined(separator: "\n")
    } catch {
      // The value is laid out without a table, with the error in its place.
      return nil
    }
  }

  package func line(of value: LuaValue, columns: Int) -> StyledText {
    let reader = reader(ValueLimits(width: columns, lines: 1))
    return ValueLayout(width: columns).shortenedLine(
      of: reader.node(of: LuaExcerpt(value)), columns: columns)
  }

  /// Makes a reader for the values of one command.
  func reader(_ limits: ValueLimits) -> ValueReader {
    ValueReader(state: state, names: names, modules: modules, limits: limits)
  }

  // MARK: - One value

  private func lines(
    of value: LuaValue, _ reader: ValueReader, width: Int, limit: Int
  ) -> [StyledText] {
    do throws(LuaError) {
      let module = try module(value, reader)
      let end = module.map { [title(of: $0).fitted(to: width)] } ?? []
      let list = try reader.sequence(of: value)
      if let list, let table = try RecordTable(list, reader, lines: limit - end.count) {
        return table.lines(width: width).map { $0.fitted(to: width) } + end
      }
      var node = reader.node(of: LuaExcerpt(value))
      if let module, list == nil {
        let contents = try reader.contents(of: module, in: value)
        guard !contents.entries.isEmpty else { return end }
        node = .table(contents)
      }
      if let text = node.ownText { return [text] + end }
      let lines = ValueLayout(width: width).lines(of: node, limit: limit - end.count)
      return lines.map { $0.fitted(to: width) } + end
    } catch {
      return [StyledText("<\(ValueText.bare(error.message))>", .error)]
    }
  }

  private func module(_ value: LuaValue, _ reader: ValueReader) throws(LuaError) -> LuaModule? {
    guard case .table(let table) = value else { return nil }
    return try reader.module(of: table.metatable())
  }

  private func title(of module: LuaModule) -> StyledText {
    let count = module.documentation.count
    return StyledText("module \(module.name)", .function)
      + StyledText(
        ": \(count.counted("member")), help(\(module.name))", .dim)
  }

  // MARK: - Several values

  /// The values on one line if they fit, else one below the other, with their numbers.
  private func severalLines(
    _ values: [LuaValue], _ reader: ValueReader, width: Int, limit: Int
  ) -> [StyledText] {
    let nodes = reader.nodes(of: values.prefix(limit))
    let layout = ValueLayout(width: width)
    let gap = StyledText("   ")
    let short = nodes.compactMap { layout.line(of: $0, columns: width) }
    let columns = short.reduce(-gap.text.utf8.count) { $0 + $1.columns + gap.text.utf8.count }
    if short.count == values.count, columns <= width {
      return [short.dropFirst().reduce(short[0]) { $0 + gap + $1 }]
    }
    return numberedLines(nodes, of: values.count, layout, limit: limit)
  }

  private func numberedLines(
    _ nodes: [ValueNode], of count: Int, _ layout: ValueLayout, limit: Int
  ) -> [StyledText] {
    let shown = nodes.prefix(count > limit ? limit - 1 : limit)
    let digits = String(shown.count).count
    let inner = ValueLayout(width: layout.width - digits - 2)
    var lines: [StyledText] = []
    for (index, node) in shown.enumerated() {
      // Each value has an equal part of what those before it have left.
      let left = limit - lines.count - (shown.count < count ? 1 : 0)
      let part = max(1, left / (shown.count - index))
      let number = StyledText("\(index + 1)", .dim).padded(to: digits, onLeft: true)
      for (line, text) in inner.lines(of: node, limit: part).enumerated() {
        let lead =
          line == 0
          ? number + StyledText(": ", .dim) : StyledText(String(repeating: " ", count: digits + 2))
        lines.append((lead + text).fitted(to: layout.width))
      }
    }
    if shown.count < count {
      lines.append(StyledText("... \((count - shown.count).grouped) more values ...", .dim))
    }
    return lines
  }
}

extension ValueFormatter {
  /// The elements of a list, with the fields of records in the order in which they are shown; nil for another value.
  package func rows(of value: LuaValue, in app: ScriptedApp) throws -> [StateValue]? {
    guard let list = try reader(.whole).sequence(of: value), list.count > 0 else { return nil }
    return try (1...list.count).map { position in
      let element = try list.element(position).value
      if case .userdata(let object) = element,
        let record = try object.hostObject() as? RecordObject
      {
        return try record.contents().stateValue
      }
      return try app.jsonValue(of: element)
    }
  }
}
