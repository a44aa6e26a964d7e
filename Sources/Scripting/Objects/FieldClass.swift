import Lua
import StateStore

/// A field of a feature's state with the classes of the objects by which code reaches it, described once for each Lua state.
final class FieldClass {
  let field: AnyField
  let index: Int
  /// The field's path in the app.
  let path: String
  /// The declaration of the field, for code that changes drafts.
  let draft: DeclaredFeature.Field?
  let rules: ObjectRules
  private let feature: String
  /// The lists to whose records the field refers, by their names.
  private var referred: [String: Referred] = [:]

  private struct Referred {
    weak var list: FieldClass?
  }

  /// The class of the objects for the field; it is found for the first use, as that takes long at the start of a program.
  private(set) lazy var kind = makeKind()

  enum Kind {
    /// A value that code gets as it is; also a list whose records aren't objects.
    case value
    /// A record whose parts code assigns, or no record.
    case record(RecordClass)
    case list(ListClass)
    /// A map, whose records are its keys and values.
    case map(LuaObjectClass, ListClass, idOfKey: MapObject.IDOfKey)
    case set(LuaObjectClass, StateList, StateSet)
  }

  /// The class of the list, or of the records of a map; nil for another field.
  var listClass: ListClass? {
    switch kind {
    case .list(let list), .map(_, let list, _): list
    case .value, .record, .set: nil
    }
  }

  init(
    of field: AnyField, at index: Int, in feature: String, _ rules: ObjectRules,
    draft: DeclaredFeature.Field? = nil
  ) {
    (self.field, self.index, self.draft, self.rules) = (field, index, draft, rules)
    self.feature = feature
    path = field.name.isEmpty ? feature : "\(feature).\(field.name)"
  }

  private func makeKind() -> Kind {
    guard let list = field.list else {
      guard field.hasLiveParts, let type = field.type.record else { return .value }
      return .record(
        field.scriptableType.map { RecordClass(of: $0) } ?? RecordClass(type, named: path))
    }
    switch list.kind {
    case .set(let set):
      let type = field.type.element ?? .any
      return .set(SetObject.makeClass(of: type, at: path, rules), list, set)
    case .records(let records):
      return listClass(of: list, records).map { .list($0) } ?? .value
    case .map(let records, let idOfKey):
      guard let listClass = listClass(of: list, records) else { return .value }
      return .map(MapObject.makeClass(of: listClass, at: path), listClass, idOfKey: idOfKey)
    }
  }

  /// The class of a list of records; nil for one whose records aren't objects.
  private func listClass(of list: StateList, _ records: StateRecords) -> ListClass? {
    if let type = field.scriptableType {
      return ListClass(of: self, list, records, RecordClass(of: type), type)
    }
    guard let type = field.type.element?.record, type.hasID else { return nil }
    let singular = field.name.asSingular
    let record = RecordClass(
      type, named: "\(feature).\(singular)", example: singular, comparesByID: rules.changesLists)
    return ListClass(of: self, list, records, record)
  }

  /// Lets fields find the lists of their feature to which they refer.
  static func connect(_ fields: [FieldClass]) {
    for field in fields {
      let parts = field.field.type.element?.record?.parts.map(\.type) ?? []
      for type in [field.field.type] + parts {
        guard let name = type.reference?.list else { continue }
        field.referred[name] = Referred(list: fields.first { $0.field.name == name })
      }
    }
  }

  /// The type of the objects for the list or set; nil for another field, and for a list that code gets as a table.
  var objectType: LuaValueType? {
    switch kind {
    case .list(let list): .object(list.luaClass)
    case .set(let luaClass, _, _): .object(luaClass)
    case .map(_, let list, _):
      .map(
        from: list.record.type.parts[0].type.luaType(at: path),
        to: list.record.type.parts[1].type.luaType(at: path))
    case .value, .record: nil
    }
  }

  /// The type of the elements of a list, as code gets them.
  var elementType: LuaValueType {
    if case .list(let list) = kind { return .object(list.record.luaClass) }
    return (field.type.element ?? .any).luaType(at: field.path)
  }

  /// Makes the object of the list, set or record that the field is; nil for a plain value.
  func object(in source: ObjectSource) -> (any LuaDynamicObject)? {
    switch kind {
    case .list(let list): ListObject(list, source)
    case .set(let luaClass, let list, let set): SetObject(luaClass, of: self, list, set, source)
    case .map(let luaClass, let list, let idOfKey):
      MapObject(luaClass, ListObject(list, source), idOfKey: idOfKey)
    case .record(let record): RecordObject(record, .field(self, source))
    case .value: nil
    }
  }

  /// The object of the list, set or record that the field is, or its plain value.
  ///
  /// - Throws: The error of a draft that has ended, or of a feature that was reloaded.
  func value(
    in source: ObjectSource, as object: @autoclosure () -> (any LuaDynamicObject)?
  ) throws -> AnyPushable {
    // Whoever keeps a draft gets the error here, and not where the object is used.
    let state = try source.state
    if field.list == nil {
      let value = field.value(in: state)
      if let reference = field.type.reference {
        return try list(of: reference, in: source).element(withID: value)
      }
      guard field.hasLiveParts, case .record = value else { return rules.values.pushable(value) }
    }
    if let object = object() { return AnyPushable(object) }
    return rules.values.pushable(field.value(in: state))
  }

  /// The list to whose records the field refers, for code that has the state; nil if there is none.
  func list(of reference: ReferenceType, in source: ObjectSource) throws -> ListObject? {
    try referred[reference.list]?.list?.list(in: source)
  }

  /// The list, or the records of the map, that the field is, for code that has the state; nil for another field.
  func list(in source: ObjectSource) throws -> ListObject? {
    guard let listClass else { return nil }
    try source.recordRead(of: field)
    return ListObject(listClass, source)
  }

  /// The class of the records to which the field refers; nil if there is none.
  func listClass(of reference: ReferenceType) -> ListClass? {
    referred[reference.list]?.list?.listClass
  }

  /// Assigns the value at index 3 of the stack.
  func assign(_ stack: LuaStack, in source: ObjectSource) throws {
    guard field.list == nil else {
      throw ObjectError(
        "read_only",
        "\(path) can't be assigned; "
          + (field.list?.isMap == true
            ? "assign its keys, or nil to them" : "change it by its methods, such as clear()"))
    }
    try checkAssignable(in: source)
    try set(rules.read(stack, as: field.type, path, at: path, in: source.store), in: source)
  }

  func checkAssignable(in source: ObjectSource) throws {
    guard case .store = source else { return _ = try source.draft(at: path) }
    if field.assign == nil { throw rules.readOnly(path) }
  }

  /// Assigns a value of the field's type.
  func set(_ new: StateValue, in source: ObjectSource) throws {
    guard case .store(let store, _) = source else {
      if case .value(let type, let place)? = draft?.kind {
        try source.draft(at: path).set(new, at: place, of: type, path: path)
      }
      return
    }
    guard let assign = field.assign else { throw rules.readOnly(path) }
    try assign(store, new)
  }
}

extension AnyField {
  /// The name of the class of the records of a list; nil for another field, and for records that aren't objects.
  package var recordClassName: String? {
    guard list?.records != nil, list?.isMap == false else { return nil }
    if let scriptableType { return scriptableType.luaTypeName }
    guard type.element?.record?.hasID == true else { return nil }
    return path.dropLast(name.utf8.count) + name.asSingular
  }
}

/// The objects of a feature's fields in a store, which are the same as long as the app is used.
final class FeatureObjects {
  let fields: [FieldClass]
  let store: Store
  let place: FeaturePlace
  private var objects: [(any LuaDynamicObject)?]

  init(_ fields: [FieldClass], in store: Store, at place: FeaturePlace) {
    (self.fields, self.store, self.place) = (fields, store, place)
    objects = Array(repeating: nil, count: fields.count)
  }

  var source: ObjectSource { .store(store, place) }

  /// The object of the list, set or record that the field at an index is; nil for a plain value.
  func object(at index: Int) -> (any LuaDynamicObject)? {
    if let object = objects[index] { return object }
    let object = fields[index].object(in: source)
    // Of a map, too: its values may refer to records.
    (object as? ListObject ?? (object as? MapObject)?.records)?.siblings = self
    objects[index] = object
    return object
  }

  func list(named name: String) -> ListObject? {
    fields.firstIndex { $0.field.name == name }.flatMap { list(at: $0) }
  }

  /// The list of records that the field at an index is; nil for another field.
  func list(at index: Int) -> ListObject? { object(at: index) as? ListObject }

  /// The object of the list, set or record that the field at an index is, or its plain value.
  func value(at index: Int) throws -> AnyPushable {
    let field = fields[index].field
    if let reference = field.type.reference {
      return try list(named: reference.list)
        .element(withID: field.value(in: store.box(at: place)))
    }
    return try fields[index].value(in: source, as: object(at: index))
  }

  /// The element at a position, counted from 0, of the list that the field at an index is.
  func element(at position: Int, ofFieldAt index: Int) throws -> AnyPushable {
    if let list = list(at: index) { return AnyPushable(try list.element(at: position)) }
    guard let list = fields[index].field.list else { return AnyPushable(StateValue.none) }
    return AnyPushable(list.elements(try store.box(at: place))[position])
  }
}

/// A value of a type that is known only at run time.
struct AnyPushable: LuaPushable {
  let value: any LuaPushable

  init(_ value: any LuaPushable) { self.value = value }

  static var luaTypeName: String { "any" }

  func push(to stack: LuaStack) throws(LuaError) { try value.push(to: stack) }
}
