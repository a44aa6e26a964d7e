extension StateValue {
  /// The value as JSON, with the members of records in their order.
  ///
  /// A list with members is an array of its values alone. A number that isn't finite is null, as JSON has none.
  var json: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .none: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += "\(value)"
    case .number(let value): text += value.isFinite ? "\(value)" : "null"
    case .text(let value): value.writeAsJSON(to: &text)
    // Not even how long it is.
    case .secret: "".writeAsJSON(to: &text)
    case .list(let values, _):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .record(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        member.name.writeAsJSON(to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
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
