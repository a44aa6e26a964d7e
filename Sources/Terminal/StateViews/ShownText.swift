import PrimereplFoundation
import PrimereplLineEditing
import PrimereplPlatform
package import Scripting
package import StateStore

extension String {
  /// The beginning of a text of any length, on one line, printable and in quotes as in Lua; the rest is `…`.
  ///
  /// - Complexity: O(`limit`).
  func quoted(limit: Int) -> String {
    let beginning = unicodeScalars.prefix(limit)
    let end = beginning.endIndex == endIndex ? "\"" : "…\""
    return "\(String(beginning).luaLiteral.dropLast())\(end)"
  }
}

// MARK: - Numbers

extension Int {
  /// The number with a comma before each three digits, such as "9,950".
  package var grouped: String {
    let digits = Array(String(magnitude))
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// The number with a noun, such as "1 action" or "3 actions".
  package func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}

// MARK: - Values

extension StateValue {
  /// The value on one line, shortened to a number of columns.
  func shown(limit: Int) -> String {
    let node = ValueNode(self, ValueLimits(width: limit, lines: 1))
    return ValueLayout(width: limit).shortenedLine(of: node, columns: limit).text
  }

  static let secretBullets = "••••••"

  /// The value as an element of a list, in at most `limit` columns: a record by its label, if it has one.
  ///
  /// Without the record's type, the label is the first text among the members `title`, `name`, `text`, and then any
  /// others.
  func title(limit: Int, of type: RecordType? = nil) -> String {
    switch self {
    case .text(let text): return text.quoted(limit: limit)
    case .record(let members):
      if let label = type?.label(of: self) { return label.title(limit: limit) }
      let texts = members.compactMap { member -> (name: String, text: String)? in
        if case .text(let text) = member.value { (member.name, text) } else { nil }
      }
      let named = ["title", "name", "text"].lazy.compactMap { name in
        texts.first { $0.name == name }
      }.first
      if let title = named ?? texts.first { return title.text.quoted(limit: limit) }
      if case .integer(let id)? = self["id"] { return "#\(id)" }
      return self.shown(limit: limit)
    default: return self.shown(limit: limit)
    }
  }
}

extension StoreSchema {
  /// The value of a part of the state as people know it, if it is a decimal number or a reference; nil for others.
  package func shownText(
    of value: StateValue, at path: String, in states: States, limit: Int
  ) -> String? {
    guard let type = type(at: path) else { return nil }
    if let places = type.decimalPlaces { return places.text(of: value) }
    guard let reference = type.reference, case .integer(let id) = value,
      let list = list(of: reference), let record = list.record(withID: id, in: states)
    else { return nil }
    return record.title(limit: limit, of: list.type.element?.record)
  }
}

extension RandomAccessCollection<StateValue> where Index == Int {
  /// The first elements on one line, with the number of the others; reads no others.
  func shownElements(limit: Int) -> String {
    guard !isEmpty else { return "{}" }
    var parts: [String] = []
    var length = 0
    for element in self {
      if length >= limit, !parts.isEmpty {
        parts.append("… \((count - parts.count).grouped) more")
        break
      }
      parts.append(element.title(limit: limit))
      length += (parts.last?.utf8.count ?? 0) + 2
    }
    return "{ \(parts.joined(separator: ", ")) }"
  }
}

// MARK: - Actions

extension ActionTexts {
  /// An action as Lua text on one line, shortened; it has the same number of bullets for each password.
  package func shownText(of recorded: RecordedAction, limit: Int = 200) -> String {
    text(of: recorded.action).printable(limit: limit).replacing(/"•+(["…])/) {
      "\"\(StateValue.secretBullets)\($0.output.1)"
    }
  }

  func styledText(of recorded: RecordedAction, in style: Style = .plain) -> StyledText {
    let text = shownText(of: recorded)
    guard !style.isDim, let end = text.firstIndex(of: "(") else { return StyledText(text, style) }
    var name = style
    name.color = .cyan
    return StyledText(String(text[..<end]), name) + StyledText(String(text[end...]), style)
  }

  /// Ignores case.
  package func text(of recorded: RecordedAction?, contains text: String) -> Bool {
    guard let recorded else { return false }
    return self.text(of: recorded.action).caseFolded.contains(text.caseFolded)
  }
}
