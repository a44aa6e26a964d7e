import Lua
import Scripting
import StateStore

// The description of the app: its features with their fields and functions.
extension PageQuestions {
  func description() throws -> StateValue {
    let schema = store.schema
    let classes = listsByRecordClass
    var order = schema.featureNames
    // Those of files come first: they are what the page is for.
    let declared = host.declaredNames
    order = order.filter(declared.contains) + order.filter { !declared.contains($0) }
    let features = order.map { name -> StateValue in
      let module = host.app.modules.first { $0.name == name }
      let layout = host.app.pageLayout(of: name)
      let calls = (module?.documentation ?? []).filter(\.isFunction)
      return [
        "name": .text(name), "help": .text(module?.help ?? ""),
        "fields": .list(
          layout.arranged(fields(of: name), \.name).map {
            $0.description(columns: layout.columns[$0.name])
          }),
        "calls": .list(layout.arranged(calls, \.name).map { $0.callDescription(classes) }),
        "main": .optional(layout.main),
      ]
    }
    return [
      "title": .text(host.title), "is_read_only": .boolean(isReadOnly), "moment": moment,
      "features": .list(features),
    ]
  }

  func fields(of feature: String) -> [AnyField] {
    store.schema.fields.filter { $0.path == feature || $0.path.hasPrefix(feature + ".") }
  }

  /// The paths of the lists, by the names of the classes of their records.
  private var listsByRecordClass: [String: String] {
    var lists: [String: String] = [:]
    for field in store.schema.fields {
      guard let name = field.recordClassName else { continue }
      lists[name] = field.path
    }
    return lists
  }
}

extension PageLayout {
  /// The members that are shown, in their order.
  fileprivate func arranged<Member>(
    _ members: [Member], _ path: KeyPath<Member, String>
  ) -> [Member] {
    let shown = members.filter { !hidden.contains($0[keyPath: path]) }
    let first = order.compactMap { name in shown.first { $0[keyPath: path] == name } }
    return first + shown.filter { !order.contains($0[keyPath: path]) }
  }
}

extension AnyField {
  private var kind: String {
    if let list, list.isMap { return "map" }
    if list?.records != nil { return "list" }
    if isList { return "set" }
    return isDerived ? "derived" : "value"
  }

  fileprivate func description(columns names: [String]?) -> StateValue {
    let record = (type.element ?? type).record
    let all = record?.members ?? []
    let columns = names.map { $0.compactMap { name in all.first { $0.name == name } } } ?? all
    let editable = (record?.parts ?? []).enumerated().filter { index, part in
      let isAssigned =
        type.element == nil ? assign != nil : list?.records?.assignment(ofPart: index) != nil
      return isAssigned && part.type.isTyped
    }.map(\.element.name)
    return [
      "name": .text(name.isEmpty ? path : name), "path": .text(path), "help": .text(help),
      "kind": .text(kind), "type": type.description,
      "is_editable": .boolean(assign != nil && (type.isTyped || type.record != nil)),
      "columns": .list(
        columns.map { name, type in
          [
            "name": .text(name), "type": type.description,
            "is_editable": .boolean(editable.contains(name)),
          ]
        }),
      "label": .optional(type.element?.record?.label),
    ]
  }
}

extension ValueType {
  /// The type as forms and tables need it.
  fileprivate var description: StateValue {
    var members: [StateValue.Member] = []
    func add(_ name: String, _ value: StateValue) {
      members.append(.init(name: name, value: value))
    }
    add("is", .text(word))
    if isOptional { add("is_optional", .boolean(true)) }
    if case .oneOf(let texts) = required { add("choices", .list(texts.map { .text($0) })) }
    if let reference { add("list", .text(reference.path)) }
    if let decimalPlaces { add("places", .integer(decimalPlaces.count)) }
    if case .range(let range) = required {
      if let minimum = range.minimum { add("min", .number(minimum)) }
      if let maximum = range.maximum { add("max", .number(maximum)) }
    }
    if case .text(let rule) = required, let length = rule.maximumLength {
      add("max_length", .integer(length))
    }
    return .record(members)
  }

  /// Whether people can type values of the type into an input.
  fileprivate var isTyped: Bool { word != ValueType.other }

  private static let other = "other"

  private var word: String {
    switch required {
    case .boolean: "boolean"
    case .integer: "integer"
    case .number, .decimal: "number"
    case .range(let range): range.base.word
    case .string, .text: "string"
    case .secret: "secret"
    case .date: "date"
    case .time: "time"
    case .oneOf: "choice"
    case .reference: "reference"
    case .any, .table, .optional, .record, .list, .set: Self.other
    }
  }
}

extension LuaMember {
  fileprivate func callDescription(_ lists: [String: String]) -> StateValue {
    [
      "name": .text(name), "help": .text(help), "example": .text(example),
      "waits": .boolean(kind == .function(waits: true)),
      "parameters": .list(
        parameters.map { parameter in
          [
            "name": .text(parameter.name), "help": .text(parameter.help),
            "type": parameter.typeDescription(lists), "is_optional": .boolean(parameter.isOptional),
            "default": .text(parameter.defaultText),
          ]
        }),
    ]
  }
}

extension LuaParameter {
  /// The type as forms need it; `lists` are the paths of lists by the names of the classes of their records.
  fileprivate func typeDescription(_ lists: [String: String]) -> StateValue {
    let name = required.name
    if let list = lists[name] { return ["is": .text("reference"), "list": .text(list)] }
    if case .oneOf(let texts) = required { return ValueType.oneOf(texts).description }
    return (DecimalPlaces(typeName: name).map { .decimal($0) } ?? Self.types[name] ?? .any)
      .description
  }

  private static let types: [String: ValueType] = [
    "boolean": .boolean, "integer": .integer, "number": .number, "string": .string,
    "secret": .secret, "date": .date, "time": .time,
  ]
}
