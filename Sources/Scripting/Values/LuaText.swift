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

/// A state as an expression of Lua whose value `json.encode` writes as the state's document.
package struct LuaDocument: LuaText {
  private let value: StateValue

  private init(_ value: StateValue) { self.value = value }

  package init<Failure>(
    of states: States, _ schema: StoreSchema, checkStop: () throws(Failure) -> Void
  ) throws(Failure) {
    value = try StateDocument.value(of: states, schema, checkStop: checkStop)
  }

  package init(of states: States, _ schema: StoreSchema) {
    self.init(of: states, schema) { () throws(Never) in }
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
    case .none: "json.null"
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
    case .record(let members): members.map { ($0.luaName, LuaDocument($0.value)) }
    default: nil
    }
  }
}

extension StateValue.Member {
  /// The text that names the member in a table: `name = `.
  var luaName: String {
    LuaTokens.isName(name.utf8) ? "\(name) = " : "[\(name.luaLiteral)] = "
  }
}
