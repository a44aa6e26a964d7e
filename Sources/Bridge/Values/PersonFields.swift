import Lua
import Scripting

/// The fields of a person as a table argument: `{name="Ann", age=30}`.
struct PersonFields: LuaReadable {
  private struct Known: LuaCodable {
    let name: String?
    let age: Int?
  }

  /// What reading can't raise, because it raises nothing but mismatches of types.
  private enum Content {
    case known(Known)
    case unknownKey(LuaValue)
  }

  private static let names = ["age", "name"]

  private let content: Content

  /// The fields of a person who is to be changed; those that aren't given stay as they are.
  ///
  /// - Throws: `LuaError` (`unknown_field`) for a key that is none of the names.
  func changes() throws(LuaError) -> (name: String?, age: Int?) {
    switch content {
    case .known(let fields): return (fields.name, fields.age)
    case .unknownKey(.string(let name)):
      throw .unknownField(name.bytes, of: "person", known: Self.names)
    case .unknownKey(let key):
      let names = Self.names.joined(separator: ", ")
      throw LuaError(.unknownField, "person has no field with the key \(key). It has: \(names)")
    }
  }

  /// The fields of a new person, who needs all of them.
  ///
  /// - Parameter function: the function whose first argument this is, for messages.
  /// - Returns: the fields.
  /// - Throws: `LuaError`: `unknown_field`, or `bad_argument` for a field that isn't given.
  func all(for function: String) throws(LuaError) -> (name: String, age: Int) {
    let (name, age) = try changes()
    guard let name, let age else {
      throw LuaError(
        .badArgument,
        "bad argument #1 to '\(function)' (person: \(name == nil ? "name" : "age"): missing)")
    }
    return (name, age)
  }

  static var luaTypeName: String { "{name=string, age=integer}" }

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    guard stack.type(at: index) == .table, !stack.isModule(at: index) else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    // The first of several by its text, as a table has no order.
    if let key = try unknownKeys(of: .read(from: stack, at: index)).min(by: { "\($0)" < "\($1)" }) {
      return PersonFields(content: .unknownKey(key))
    }
    return PersonFields(content: .known(try Known.read(from: stack, at: index)))
  }

  private static func unknownKeys(of table: LuaTable) throws(LuaTypeMismatch) -> [LuaValue] {
    let known = names.map { LuaValue.string(LuaString($0)) }
    do {
      return try table.entries().map(\.key).filter { !known.contains($0) }
    } catch {
      throw LuaTypeMismatch(expected: luaTypeName, got: "\(error)")
    }
  }
}
