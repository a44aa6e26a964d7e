import Lua
import Scripting

// Values of Lua in a form that can be written to a file, and compared: no functions, and no objects but those that
// `pairs` goes through.
extension LuaText {
  /// The deepest table: Lua compiles at most 200 levels, some of which are around the value.
  private static let maximumDepth = 100
  /// The most values of all tables together, and the most bytes of all strings: more isn't worth reading.
  private static let maximumCount = 10_000
  private static let maximumSize = 1 << 20

  /// Copies a value, with all its parts; in place of a secret's bullets is a matcher.
  ///
  /// - Throws: ``RecordingError`` if the value, or a part of it, can't be written as Lua text; `LuaError` if a
  ///   metamethod fails.
  init(pinning value: LuaValue) throws {
    var copy = Copy()
    self = try copy.value(value, at: "")
  }

  /// Copies values up to the limits.
  private struct Copy {
    /// The tables around the value.
    private var open: Set<LuaReference> = []
    private var count = 0
    private var size = 0

    /// A copy of a value; the path is its place in the whole one, for messages.
    mutating func value(_ value: LuaValue, at path: String) throws -> LuaText {
      count += 1
      guard count <= maximumCount else {
        throw RecordingError.notPinnable("it has more than \(maximumCount) values")
      }
      switch value {
      case .nil: return .text("nil")
      case .boolean(let value): return .text("\(value)")
      case .integer(let value): return .text(Int(value).luaLiteral)
      case .number(let value): return .text(value.luaLiteral)
      case .string(let value): return .text(try text(of: value))
      case .function: throw RecordingError.notPinnable("a function", at: path)
      case .coroutine: throw RecordingError.notPinnable("a coroutine", at: path)
      case .table(let table): return try contents(of: table, at: path)
      case .userdata(let object):
        if try object.isNull { return .text("json.null") }
        return try contents(of: object, at: path)
      }
    }

    private mutating func text(of string: LuaString) throws -> String {
      size += string.bytes.count
      guard size <= maximumSize else {
        throw RecordingError.notPinnable("it has more than \(maximumSize) bytes of text")
      }
      // The bullets of a secret would tell its length.
      if let text = string.text, !text.isEmpty, text.allSatisfy({ $0 == "•" }) {
        return "expect.any(\"string\")"
      }
      return string.luaLiteral
    }

    private mutating func contents(of object: LuaReference, at path: String) throws -> LuaText {
      guard open.count < maximumDepth else {
        throw RecordingError.notPinnable("its tables are more than \(maximumDepth) levels deep")
      }
      guard open.insert(object).inserted else {
        throw RecordingError.notPinnable("a table that contains itself", at: path)
      }
      defer { open.remove(object) }
      return .table(try parts(of: entries(of: object, at: path), at: path))
    }

    /// The entries that `pairs` goes through; those of a table without `__pairs` in the order of their keys.
    private func entries(of object: LuaReference, at path: String) throws -> [(LuaValue, LuaValue)]
    {
      guard let pairs = try object.pairs(atMost: maximumCount - count) else {
        throw RecordingError.notPinnable(type(of: object).luaTypeName, at: path)
      }
      guard pairs.isComplete else {
        throw RecordingError.notPinnable("it has more than \(maximumCount) values")
      }
      guard pairs.isRaw else { return pairs.entries }
      return pairs.entries.sorted { Self.isOrdered($0.key, $1.key) }
    }

    /// The parts of a table: the sequence first, then the other fields in the order of the entries.
    private mutating func parts(
      of entries: [(key: LuaValue, value: LuaValue)], at path: String
    ) throws -> [Part] {
      var elements: [Part] = []
      var fields: [Part] = []
      for (key, value) in entries where value != .nil {
        let place = path + (try Self.place(of: key))
        if key == .integer(Int64(elements.count) + 1) {
          elements.append(Part(name: "", value: try self.value(value, at: place)))
        } else {
          fields.append(
            Part(name: try name(of: key, at: path), value: try self.value(value, at: place)))
        }
      }
      return elements + fields
    }

    private mutating func name(of key: LuaValue, at path: String) throws -> String {
      if case .string(let name) = key, let text = name.text, LuaTokens.isName(text.utf8) {
        return "\(text) = "
      }
      switch key {
      case .table, .function, .userdata, .coroutine:
        throw RecordingError.notPinnable("a table with a key that is no plain value", at: path)
      case .nil, .boolean, .integer, .number, .string:
        return "[\(try value(key, at: path).luaLiteral)] = "
      }
    }

    /// A key as messages show it after the path of its table.
    private static func place(of key: LuaValue) throws -> String {
      if case .string(let name) = key {
        return name.text.map({ LuaTokens.isName($0.utf8) }) == true
          ? ".\(name)" : "[\"\(name.shown)\"]"
      }
      return "[\(key)]"
    }

    /// Integers and floats first, then strings by their bytes, then the rest.
    private static func isOrdered(_ left: LuaValue, _ right: LuaValue) -> Bool {
      switch (left, right) {
      case (.integer(let left), .integer(let right)): left < right
      case (.integer(let left), .number(let right)): Double(left) < right
      case (.number(let left), .integer(let right)): left < Double(right)
      case (.number(let left), .number(let right)): left < right
      case (.string(let left), .string(let right)):
        left.bytes.lexicographicallyPrecedes(right.bytes)
      case (.boolean(let left), .boolean(let right)): !left && right
      default: rank(left) < rank(right)
      }
    }

    private static func rank(_ key: LuaValue) -> Int {
      switch key {
      case .integer, .number: 0
      case .string: 1
      default: 2
      }
    }
  }
}

extension RecordingError {
  /// The value as a whole can't be written.
  static func notPinnable(_ reason: String) -> Self {
    Self("not_pinnable", "The value can't be pinned, as \(reason): pin a part of it.")
  }

  /// A part of the value, or the value itself if the path is empty, is of a kind that can't be written.
  static func notPinnable(_ kind: String, at path: String) -> Self {
    guard path.isEmpty else {
      return notPinnable("its part \(path) is \(kind)")
    }
    return Self(
      "not_pinnable", "The value can't be pinned, as it is \(kind): pin one of its fields.")
  }
}
