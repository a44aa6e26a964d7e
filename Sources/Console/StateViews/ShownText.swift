import Foundation
import LineEditing
import Platform
import Scripting
import StateStore

extension String {
  /// The beginning of a text of any length, on one line and without anything that could command a terminal.
  ///
  /// Control characters, line separators and characters that change the direction of text are escaped as in Lua.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of Unicode scalars; a longer text ends in `…`.
  ///   - quoted: Whether the text is put into quotes, as in Lua.
  /// - Returns: The text.
  /// - Complexity: O(`limit`).
  func shown(limit: Int, quoted: Bool = false) -> String {
    var shown = quoted ? "\"" : ""
    var count = 0
    for scalar in unicodeScalars {
      guard count < limit else {
        shown += "…"
        break
      }
      count += 1
      if quoted, scalar == "\"" || scalar == "\\" {
        shown += "\\\(scalar)"
      } else {
        shown += scalar.escape ?? String(scalar)
      }
    }
    return quoted ? shown + "\"" : shown
  }
}

extension Unicode.Scalar {
  /// The escape of a scalar that isn't shown as itself; nil for others.
  fileprivate var escape: String? {
    switch value {
    case 0x20..<0x7F: return nil
    // Bidirectional controls, and line and paragraph separators.
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: return luaEscape
    default:
      if let byte = SystemByte(self) { return "\\x\(String(byte.byte, radix: 16))" }
      return properties.generalCategory == .control ? luaEscape : nil
    }
  }
}

// MARK: - Values

extension StateValue {
  /// The value on one line, about as Lua would write it, shortened.
  ///
  /// A secret is shown as the same number of bullets, whatever its length.
  ///
  /// - Parameter limit: The maximum number of characters, approximately.
  /// - Returns: The text.
  /// - Complexity: O(`limit`).
  func shown(limit: Int) -> String {
    var budget = limit
    return text(&budget, depth: 0)
  }

  static let secretBullets = "••••••"

  /// The maximum depth to which records and lists are shown on one line.
  private static let maximumDepth = 6

  private func text(_ budget: inout Int, depth: Int) -> String {
    let text: String
    switch self {
    case .none: text = "nil"
    case .boolean(let value): text = "\(value)"
    case .integer(let value): text = "\(value)"
    case .number(let value): text = "\(value)"
    case .text(let value): text = value.shown(limit: max(budget, 8), quoted: true)
    case .secret(let secret): text = secret.bullets.isEmpty ? "\"\"" : Self.secretBullets
    case .list(let values, let members):
      return Self.joined(count: values.count + members.count, &budget, depth) { index in
        index < values.count
          ? ("", values[index])
          : ("\(members[index - values.count].name) = ", members[index - values.count].value)
      }
    case .record(let members):
      return Self.joined(count: members.count, &budget, depth) {
        ("\(members[$0].name) = ", members[$0].value)
      }
    }
    budget -= text.utf8.count
    return text
  }

  private static func joined(
    count: Int, _ budget: inout Int, _ depth: Int, part: (Int) -> (name: String, value: StateValue)
  ) -> String {
    guard count > 0 else { return "{}" }
    guard depth < maximumDepth else { return "{…}" }
    var parts: [String] = []
    budget -= 4
    while parts.count < count {
      if budget <= 0, !parts.isEmpty {
        parts.append("… \((count - parts.count).grouped) more")
        break
      }
      let (name, value) = part(parts.count)
      budget -= name.utf8.count + 2
      parts.append(name + value.text(&budget, depth: depth + 1))
    }
    return "{ \(parts.joined(separator: ", ")) }"
  }

  /// The value as an element of a list, shortly: a record by its title, if it has one.
  ///
  /// The title is the first text among the members `title`, `name`, `text`, and then any others.
  func title(limit: Int, quoted: Bool = true) -> String {
    func shown(_ text: String) -> String {
      // Without quotes, an empty text would be invisible.
      text.shown(limit: limit, quoted: quoted || text.isEmpty)
    }
    switch self {
    case .text(let text): return shown(text)
    case .record(let members):
      let texts = members.compactMap { member -> (name: String, text: String)? in
        if case .text(let text) = member.value { (member.name, text) } else { nil }
      }
      let named = ["title", "name", "text"].lazy.compactMap { name in
        texts.first { $0.name == name }
      }.first
      if let title = named ?? texts.first { return shown(title.text) }
      if case .integer(let id)? = self["id"] { return "#\(id)" }
      return self.shown(limit: limit)
    default: return self.shown(limit: limit)
    }
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

extension RecordedAction {
  /// The action as Lua text on one line, shortened; it has the same number of bullets for each password.
  func shownText(limit: Int = 200) -> String {
    action.luaText.shown(limit: limit).replacing(/"•+(["…])/) {
      "\"\(StateValue.secretBullets)\($0.output.1)"
    }
  }

  /// The action as Lua text, with the function's name in a color.
  func styledText(limit: Int = 200, in style: Style = .plain) -> StyledText {
    let text = shownText(limit: limit)
    guard !style.isDim, let end = text.firstIndex(of: "(") else { return StyledText(text, style) }
    var name = style
    name.color = .cyan
    return StyledText(String(text[..<end]), name) + StyledText(String(text[end...]), style)
  }
}
