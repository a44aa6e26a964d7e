import Lua
import PrimereplPlatform
package import StateStore

/// A value as Lua text, on one line or on several.
package enum LuaText: Equatable, Sendable {
  /// A value without parts.
  case text(String)
  case table([Part])

  /// A part of a table.
  package struct Part: Equatable, Sendable {
    /// The text before the value, such as `name = `; empty for an element of a sequence.
    package let name: String
    package let value: LuaText

    package init(name: String, value: LuaText) { (self.name, self.value) = (name, value) }
  }

  /// The value on one line; a table is `{ 1, 2 }`.
  package var luaLiteral: String {
    switch self {
    case .text(let text): return text
    case .table(let parts):
      guard !parts.isEmpty else { return "{}" }
      return "{ \(parts.map { $0.name + $0.value.luaLiteral }.joined(separator: ", ")) }"
    }
  }

  /// The value between two other texts: on one line if that fits, else with a line for each part.
  ///
  /// - Complexity: O(size · depth).
  package func lines(
    after start: String = "", before end: String = "", indentation: Int = 0
  ) -> [String] {
    let space = String(repeating: " ", count: indentation)
    let line = space + start + luaLiteral + end
    guard line.utf8.count > maximumLineLength, case .table(let parts) = self, !parts.isEmpty else {
      return [line]
    }
    return ["\(space)\(start){"]
      + parts.flatMap {
        $0.value.lines(after: $0.name, before: ",", indentation: indentation + 2)
      } + ["\(space)}\(end)"]
  }
}

/// The length in bytes from which the line of a table becomes several.
private let maximumLineLength = 100

extension String {
  /// The text as a Lua literal.
  public var luaLiteral: String {
    var literal = "\""
    for scalar in unicodeScalars { literal += scalar.luaText }
    return literal + "\""
  }

  /// The text that names a part of a table: `name = `.
  fileprivate var luaKey: String {
    LuaTokens.isName(utf8) ? "\(self) = " : "[\(luaLiteral)] = "
  }

  /// The text on one line, so that it can stand in a Lua comment.
  public var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}

extension Unicode.Scalar {
  /// The scalar in a literal of Lua: itself, or an escape.
  package var luaText: String {
    if isPrintable, self != "\"", self != "\\" { return String(self) }
    // Here it is text, whatever it stands for elsewhere.
    return SystemByte(self) == nil ? escape : "\\u{\(String(value, radix: 16))}"
  }
}

extension LuaString {
  /// The string as a Lua literal of exactly its bytes.
  package var luaLiteral: String {
    if let text { return text.luaLiteral }
    let parts = String(systemBytes: bytes).unicodeScalars.map { scalar in
      SystemByte(scalar) == nil ? scalar.luaText : scalar.escape
    }
    return "\"\(parts.joined())\""
  }
}

extension Int {
  /// The integer as Lua text: the digits of the minimum integer would make a float.
  public var luaLiteral: String { self == .min ? "math.mininteger" : String(self) }
}

extension StateValue {
  /// The value as Lua text, which makes the table or value that scripts get; nothing is `json.null`, as in lists.
  package var luaText: LuaText {
    switch self {
    case .none: .text("json.null")
    case .boolean(let value): .text("\(value)")
    case .integer(let value): .text(value.luaLiteral)
    case .number(let value): .text(value.luaLiteral)
    case .text(let value): .text(value.luaLiteral)
    case .secret(let secret): .text(secret.bullets.luaLiteral)
    case .list(let values, let members):
      .table(
        values.map { LuaText.Part(name: "", value: $0.luaText) } + members.compactMap(\.luaPart))
    case .record(let members): .table(members.compactMap(\.luaPart))
    }
  }

  /// The value as Lua text on one line.
  package var luaLiteral: String { luaText.luaLiteral }
}

extension StateValue.Member {
  /// The part of a table; nil for nothing, which a table can't have.
  fileprivate var luaPart: LuaText.Part? {
    value == .none ? nil : LuaText.Part(name: name.luaKey, value: value.luaText)
  }
}

extension Double {
  /// The number as Lua text: one that isn't a number can't be written as digits.
  package var luaLiteral: String {
    if isNaN { return "0/0" }
    if isInfinite { return self < 0 ? "-math.huge" : "math.huge" }
    return "\(self)"
  }
}

extension JSONValue {
  /// The value as Lua text on one line.
  var luaLiteral: String {
    switch self {
    case .null: "nil"
    case .boolean(let value): "\(value)"
    case .integer(let value): value.luaLiteral
    case .number(let value): value.luaLiteral
    case .text(let value): value.luaLiteral
    case .list(let elements):
      "{\(elements.map { $0 == .null ? "json.null" : $0.luaLiteral }.joined(separator: ", "))}"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { name, value in
          name.luaKey + value.luaLiteral
        }.joined(separator: ", ") + "}"
    }
  }
}

extension LuaText {
  /// Makes an expression whose value `json.encode` writes as a document with a value.
  package init(document value: StateValue) {
    switch value {
    case .number(let number) where !number.isFinite: self = .text("json.null")
    case .secret: self = .text("\"\"")
    // For `{}`, JSON has an object.
    case .list(let elements, _) where elements.isEmpty: self = .text("json.array{}")
    case .list(let elements, _):
      self = .table(elements.map { Part(name: "", value: LuaText(document: $0)) })
    case .record(let members):
      self = .table(
        members.map { Part(name: $0.name.luaKey, value: LuaText(document: $0.value)) })
    default: self = value.luaText
    }
  }

  /// Makes an expression whose value `json.encode` writes as the document of a state.
  package init(documentOf states: States, _ schema: StoreSchema) {
    self.init(document: StateDocument.value(of: states, schema) { () throws(Never) in })
  }

  /// Lines that write the document to a file, whose path is in the variable `path`.
  package func linesThatWrite(indentation: Int = 0) -> [String] {
    let space = String(repeating: " ", count: indentation)
    let start = ["local file <close> = assert(io.open(path, \"w\"))"]
    return start.map { space + $0 }
      + lines(
        after: "assert(file:write(json.encode(", before: ")))", indentation: indentation)
      + [space + "file:close()"]
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// The case whose name was probably meant, whether in upper or lower case; or nil.
  public static func nearest(to name: String) -> Self? {
    name.nearest(of: allCases.map(\.rawValue)).flatMap(Self.init(rawValue:))
  }
}
