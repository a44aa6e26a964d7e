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
    state = LuaObjectClass(name, of: StateView.self) { [unowned rules] members in
      for (index, field) in fields.enumerated() {
        members.property(
          .property(field.name), get: { try $0.value(at: index, field) },
          assign: { try $0.assign($1, to: field, at: "\(name).\(field.name)") })
      }
      for (index, derived) in declaration.derived.enumerated() {
        members.property(
          .property(derived.field.name),
          get: { try rules.value(ofDerived: index, readBy: $0) },
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
  fileprivate static func property(_ name: String) -> LuaMember {
    LuaMember(
      property: name, type: "any", valueType: { nil }, isWritable: true, help: "", example: "")
  }

  fileprivate static func method(_ name: String, _ parameters: String...) -> LuaMember {
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

  fileprivate func value(at index: Int, _ field: DeclaredFeature.Field) throws -> AnyPushable {
    switch field.kind {
    case .value(let type, let place):
      let path = "\(classes.feature).\(field.name)"
      return try classes.values.pushable(
        type, at: path,
        RecordPlace { [source] in
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

  fileprivate func assign(
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

/// A list with the classes of its views.
final class ViewedList {
  let list: DeclaredList
  let listClass: LuaObjectClass
  let recordClass: LuaObjectClass

  fileprivate init(_ list: DeclaredList, at path: String, _ values: DeclaredValues) {
    self.list = list
    listClass = ListView.makeClass(of: list, at: path, values)
    recordClass = RecordView.makeClass(of: list, at: path, values)
  }
}

/// A list of the state, as actions and derived values get it.
final class ListView: LuaDynamicObject {
  private let source: DeclaredSource
  private let viewed: ViewedList

  fileprivate init(_ source: DeclaredSource, _ viewed: ViewedList) {
    (self.source, self.viewed) = (source, viewed)
  }

  static var luaTypeName: String { "list" }

  var luaClass: LuaObjectClass { viewed.listClass }

  private var list: DeclaredList { viewed.list }

  private var records: RecordList<DeclaredRecord> {
    get throws { try source.list(at: list.index) }
  }

  private func record(_ id: Int) -> RecordView { RecordView(source, viewed, id) }

  fileprivate static func makeClass(
    of list: DeclaredList, at path: String, _ values: DeclaredValues
  ) -> LuaObjectClass {
    LuaObjectClass(path, of: ListView.self) { members in
      members.sequence(
        count: { try $0.records.count }, element: { $0.record(try $0.records[$1].id) })
      members.method(.method("append", "record")) { view, arguments in
        try view.insert(arguments.values(1, values), at: nil, path).push(to: arguments.stack)
        return 1
      }
      members.method(.method("insert", "position", "record")) { view, arguments in
        guard list.type.sortingPart == nil else {
          throw DeclarationError("bad_position", "\(path) is sorted: append to it")
        }
        let position = try view.position(arguments.read(1), beyondLast: 1, path)
        try view.insert(arguments.values(2, values), at: position, path).push(to: arguments.stack)
        return 1
      }
      members.method(.method("move", "id", "position")) { view, arguments in
        guard list.type.sortingPart == nil else {
          throw DeclarationError("bad_position", "\(path) is sorted: change what it is sorted by")
        }
        let id = try view.id(arguments, path)
        let position = try view.position(arguments.read(2), beyondLast: 0, path)
        _ = try view.source.draft(at: path).move(id, to: position, in: list)
        return 0
      }
      members.method(.method("remove", "id")) { view, arguments in
        let id = try view.id(arguments, path)
        _ = try view.source.draft(at: path).remove(id, from: list)
        return 0
      }
      members.method(.method("get", "id")) { view, arguments in
        let id = try view.givenID(arguments)
        if try view.records.contains(id: id) {
          try view.record(id).push(to: arguments.stack)
        } else {
          arguments.stack.pushNil()
        }
        return 1
      }
      members.method(.method("clear")) { view, _ in
        try view.source.draft(at: path).removeAll(from: list)
        return 0
      }
      members.method(.method("find", "fn")) { view, arguments in
        let isMatch: LuaFunction = try arguments.read(1)
        for record in try view.records {
          let object = view.record(record.id)
          let result = try isMatch.call(object).first
          guard result == nil || result == .nil || result == false else {
            try object.push(to: arguments.stack)
            return 1
          }
        }
        arguments.stack.pushNil()
        return 1
      }
      members.text { "\(path) (\(try $0.records.count))" }
    }
  }

  private func insert(
    _ value: StateValue, at position: Int?, _ path: String
  ) throws -> RecordView {
    guard case .record(let members) = value else {
      throw DeclarationError("bad_value", "\(path): a record is a table of its fields")
    }
    let draft = try source.draft(at: path)
    let values = try list.type.record.values(
      from: members, at: "\(path)[\((position ?? (try? records.count) ?? 0) + 1)]")
    return record(try draft.insert(values, at: position, in: list))
  }

  /// A position from 0, of one counted from 1.
  private func position(_ number: Int, beyondLast: Int, _ path: String) throws -> Int {
    let count = try records.count + beyondLast
    guard (1...max(1, count)).contains(number), count > 0 else {
      throw DeclarationError(
        "bad_position", "\(path) has no position \(number): it has \(try records.count) records")
    }
    return number - 1
  }

  /// The id of a record, which is given by itself or by its id.
  private func givenID(_ arguments: LuaArguments) throws -> Int {
    if case .userdata(let object) = arguments.stack.value(at: arguments.index(of: 1)),
      let record = try object.hostObject() as? RecordView, record.luaClass === viewed.recordClass
    {
      record.id
    } else {
      try arguments.read(1) as Int
    }
  }

  /// The id of a record of the list, which is given by itself or by its id.
  private func id(_ arguments: LuaArguments, _ path: String) throws -> Int {
    let id = try givenID(arguments)
    guard try records.contains(id: id) else {
      throw DeclarationError("not_found", "\(path) has no record with the id \(id)")
    }
    return id
  }
}

extension LuaArguments {
  /// The value of an argument.
  fileprivate func values(_ position: Int, _ values: DeclaredValues) throws -> StateValue {
    guard position <= count else { throw badArgument(position, expected: "table") }
    return try values.read(stack, at: index(of: position))
  }
}

/// A record of a list, as actions and derived values get it.
final class RecordView: LuaDynamicObject {
  let id: Int
  private let source: DeclaredSource
  private let viewed: ViewedList

  fileprivate init(_ source: DeclaredSource, _ viewed: ViewedList, _ id: Int) {
    (self.source, self.viewed, self.id) = (source, viewed, id)
  }

  static var luaTypeName: String { "record" }

  var luaClass: LuaObjectClass { viewed.recordClass }

  var list: DeclaredList { viewed.list }

  private func record(at path: String) throws -> DeclaredRecord {
    guard let record = try source.list(at: list.index)[id: id] else {
      throw DeclarationError("not_found", "\(path) has no record with the id \(id)")
    }
    return record
  }

  /// The record as a value, without its id.
  func value() throws -> StateValue {
    let record = try record(at: luaClass.name)
    guard case .record(let members) = record.stateValue else { return .none }
    return .record(members.filter { $0.name != "id" })
  }

  fileprivate static func makeClass(
    of list: DeclaredList, at path: String, _ values: DeclaredValues
  ) -> LuaObjectClass {
    LuaObjectClass("\(path) record", of: RecordView.self) { members in
      members.property(
        .property("id"), get: { $0.id },
        assign: { _, _ in throw DeclarationError("read_only", "\(path): ids can't be assigned") })
      for (index, part) in list.type.record.parts.enumerated() {
        members.property(
          .property(part.name),
          get: { view in
            try values.pushable(
              part.type, at: "\(path).\(part.name)",
              RecordPlace {
                try view.record(at: path).values[index]
              } set: {
                try view.set($0, at: index, path)
              })
          },
          assign: { view, stack in
            let new = try part.type.checked(
              values.read(stack, at: 3), at: view.place(of: part.name, path))
            try view.set(new, at: index, path)
          })
      }
      members.entries { view -> [(String, StateValue)] in
        guard case .record(let parts) = try view.record(at: path).stateValue else { return [] }
        return parts.entries
      }
      members.operator(.equal) { (left: RecordView, right: RecordView) in
        left.id == right.id && left.luaClass === right.luaClass
      }
      members.text { "\(path):get(\($0.id))" }
    }
  }

  private func set(_ new: StateValue, at index: Int, _ path: String) throws {
    guard try source.draft(at: path).set(new, at: index, ofRecord: id, in: list) else {
      throw DeclarationError("not_found", "\(path) has no record with the id \(id)")
    }
  }

  /// The path of a part by the record's position.
  private func place(of part: String, _ path: String) -> String {
    let position = try? source.list(at: list.index).position(ofID: id)
    return position.map { "\(path)[\($0 + 1)].\(part)" } ?? "\(path).\(part)"
  }
}

/// A set of the state, as actions and derived values get it.
final class SetView: LuaDynamicObject {
  let luaClass: LuaObjectClass
  private let source: DeclaredSource
  private let place: Int

  fileprivate init(_ source: DeclaredSource, _ place: Int, _ luaClass: LuaObjectClass) {
    (self.source, self.place, self.luaClass) = (source, place, luaClass)
  }

  static var luaTypeName: String { "set" }

  private var elements: DeclaredSet {
    get throws { try source.state.sets[place] }
  }

  fileprivate static func makeClass(
    of type: DeclaredType, at path: String, _ values: DeclaredValues
  ) -> LuaObjectClass {
    func element(_ arguments: LuaArguments) throws -> DeclaredSet.Element {
      let value = try type.checked(
        values.read(arguments.stack, at: arguments.index(of: 1)), at: path)
      guard let element = DeclaredSet.Element(value) else {
        throw arguments.badArgument(1, expected: type.name)
      }
      return element
    }
    return LuaObjectClass(path, of: SetView.self) { members in
      members.sequence(
        count: { try $0.elements.count }, element: { try $0.elements[$1].stateValue })
      members.method(.method("contains", "element")) { view, arguments in
        arguments.stack.push(try view.elements.contains(element(arguments)))
        return 1
      }
      members.method(.method("add", "element")) { view, arguments in
        let element = try element(arguments)
        let isNew = try view.source.draft(at: path).changeSet(at: view.place) {
          $0.insert(element)
        }
        arguments.stack.push(isNew)
        return 1
      }
      members.method(.method("remove", "element")) { view, arguments in
        let element = try element(arguments)
        let wasThere = try view.source.draft(at: path).changeSet(at: view.place) {
          $0.remove(element)
        }
        arguments.stack.push(wasThere)
        return 1
      }
      members.method(.method("clear")) { view, _ in
        try view.source.draft(at: path).changeSet(at: view.place) { $0.removeAll() }
        return 0
      }
      members.text { "\(path) (\(try $0.elements.count))" }
    }
  }
}

extension [StateValue.Member] {
  /// The members that have a value, for `pairs`.
  var entries: [(String, StateValue)] {
    filter { $0.value != .none }.map { ($0.name, $0.value) }
  }
}

/// The place of a value in the state.
struct RecordPlace {
  let get: () throws -> StateValue
  let set: (StateValue) throws -> Void

  init(_ get: @escaping () throws -> StateValue, set: @escaping (StateValue) throws -> Void) {
    (self.get, self.set) = (get, set)
  }
}

/// A record within a value, as actions and derived values get it: bound to its place, which assigning a part changes.
final class PartView: LuaDynamicObject {
  let luaClass: LuaObjectClass
  private let place: RecordPlace

  fileprivate init(_ place: RecordPlace, _ luaClass: LuaObjectClass) {
    (self.place, self.luaClass) = (place, luaClass)
  }

  static var luaTypeName: String { "record" }

  /// The record as a value.
  ///
  /// - Throws: ``DeclarationError`` if the place is empty by now.
  var value: StateValue {
    get throws { .record(try members) }
  }

  fileprivate var members: [StateValue.Member] {
    get throws {
      guard case .record(let members) = try place.get() else {
        throw DeclarationError("not_found", "\(luaClass.name) is nil now")
      }
      return members
    }
  }

  fileprivate func set(_ new: StateValue, at index: Int) throws {
    var members = try members
    members[index] = StateValue.Member(name: members[index].name, value: new)
    try place.set(.record(members))
  }
}

/// A secret, as actions get it: they can compare it and keep it, but not read it.
final class SecretView: LuaExposed {
  let secret: Secret

  init(_ secret: Secret) { self.secret = secret }

  static var luaTypeName: String { "secret" }

  static func describe(_ members: LuaClass<SecretView>) {
    members.property(
      "is_empty", help: "Whether it has no characters.", example: "secret.is_empty"
    ) { $0.secret.isEmpty }
    members.operator(.equal) { (left: SecretView, right: SecretView) in
      left.secret == right.secret
    }
    members.text { $0.secret.description }
  }
}

/// Converts values between the state and the code of declarations.
final class DeclaredValues {
  private let marks: JSONMarks
  /// By the paths of the records.
  private var partClasses: [String: LuaObjectClass] = [:]

  init(_ marks: JSONMarks) { self.marks = marks }

  /// An argument for code.
  func pushable(_ value: StateValue, of type: DeclaredType) -> AnyPushable {
    if case .secret(let secret) = value { return AnyPushable(SecretView(secret)) }
    return AnyPushable(value)
  }

  /// The value at a place in the state for code, which can assign the parts of a record.
  func pushable(
    _ type: DeclaredType, at path: String, _ place: RecordPlace
  ) throws -> AnyPushable {
    let value = try place.get()
    switch (type, value) {
    case (.optional(.record(let type)), .record), (.record(let type), .record):
      return AnyPushable(PartView(place, partClass(of: type, at: path)))
    default: return pushable(value, of: type)
    }
  }

  private func partClass(of type: DeclaredRecordType, at path: String) -> LuaObjectClass {
    if let known = partClasses[path] { return known }
    let new = LuaObjectClass(path, of: PartView.self) { [unowned self] members in
      for (index, part) in type.parts.enumerated() {
        let path = "\(path).\(part.name)"
        members.property(
          .property(part.name),
          get: { [self] view in
            try pushable(
              part.type, at: path,
              RecordPlace {
                try view.members[index].value
              } set: {
                try view.set($0, at: index)
              })
          },
          assign: { [self] view, stack in
            try view.set(part.type.checked(read(stack, at: 3), at: path), at: index)
          })
      }
      members.entries { view in try view.members.entries }
      members.text { $0.luaClass.name }
    }
    partClasses[path] = new
    return new
  }

  /// A value that code gives.
  func read(_ stack: LuaStack, at index: Int32) throws -> StateValue {
    try JSONWriter.plainValue(at: index, of: stack) ?? value(of: stack.value(at: index))
  }

  /// A value that code gives.
  ///
  /// - Throws: ``JSONError`` for a value that can't be saved.
  func value(of value: LuaValue) throws -> StateValue {
    switch value {
    case .nil: return .none
    case .userdata(let object):
      switch try object.hostObject() {
      case let secret as SecretView: return .secret(secret.secret)
      case let part as PartView: return try part.value
      case let record as RecordView: return try record.value()
      default: break
      }
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .integer(Int(value))
    case .number, .string, .table, .function, .coroutine: break
    }
    return try JSONWriter.value(of: value, marks)
  }
}

/// The values of an app's features, as derived values get them.
final class AppView: LuaExposed {
  private let states: States
  private let runtime: DeclaredRuntime
  /// The path of the values; empty for the app.
  private let path: String

  init(_ states: States, _ runtime: DeclaredRuntime, path: String = "") {
    (self.states, self.runtime, self.path) = (states, runtime, path)
  }

  static var luaTypeName: String { "app" }

  private func value(named name: String) throws -> any LuaPushable {
    let prefix = path.isEmpty ? "" : path + "."
    let fields = runtime.fields
    if let field = fields.first(where: { $0.path == prefix + name }) {
      guard let elements = field.elements(in: states) else {
        return try runtime.value(of: field, in: states)
      }
      return ElementsView(elements)
    }
    guard fields.contains(where: { $0.path.hasPrefix("\(prefix)\(name).") }) else {
      let names = fields.lazy.filter { $0.path.hasPrefix(prefix) }
        .map { String($0.path.dropFirst(prefix.count).prefix { $0 != "." }) }
      throw DeclarationError(
        "unknown_field",
        "the app has no field '\((prefix + name).shortenedForMessage)'"
          + (name.suggestion(of: Array(names)) ?? ""))
    }
    return AppView(states, runtime, path: prefix + name)
  }

  static func describe(_ members: LuaClass<AppView>) {
    members.dynamicFields { app, name in try app.value(named: name) }
  }
}

/// A list of another feature, as derived values get it: its elements are tables.
private final class ElementsView: LuaExposed {
  let elements: ListElements<StateValue>

  init(_ elements: ListElements<StateValue>) { self.elements = elements }

  static var luaTypeName: String { "list" }

  static func describe(_ members: LuaClass<ElementsView>) {
    members.sequence(count: { $0.elements.count }, element: { $0.elements[$1] })
  }
}
