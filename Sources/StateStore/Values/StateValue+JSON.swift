extension StateValue {
  /// The value as JSON, with the members of records in their order.
  ///
  /// A list with members becomes an array of its values only. A number that isn't finite becomes null, and a secret an
  /// empty text, which hides its length too.
  public var json: String { json(isPretty: false) { () throws(Never) in } }

  /// The value as JSON for people: a value that contains lists or records has a line for each part.
  package var prettyJSON: String { json(isPretty: true) { () throws(Never) in } }

  /// The value as ``json`` or ``prettyJSON``; `checkStop`, which is called now and then, throws to stop writing.
  package func json<Failure>(
    isPretty: Bool, checkStop: @escaping () throws(Failure) -> Void
  ) throws(Failure) -> String {
    var text = JSONText(isEscaped: { _ in false }, checkStop: checkStop)
    if isPretty {
      try text.append(self, indentation: 0)
    } else {
      try text.append(self, separators: (",", ":"))
    }
    return text.text
  }

  /// The value as JSON, with escapes for some of `<` and the characters that aren't printable ASCII.
  package func json(escaping isEscaped: @escaping (Unicode.Scalar) -> Bool) -> String {
    var text = JSONText(isEscaped: isEscaped) { () throws(Never) in }
    text.append(self, separators: (",", ":"))
    return text.text
  }

  /// The value as JSON for sessions: of a secret, only whether there is one; numbers that aren't finite are texts.
  public var savedJSON: String { savedJSON(keepingSecrets: false) }

  /// The same; kept secrets are values by which this process recognizes them.
  func savedJSON(keepingSecrets: Bool) -> String {
    var text = JSONText(isEscaped: { _ in false }) { () throws(Never) in }
    (text.isSaved, text.keepsSecrets) = (true, keepingSecrets)
    text.append(self, separators: (",", ":"))
    return text.text
  }

  fileprivate var hasParts: Bool {
    switch self {
    case .list(let values, _): !values.isEmpty
    case .record: true
    default: false
    }
  }
}

extension JSONValue {
  /// The value as JSON for sessions, with the members of objects in the order of their names.
  var savedJSON: String { stateValue { $0 }.savedJSON }
}

/// A JSON text that is being written.
private struct JSONText<Failure: Error> {
  /// Whether a character is escaped though JSON allows it.
  let isEscaped: (Unicode.Scalar) -> Bool
  let checkStop: () throws(Failure) -> Void

  var isSaved = false

  /// Whether secrets are written so that this process recognizes them.
  var keepsSecrets = false

  /// The number of values so far.
  private var count = 0

  /// Bytes, as appending characters to a text copies it.
  private var bytes: [UInt8] = []

  init(
    isEscaped: @escaping (Unicode.Scalar) -> Bool, checkStop: @escaping () throws(Failure) -> Void
  ) {
    (self.isEscaped, self.checkStop) = (isEscaped, checkStop)
  }

  private mutating func countValue() throws(Failure) {
    count += 1
    if count.isMultiple(of: 64) { try checkStop() }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(
    _ value: StateValue, separators: (part: String, name: String)
  ) throws(Failure) {
    try countValue()
    switch value {
    case .none: append("null")
    case .boolean(let value): append(value ? "true" : "false")
    case .integer(let value): append("\(value)")
    case .number(let value) where value.isFinite: append("\(value)")
    case .number(let value): append(isSaved ? "\"\(value)\"" : "null")
    case .text(let value): appendString(value)
    case .secret(let secret) where isSaved && !secret.isEmpty:
      append(keepsSecrets ? secret.keptValue.savedJSON : "true")
    case .secret: appendString("")
    case .list(let values, _):
      append("[")
      for (index, value) in values.enumerated() {
        if index > 0 { append(separators.part) }
        try append(value, separators: separators)
      }
      append("]")
    case .record(let members):
      append("{")
      for (index, member) in members.enumerated() {
        if index > 0 { append(separators.part) }
        appendString(member.name)
        append(separators.name)
        try append(member.value, separators: separators)
      }
      append("}")
    }
  }

  mutating func append(_ value: StateValue, indentation: Int) throws(Failure) {
    func appendLine(_ index: Int) {
      append((index > 0 ? ",\n" : "\n") + String(repeating: " ", count: indentation + 2))
    }
    switch value {
    case .list(let values, _) where values.contains(where: \.hasParts):
      append("[")
      for (index, value) in values.enumerated() {
        appendLine(index)
        try append(value, indentation: indentation + 2)
      }
      append("\n" + String(repeating: " ", count: indentation) + "]")
    case .record(let members) where members.contains(where: \.value.hasParts):
      append("{")
      for (index, member) in members.enumerated() {
        appendLine(index)
        appendString(member.name)
        append(": ")
        try append(member.value, indentation: indentation + 2)
      }
      append("\n" + String(repeating: " ", count: indentation) + "}")
    default:
      try append(value, separators: (", ", ": "))
    }
  }

  private mutating func append(_ text: String) { bytes += text.utf8 }

  private mutating func appendString(_ text: String) {
    append("\"")
    defer { append("\"") }
    let isPlain = text.utf8.allSatisfy { byte in
      byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"")
        && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "<")
    }
    guard !isPlain else { return append(text) }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": append("\\\"")
      case "\\": append("\\\\")
      case "\n": append("\\n")
      case "\r": append("\\r")
      case "\t": append("\\t")
      case "\u{8}": append("\\b")
      case "\u{C}": append("\\f")
      case _ where scalar < " " || isEscaped(scalar):
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          let digits = String(unit, radix: 16)
          append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
        }
      default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
  }
}

extension StateValue {
  /// Reads a text of JSON; the members of objects keep their order.
  ///
  /// - Complexity: O(length).
  package init(json text: String) throws(JSONMistake) {
    var scanner = try JSONScanner(Array(text.utf8))
    self = try scanner.value(beginningWith: scanner.next())
    // What follows, if anything, is a mistake.
    _ = try scanner.next()
  }
}

extension JSONScanner {
  /// The value that begins with a token that was read.
  mutating func value(
    beginningWith token: Token?
  ) throws(JSONMistake) -> StateValue {
    switch token {
    case .boolean(let value)?: return .boolean(value)
    case .integer(let value)?: return .integer(Int(value))
    case .number(let value)?: return .number(value)
    case .string?: return .text(text)
    case .beginArray?:
      var elements: [StateValue] = []
      while let token = try next(), token != .endArray {
        elements.append(try value(beginningWith: token))
      }
      return .list(elements)
    case .beginObject?:
      var members: [StateValue.Member] = []
      while let token = try next(), token != .endObject {
        let name = text
        members.append(.init(name: name, value: try value(beginningWith: next())))
      }
      return .record(members)
    default: return StateValue.none
    }
  }

  /// The last string or name.
  var text: String { withText { String(decoding: $0, as: UTF8.self) } }
}
