extension StateValue {
  /// The value as JSON, with the members of records in their order.
  ///
  /// A list with members becomes an array of its values only. A number that isn't finite becomes null.
  public var json: String {
    var text = ""
    write(to: &text, separators: (",", ":"))
    return text
  }

  /// The value as JSON for people: a value that contains lists or records has a line for each part, and the text ends
  /// in a newline.
  var prettyJSON: String {
    var text = ""
    write(to: &text, indentation: 0)
    return text + "\n"
  }

  private func write(to text: inout String, separators: (part: String, name: String)) {
    switch self {
    case .none: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += "\(value)"
    case .number(let value): text += value.isFinite ? "\(value)" : "null"
    case .text(let value): value.writeAsJSON(to: &text)
    // Not even its length.
    case .secret: "".writeAsJSON(to: &text)
    case .list(let values, _):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += separators.part }
        value.write(to: &text, separators: separators)
      }
      text += "]"
    case .record(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += separators.part }
        member.name.writeAsJSON(to: &text)
        text += separators.name
        member.value.write(to: &text, separators: separators)
      }
      text += "}"
    }
  }

  private func write(to text: inout String, indentation: Int) {
    switch self {
    case .list(let values, _) where values.contains(where: \.hasParts):
      Self.write(values, between: ("[", "]"), to: &text, indentation) { value, text, indentation in
        value.write(to: &text, indentation: indentation)
      }
    case .record(let members) where members.contains(where: \.value.hasParts):
      Self.write(members, between: ("{", "}"), to: &text, indentation) {
        member, text, indentation in
        member.name.writeAsJSON(to: &text)
        text += ": "
        member.value.write(to: &text, indentation: indentation)
      }
    default:
      write(to: &text, separators: (", ", ": "))
    }
  }

  private static func write<Part>(
    _ parts: [Part], between brackets: (String, String), to text: inout String, _ indentation: Int,
    part write: (Part, inout String, Int) -> Void
  ) {
    text += brackets.0
    for (index, part) in parts.enumerated() {
      text += (index > 0 ? ",\n" : "\n") + String(repeating: " ", count: indentation + 2)
      write(part, &text, indentation + 2)
    }
    text += "\n" + String(repeating: " ", count: indentation) + brackets.1
  }

  private var hasParts: Bool {
    switch self {
    case .list(let values, _): !values.isEmpty
    case .record: true
    default: false
    }
  }
}

extension String {
  fileprivate func writeAsJSON(to text: inout String) {
    text += "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
