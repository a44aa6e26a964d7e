import Lua
import StateStore

extension LuaModule {
  /// Adds a property for a value of the state.
  ///
  /// - Parameters:
  ///   - field: The field of the store.
  ///   - store: The store.
  ///   - example: A value to assign, as Lua text; nil for a field without one.
  ///   - assign: Assigns the value at index 3 of the stack; nil for a field that scripts can't assign.
  func addValue(
    _ field: StateField, in store: Store, example: String? = nil,
    assign: ((LuaStack) throws -> Void)? = nil
  ) {
    property(
      LuaMember(
        property: String(field.path.split(separator: ".").last ?? ""),
        type: field.type.luaType(at: field.path), isWritable: assign != nil,
        help: field.shownHelp,
        example: example.map { "\(field.path) = \($0)" } ?? "print(\(field.path))"),
      get: field.reader(in: store), assign: assign)
  }
}

extension StateField {
  /// The help line; one made from the name if there is none.
  var shownHelp: String {
    help.isEmpty ? String(path.split(separator: ".").last ?? "").asHelp : help
  }
}

extension String {
  /// The help line of a field of the name, which has none.
  var asHelp: String { "The \(replacing("_", with: " "))." }
}
