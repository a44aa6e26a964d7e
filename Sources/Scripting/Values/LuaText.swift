import Lua
import PrimereplPlatform
package import StateStore

/// A value that can be written as Lua text, on one line or on several.
package protocol LuaText {
  /// The value as Lua text on one line.
  var luaLiteral: String { get }
  /// The parts of a table, each with the text that names it; nil for other values.
  var luaParts: [(name: String, value: Self)]? { get }
}

extension StateValue: LuaText {}

extension LuaText {
  /// The parts of a table on one line: `{ 1, 2 }`.
  package var tableLiteral: String {
    guard let parts = luaParts, !parts.isEmpty else { return "{}" }
    return "{ \(parts.map { $0.name + $0.value.luaLiteral }.joined(separator: ", ")) }"
  }

  /// The value as Lua text between two others: on one line if that fits, else with a line for each part.
  ///
  /// - Complexity: O(size · depth).
  package func luaLines(
    after start: String = "", before end: String = "", indentation: Int = 0
  ) -> [String] {
    let space = String(repeating: " ", count: indentation)
    let line = space + start + luaLiteral + end
    guard line.utf8.count > maximumLineLength, let parts = luaParts, !parts.isEmpty else {
      return [line]
    }
    return ["\(space)\(start){"]
      + parts.flatMap {
        $0.value.luaLines(after: $0.name, before: ",", indentation: indentation + 2)
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
  package var luaLiteral: String {
    switch self {
    case .none: "json.null"
    case .boolean(let value): "\(value)"
    case .integer(let value): value.luaLiteral
    case .number(let value): value.luaLiteral
    case .text(let value): value.luaLiteral
    case .secret(let secret): secret.bullets.luaLiteral
    case .list, .record: tableLiteral
    }
  }

  package var luaParts: [(name: String, value: StateValue)]? {
    let (elements, members): ([StateValue], [Member])
    switch self {
    case .list(let values, let named): (elements, members) = (values, named)
    case .record(let named): (elements, members) = ([], named)
    default: return nil
    }
    return elements.map { ("", $0) }
      + members.filter { $0.value != .none }.map { ($0.name.luaKey, $0.value) }
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

/// A state as an expression of Lua whose value `json.encode` writes as the state's document.
package struct LuaDocument: LuaText {
  private let value: StateValue

  /// Makes a document of its value, or a part of one.
  package init(_ value: StateValue) { self.value = value }

  package init(of states: States, _ schema: StoreSchema) {
    value = StateDocument.value(of: states, schema) { () throws(Never) in }
  }

  /// Lines that write the document to a file, whose path is in the variable `path`.
  package func linesThatWrite(indentation: Int = 0) -> [String] {
    let space = String(repeating: " ", count: indentation)
    let start = ["local file <close> = assert(io.open(path, \"w\"))"]
    return start.map { space + $0 }
      + luaLines(
        after: "assert(file:write(json.encode(", before: ")))", indentation: indentation)
      + [space + "file:close()"]
  }

  package var luaLiteral: String {
    switch value {
    case .number(let number) where !number.isFinite: "json.null"
    case .secret: "\"\""
    // For `{}`, JSON has an object.
    case .list(let elements, _) where elements.isEmpty: "json.array{}"
    case .list, .record: tableLiteral
    default: value.luaLiteral
    }
  }

  package var luaParts: [(name: String, value: LuaDocument)]? {
    switch value {
    case .list(let elements, _): elements.map { ("", LuaDocument($0)) }
    case .record(let members): members.map { ($0.name.luaKey, LuaDocument($0.value)) }
    default: nil
    }
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// The case whose name was probably meant, whether in upper or lower case; or nil.
  public static func nearest(to name: String) -> Self? {
    name.nearest(of: allCases.map(\.rawValue)).flatMap(Self.init(rawValue:))
  }
}
