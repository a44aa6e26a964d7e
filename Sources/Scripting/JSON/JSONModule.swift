import Lua
import Platform

extension LuaModule {
  /// The module `json`: Lua values as JSON text (RFC 8259), and back.
  ///
  /// - Parameters:
  ///   - state: The state that the values belong to.
  ///   - library: The functions of that state's libraries.
  /// - Returns: The module, which is valid for that state only.
  static func json(for state: LuaState?, _ library: LibraryFunctions) -> LuaModule {
    let loader = JSONWriter.Loader(in: state, library)
    let module = LuaModule("json", help: "JSON: values as text, and back.")
    module.function(
      "encode", "value", "options",
      help: "Writes a value as JSON; {pretty=true} indents it.",
      example: "print(json.encode({ name = \"Ann\", primes = { 2, 3 } }, { pretty = true }))"
    ) { (value: JSONArgument, options: JSONOptions?) in
      try loader.writer().text(of: value.value, isPretty: options?.isPretty ?? false)
    }
    module.function(
      "decode", "text",
      help: "Reads a value from JSON; json.null stands for null.",
      example: "print(json.decode('{\"primes\":[2,3]}').primes[2])"
    ) { (text: String) throws -> JSONDocument in
      try JSONDocument(text, arrayMark: loader.writer().arrayMark)
    }
    module.property(
      "null", help: "The value for null, which keeps its place where nil would leave a hole.",
      example: "print(json.decode(\"[null]\")[1] == json.null)"
    ) { LuaNull.null }
    return module
  }
}

/// What depth of arrays and objects in each other is read and written.
///
/// The reader and the writer call themselves, on threads whose stacks may be small.
let maximumJSONDepth = 128

/// The value that `json.encode` writes: any, except a module that isn't a list.
///
/// A function that is called with a colon gets its own module.
private struct JSONArgument: LuaReadable {
  let value: LuaValue

  static var luaTypeName: String { LuaValue.luaTypeName }

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    let traits = try Traits.read(from: stack, at: index)
    guard !stack.isModule(at: index) || traits.hasLength else {
      throw LuaTypeMismatch(expected: "a value", got: "a module")
    }
    return JSONArgument(value: try LuaValue.read(from: stack, at: index))
  }
}

/// The options of `json.encode`.
private struct JSONOptions: LuaReadable {
  let isPretty: Bool

  static var luaTypeName: String { "{pretty=boolean}" }

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    let options: [String: LuaValue]
    do {
      options = try [String: LuaValue].read(from: stack, at: index)
    } catch {
      throw LuaTypeMismatch(expected: luaTypeName, got: error.got)
    }
    var isPretty = false
    for (name, value) in options {
      guard name.isExactly("pretty") else {
        throw LuaTypeMismatch(
          expected: luaTypeName, got: "the option \(LuaString(name).shown)")
      }
      guard case .boolean(let isOn) = value else {
        throw LuaTypeMismatch(expected: luaTypeName, got: "an option that isn't a boolean")
      }
      isPretty = isOn
    }
    return JSONOptions(isPretty: isPretty)
  }
}

/// Why a text can't be read as JSON, or a value written as it.
struct JSONError: ScriptableError, Equatable {
  /// Where the problem is.
  enum Place: Equatable {
    /// In a text, both counted from 1; the column counts characters.
    case position(line: Int, column: Int)
    /// In a value, as Lua code would index it; nil for the value itself.
    case path(String?)
  }

  let place: Place
  let problem: String

  var code: String {
    switch place {
    case .position: "bad_json"
    case .path: "not_json"
    }
  }

  var message: String {
    switch place {
    case .position(let line, let column): "not JSON (line \(line), column \(column)): \(problem)"
    case .path(nil): "the value can't be written as JSON: \(problem)"
    case .path(let path?): "\(path) can't be written as JSON: \(problem)"
    }
  }

  var luaFields: [String: any LuaPushable] {
    switch place {
    case .position(let line, let column): ["line": line, "column": column]
    case .path(let path): ["path": path]
    }
  }
}
