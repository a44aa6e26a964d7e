import Lua
import StateStore

extension LuaModule {
  /// Adds the member that follows from a field: a property for a value, a record, a set or a list, or the elements of a
  /// list without a name.
  func add(_ index: Int, of objects: FeatureObjects) {
    let fieldClass = objects.fields[index]
    let field = fieldClass.field
    if let query = field.query {
      let list = objects.fields.first { query.isOver($0.field) }
      return addListView(field, over: list, of: objects) { list in
        query.kind.object(named: field.path, from: list) {
          try query.result(objects.store.box(at: objects.place))
        }
      }
    }
    guard field.list != nil else {
      let assign: ((LuaStack) throws -> Void)? =
        field.hasLiveParts
        ? { [source = objects.source] in try fieldClass.assign($0, in: source) } : nil
      let isObject = field.hasLiveParts && field.type.record != nil
      guard isObject || field.type.reference != nil else {
        return addValue(
          field, get: field.reader(in: objects.store, of: objects.place), assign: assign)
      }
      return addValue(
        field, field.scriptableType.map { .object($0.recordClass) },
        get: { try objects.value(at: index) }, assign: assign)
    }
    guard !field.name.isEmpty else {
      return sequence(
        of: { fieldClass.elementType },
        count: { try field.list?.count(objects.store.box(at: objects.place)) ?? 0 },
        element: { try objects.element(at: $0, ofFieldAt: index) })
    }
    // Declared classes are known by their identity; those of Swift types are only found when they are needed.
    let known: LuaValueType? = field.swiftType == nil ? fieldClass.objectType : nil
    property(
      LuaMember(
        property: field.name, type: known ?? field.listType, isWritable: false,
        help: field.shownHelp, example: "print(#\(field.path))"),
      get: { try objects.object(at: index).map { AnyPushable($0) } ?? objects.value(at: index) },
      assign: nil)
  }

  /// Adds the live list or the groups that a query gives: the same object as long as the app is used.
  func addListView(
    _ field: AnyField, over list: FieldClass?, of objects: FeatureObjects,
    _ make: @escaping (ListObject) throws -> AnyPushable
  ) {
    var object: AnyPushable?
    property(
      LuaMember(
        property: field.name, type: field.type.luaType(at: field.path), isWritable: false,
        help: field.shownHelp, example: "print(#\(field.path))"),
      get: {
        if let object { return object }
        guard let list = list.flatMap({ objects.list(at: $0.index) }) else {
          // The records aren't objects, so that the list is a table, too.
          return AnyPushable(field.value(in: try objects.store.box(at: objects.place)))
        }
        let made = try make(list)
        object = made
        return made
      }, assign: nil)
  }

  /// Adds a property for a value of the state.
  ///
  /// The type is that of objects that scripts get; nil for other values. `assign` assigns the value at index 3 of the
  /// stack.
  func addValue(
    _ field: AnyField, _ type: LuaValueType? = nil, get: @escaping () throws -> some LuaPushable,
    assign: ((LuaStack) throws -> Void)? = nil
  ) {
    property(
      LuaMember(
        property: String(field.path.split(separator: ".").last ?? ""),
        type: type ?? field.type.luaType(at: field.path), isWritable: field.assign != nil,
        help: field.shownHelp,
        example: field.assign != nil
          ? "\(field.path) = \(field.type.example)" : "print(\(field.path))"),
      get: get, assign: assign)
  }
}

extension AnyField {
  /// The help line; one made from the name if there is none.
  var shownHelp: String {
    help.isEmpty ? String(path.split(separator: ".").last ?? "").asHelp : help
  }

  /// The type of the object for the list, or of the table that scripts get in its place.
  fileprivate var listType: LuaValueType {
    scriptableType.map { .object($0.listClass) } ?? type.luaType(at: path)
  }
}

extension String {
  /// The help line of a field of the name, which has none.
  var asHelp: String { "The \(replacing("_", with: " "))." }
}
