import Lua
import StateStore

/// The lists of a feature as scripts see them: of live records, if the records are scriptable; otherwise of values.
///
/// The types of lists are looked up when they are first needed, because that takes long at the start of a program.
final class FieldLists<F: ScriptableFeature> {
  private let store: Store
  /// Beside the names of their fields.
  private var known: [(name: String, list: any ScriptList)] = []

  init(in store: Store) { self.store = store }

  /// The list of a field; always the same object.
  ///
  /// - Parameters:
  ///   - field: The field of the store.
  ///   - declaration: Its declaration.
  /// - Returns: The list.
  func list(of field: StateField, _ declaration: Field<F>) -> any ScriptList {
    if let known = known.first(where: { $0.name == field.name }) { return known.list }
    if let type = field.recordType, let list = liveList(of: type, field.name, declaration) {
      return list
    }
    let list = PlainList(field, in: store)
    known.append((field.name, list))
    return list
  }

  private func liveList<Element: Record & ScriptableRecord>(
    of type: Element.Type, _ name: String, _ declaration: Field<F>
  ) -> (any ScriptList)? {
    declaration.records(of: Element.self).map { liveList($0, of: name) }
  }

  /// The list of live records of a field.
  func liveList<Element: Record & ScriptableRecord>(
    _ access: RecordListAccess<F, Element>, of name: String
  ) -> LiveList<Element> {
    if let list = known.first(where: { $0.name == name })?.list as? LiveList<Element> {
      return list
    }
    let list = LiveList(LiveRecords(access, in: store))
    known.append((name, list))
    return list
  }
}

/// A list of the state as scripts see it, whatever its types.
protocol ScriptList: AnyObject {
  /// The value of the property for the list.
  var value: any LuaPushable { get }
  var count: Int { get }

  /// The element at a position, counted from 0.
  func element(at position: Int) -> any LuaPushable
}

extension LiveList: ScriptList {
  var value: any LuaPushable { self }
  var count: Int { records.count() }

  func element(at position: Int) -> any LuaPushable { records[records.id(position)] }
}

/// A list whose elements are values, such as numbers, or records that aren't scriptable.
private final class PlainList: ScriptList {
  private let field: StateField
  private let store: Store

  init(_ field: StateField, in store: Store) { (self.field, self.store) = (field, store) }

  private var elements: ListElements<StateValue> { field.elements(in: store.states) ?? [] }

  var value: any LuaPushable { field.value(in: store.states) }
  var count: Int { elements.count }

  func element(at position: Int) -> any LuaPushable { elements[position] }
}

extension StateField {
  fileprivate var recordType: (any (Record & ScriptableRecord).Type)? {
    swiftType as? any (Record & ScriptableRecord).Type
  }

  /// The type of the object for the list, or of the table that scripts get in its place.
  var listType: LuaValueType {
    func type<Element: ScriptableRecord>(_ element: Element.Type) -> LuaValueType {
      LiveList<Element>.luaType
    }
    return recordType.map { type($0) } ?? self.type.luaType(at: path)
  }

  /// The type of the objects for the list's records, or of the values that scripts get in their place.
  var elementType: LuaValueType {
    func object<Element: ScriptableRecord>(_ element: Element.Type) -> LuaValueType {
      LiveRecord<Element>.luaType
    }
    return recordType.map { object($0) } ?? (type.element ?? .any).luaType(at: path)
  }
}

extension Field {
  /// The list of live records and the fields that can be assigned; nil for any other field.
  var moduleRecords: ModuleCalls.Records? {
    func records<Element: ScriptableRecord>(_ element: Element.Type) -> ModuleCalls.Records {
      ModuleCalls.Records(
        record: LuaObjectClass(LiveRecord<Element>.self),
        list: LuaObjectClass(LiveList<Element>.self), fields: assignedFields)
    }
    return fields.first?.recordType.map { records($0) }
  }
}

/// A value of a type that is known only at run time.
struct AnyPushable: LuaPushable {
  let value: any LuaPushable

  init(_ value: any LuaPushable) { self.value = value }

  static var luaTypeName: String { "any" }

  func push(to stack: LuaStack) throws(LuaError) { try value.push(to: stack) }
}
