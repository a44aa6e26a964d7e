import Lua
import StateStore

/// The state that code of a declaration sees: one to change in an action, or one to read.
enum DeclaredSource {
  case draft(DeclaredDraft)
  case fixed(Snapshot)

  /// A state that doesn't change.
  final class Snapshot {
    let state: DeclaredState

    init(_ state: DeclaredState) { self.state = state }
  }

  static func fixed(_ state: DeclaredState) -> Self { .fixed(Snapshot(state)) }

  var state: DeclaredState {
    get throws {
      switch self {
      case .draft(let draft): try draft.state
      case .fixed(let snapshot): snapshot.state
      }
    }
  }

  func list(at index: Int) throws -> RecordList<DeclaredRecord> {
    switch self {
    case .draft(let draft): try draft.list(at: index)
    case .fixed(let snapshot): snapshot.state.lists[index]
    }
  }

  /// The draft, to change it.
  ///
  /// - Throws: ``DeclarationError`` where the state is only read.
  func draft(at path: String) throws -> DeclaredDraft {
    guard case .draft(let draft) = self else {
      throw DeclarationError("read_only", "\(path): a derived value only reads the state")
    }
    return draft
  }
}

/// The classes of the views of a feature's state, which are described once.
final class DeclaredViewClasses {
  let state: LuaObjectClass
  /// The lists by the indexes of the feature's fields.
  private(set) var lists: [Int: ViewedList] = [:]
  private(set) var sets: [Int: LuaObjectClass] = [:]
  let feature: String
  let values: DeclaredValues

  init(_ declaration: FeatureDeclaration, _ rules: LuaRules, _ values: DeclaredValues) {
    let (name, fields) = (declaration.name, declaration.fields.fields)
    (self.values, feature) = (values, name)
    for (index, field) in fields.enumerated() {
      let path = "\(name).\(field.name)"
      switch field.kind {
      case .list:
        if let list = DeclaredList(field) {
          lists[index] = ViewedList(list, at: path, values)
        }
      case .set(let type, _): sets[index] = SetView.makeClass(of: type, at: path, values)
      case .value: break
      }
    }
    state = LuaObjectClass(name, of: StateView.self) { [weak rules] members in
      for (index, field) in fields.enumerated() {
        members.property(
          .property(field.name), get: { try $0.value(at: index, field) },
          assign: { try $0.assign($1, to: field, at: "\(name).\(field.name)") })
      }
      for (index, derived) in declaration.derived.enumerated() {
        members.property(
          .property(derived.field.name),
          get: { view in
            guard let rules else { throw LuaError.closed }
            return try rules.value(ofDerived: index, readBy: view)
          },
          assign: { _, _ in
            throw DeclarationError(
              "read_only", "\(name).\(derived.field.name) is derived and can't be assigned")
          })
      }
      members.text { _ in name }
    }
  }
}

extension LuaMember {
  /// The documentation of a part of a view, which nobody reads.
  static func property(_ name: String) -> LuaMember {
    LuaMember(
      property: name, type: "any", valueType: { nil }, isWritable: true, help: "", example: "")
  }

  static func method(_ name: String, _ parameters: String...) -> LuaMember {
    LuaMember(
      function: name, parameters: parameters.map { LuaParameter(name: $0, type: "any") },
      types: [], help: "", example: "")
  }
}

/// The state of a feature, as actions and derived values get it.
final class StateView: LuaDynamicObject {
  let source: DeclaredSource
  private let classes: DeclaredViewClasses

  init(_ source: DeclaredSource, _ classes: DeclaredViewClasses) {
    (self.source, self.classes) = (source, classes)
  }

  var luaClass: LuaObjectClass { classes.state }

  static var luaTypeName: String { "state" }

  func value(at index: Int, _ field: DeclaredFeature.Field) throws -> AnyPushable {
    switch field.kind {
    case .value(let type, let place):
      let path = "\(classes.feature).\(field.name)"
      return try classes.values.pushable(
        type, at: path,
        ValuePlace { [source] in
          try source.state.values[place]
        } set: {
          [source] new in
          try source.draft(at: path).set(new, at: place)
        })
    case .list(_, let place):
      guard let list = classes.lists[index] else { break }
      _ = try source.list(at: place)
      return AnyPushable(ListView(source, list))
    case .set(_, let place):
      guard let type = classes.sets[index] else { break }
      return AnyPushable(SetView(source, place, type))
    }
    return AnyPushable(LuaValue.nil)
  }

  func assign(
    _ stack: LuaStack, to field: DeclaredFeature.Field, at path: String
  ) throws {
    guard case .value(let type, let place) = field.kind else {
      throw DeclarationError(
        "read_only", "\(path) can't be assigned; change it by its methods, such as clear()")
    }
    let new = try type.checked(classes.values.read(stack, at: 3), at: path)
    try source.draft(at: path).set(new, at: place)
  }
}
