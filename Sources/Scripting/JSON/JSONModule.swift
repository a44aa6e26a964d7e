import Lua
import PrimereplPlatform
import StateStore

extension LuaModule {
  /// The module `json`: Lua values as JSON text (RFC 8259), and back.
  ///
  /// It is valid only for the state of the marks.
  static func json(_ marks: JSONMarks) -> LuaModule {
    LuaModule("json", help: "JSON: values as text, and back.") { module in
      module.function(
        "encode", "value", "options",
        help: "Writes a value as JSON.",
        example: "print(json.encode({ name = \"Ann\", primes = { 2, 3 } }, { pretty = true }))"
      ) { (value: JSONArgument, options: JSONOptions?) in
        try JSONWriter.text(of: value.value, isPretty: (options ?? JSONOptions()).isPretty, marks)
      }
      module.function(
        "decode", "text",
        help: "Reads a value from JSON; json.null stands for null.",
        example: "print(json.decode('{\"primes\":[2,3]}').primes[2])"
      ) { (text: [UInt8]) throws -> LuaValue in try marks.value(ofJSON: text) }
      module.function(
        "array", "elements",
        help: "Marks a table as an array, which is written as [] even if it is empty.",
        example: "print(json.encode({ tags = json.array{} }))"
      ) { (elements: PlainTable?) throws -> LuaTable in
        try marks.marked(elements?.table ?? marks.openState().makeTable())
      }
      module.property(
        "null", help: "The value for null, which keeps its place where nil would leave a hole.",
        example: "print(json.decode(\"[null]\")[1] == json.null)"
      ) { LuaNull.null }
    }
  }
}

/// A value to be written as JSON: any, except a module that isn't a list.
///
/// A function that is called with a colon gets its own module.
struct JSONArgument: LuaReadable {
  let value: LuaValue

  static var luaTypeName: String { LuaValue.luaTypeName }

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    guard !stack.isModule(at: index) || stack.hasMetafield("__len", at: index) else {
      throw LuaTypeMismatch(expected: "a value", got: "a module")
    }
    return JSONArgument(value: try LuaValue.read(from: stack, at: index))
  }
}

private struct JSONOptions: LuaOptions {
  var isPretty = false

  static let options: [LuaOption<JSONOptions>] = [
    .option("pretty", \.isPretty, help: "Whether each element and member has its own line.")
  ]
}

extension JSONMarks {
  /// Reads a value from JSON text, and builds it in Lua while reading.
  ///
  /// Arrays have a metatable by which an empty one is written as an array again.
  ///
  /// - Throws: ``JSONError`` with the place of the first mistake; what ``LuaStack/checkStop()`` does.
  func value(ofJSON text: [UInt8], named subject: String? = nil) throws -> LuaValue {
    do {
      return try openState().makeValue { builder in
        var scanner = try JSONScanner(text)
        while let token = try scanner.next() { try builder.add(token, of: scanner, self) }
      }
    } catch let mistake as JSONMistake {
      let (line, column) = mistake.position(in: text)
      throw JSONError(
        place: .position(line: line, column: column), problem: mistake.problem, subject: subject)
    }
  }
}

extension LuaValueBuilder {
  fileprivate mutating func add(
    _ token: JSONScanner.Token, of scanner: JSONScanner, _ marks: JSONMarks
  ) throws(LuaError) {
    switch token {
    case .null: try add(LuaNull.null)
    case .boolean(let value): try add(value)
    case .integer(let value): try add(value)
    case .number(let value): try add(value)
    case .string:
      try scanner.withText { text throws(LuaError) in try add(text) }
    case .name:
      try scanner.withText { text throws(LuaError) in try setName(text) }
    case .beginArray: try beginTable(isSequence: true, metatable: marks.array)
    case .beginObject: try beginTable(isSequence: false)
    case .endArray, .endObject: try endTable()
    }
  }
}

/// Why a text can't be read as JSON, or a value written as it, or as another format with its values.
struct JSONError: ScriptableError, Equatable {
  enum Place: Equatable {
    /// In a text, both counted from 1; the column counts characters.
    case position(line: Int, column: Int)
    /// In a value, as Lua code would index it; nil for the value itself.
    case path(String?)
  }

  let place: Place
  let problem: String
  /// The text that isn't JSON, unless a script passed it; a subject of a sentence.
  var subject: String?
  /// The format that a value is written as.
  var format = "JSON"

  var code: String {
    switch place {
    case .position: "bad_json"
    case .path: "not_\(format.lowercased())"
    }
  }

  var message: String {
    switch place {
    case .position(let line, let column):
      (subject.map { "\($0) is " } ?? "") + "not JSON (line \(line), column \(column)): \(problem)"
    case .path(let path): "\(path ?? "the value") can't be written as \(format): \(problem)"
    }
  }

  var luaFields: [String: any LuaPushable] {
    switch place {
    case .position(let line, let column): ["line": line, "column": column]
    case .path(let path): ["path": path]
    }
  }
}
