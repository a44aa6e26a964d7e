import Lua
import StateStore

/// The classes of the objects by which code reaches the state of a declared feature, described once for each Lua state.
final class DeclaredClasses {
  /// The class of the objects of a field.
  private enum FieldClass {
    case list(DeclaredListClass)
    case set(LuaObjectClass, at: Int)
    /// A value; the class is that of a record.
    case value(ValueType, PartClass?, at: Int)
  }

  /// Converts values between the state and the code.
  let values: DeclaredValues

  private let feature: String
  private let fields: [DeclaredFeature.Field]
  private let classes: [FieldClass]

  /// Describes the classes.
  ///
  /// - Parameters:
  ///   - feature: The feature's name.
  ///   - fields: Its fields.
  ///   - values: Converts values between the state and the code.
  ///   - changesLists: Whether the code changes lists and sets, as that of actions does.
  init(
    of feature: String, _ fields: [DeclaredFeature.Field], _ values: DeclaredValues,
    changesLists: Bool
  ) {
    (self.feature, self.fields, self.values) = (feature, fields, values)
    classes = fields.enumerated().map { index, field in
      let path = "\(feature).\(field.name)"
      switch field.kind {
      case .value(let type, let place):
        let partClass = type.record.map { PartClass(of: $0, at: path, values) }
        return .value(type, partClass, at: place)
      case .set(let type, let place):
        let setClass = SetObject.makeClass(
          of: type, at: path, values, changesLists: changesLists)
        return .set(setClass, at: place)
      case .list(let type, let place):
        let list = DeclaredList(field.name, type, at: place)
        return .list(
          DeclaredListClass(
            of: list, at: index, of: feature, values, changesLists: changesLists))
      }
    }
  }

  /// The object of the list, set or record that the field at an index is, or its plain value.
  func value(ofField index: Int, in source: DeclaredSource) throws -> AnyPushable {
    switch classes[index] {
    case .list(let list):
      // Whoever keeps a draft gets the error here, and not where the list is used.
      if case .draft = source { _ = try source.list(at: list.list.index) }
      return AnyPushable(ListObject(list, source))
    case .set(let setClass, let place): return AnyPushable(SetObject(setClass, source, place))
    case .value(_, let partClass, let place):
      let place = ValuePlace(ofField: index, at: place, in: source, path: path(ofField: index))
      return try values.pushable(place, partClass)
    }
  }

  /// Assigns a value of Lua to the field at an index.
  func assign(
    _ stack: LuaStack, toField index: Int, in source: DeclaredSource
  ) throws {
    guard case .value(let type, _, let place) = classes[index] else {
      let path = path(ofField: index)
      throw DeclarationError(
        "read_only", "\(path) can't be assigned; change it by its methods, such as clear()")
    }
    try source.checkAssignable(fields[index].isEditable, at: path(ofField: index))
    let path = path(ofField: index)
    let new = try type.checked(values.read(stack, at: 3), at: path)
    try source.set(new, toField: index, at: place, path: path)
  }

  /// The type of the field at an index, for documentation.
  func luaType(ofField index: Int) -> LuaValueType {
    switch classes[index] {
    case .list(let list): .object(list.luaClass)
    case .set(let setClass, _): .object(setClass)
    case .value(let type, _, _): type.luaType(at: path(ofField: index))
    }
  }

  private func path(ofField index: Int) -> String { "\(feature).\(fields[index].name)" }

  /// The classes of the lists.
  var lists: [DeclaredListClass] {
    classes.compactMap { if case .list(let list) = $0 { list } else { nil } }
  }
}
