import Lua
import PrimereplTerminal
import Scripting
import StateStore

// Questions by which pages change the app.
extension PageQuestions {
  /// Calls a function of the app with arguments as they were typed.
  func call(_ question: Question) async throws -> StateValue {
    let (feature, name) = (try question.text("feature"), try question.text("name"))
    guard let module = host.app.modules.first(where: { $0.name == feature }),
      let member = module.documentation.first(where: { $0.name == name && $0.isFunction })
    else {
      throw QuestionError(
        "unknown_function", "The app has no function \(feature).\(name).".shortenedForMessage)
    }
    let parameters = member.parameters.filter { !$0.isVariadic }
    if case .list(let ids, _)? = question.content["ids"] {
      return try callEach(member, of: feature, parameters, ids, question)
    }
    let arguments = try parameters.map { try argument(for: $0, of: question) }
    return try await run(for: question) {
      try host.app.start(name, of: feature, arguments, in: host.state)
    }
  }

  /// Calls a function for each of some records, as one action of the history: its first parameter gets the record.
  ///
  /// - Throws: Why it can't be called for one of them, such as that it waits; nothing is then changed.
  private func callEach(
    _ member: LuaMember, of feature: String, _ parameters: [LuaParameter], _ ids: [StateValue],
    _ question: Question
  ) throws -> StateValue {
    guard let first = parameters.first else {
      throw QuestionError("not_for_records", "\(feature).\(member.name) takes no record.")
    }
    let rest = try parameters.dropFirst().map { try argument(for: $0, of: question) }
    let position = store.position
    try store.group {
      for id in ids {
        let record = try first.argument(.text(id.json))
        try host.app.call(member.name, of: feature, [record] + rest, in: host.state)
      }
    }
    recordCommand(question, since: position)
    return ["result": .text("done for \(ids.count.counted("record"))")]
  }

  private func argument(
    for parameter: LuaParameter, of question: Question
  ) throws -> any LuaPushable {
    if let text = question.content["arguments"]?[parameter.name], text != .none {
      return try parameter.argument(text)
    }
    guard parameter.isOptional else {
      throw QuestionError("missing_argument", "\(parameter.name) is missing.")
    }
    return LuaValue.nil
  }

  /// Assigns a field, a part of a field that is a record, or a part of a record of a list, by a value as it was typed.
  ///
  /// A question that says what the value `was` isn't meant for another one, which somebody else has assigned meanwhile.
  ///
  /// - Returns: The value that is there now, as pages get it.
  func set(_ question: Question) throws -> StateValue {
    let path = try question.text("path")
    guard let field = store.schema.fields.first(where: { $0.path == path }) else {
      throw QuestionError("unknown_path", "There is no field \(path.shortenedForMessage).")
    }
    let part = question.optionalText("part")
    guard
      let place = try question.optionalInteger("id").map({ try field.part(part, ofRecord: $0) })
        ?? field.place(ofPart: part)
    else {
      let name = [path, part].compactMap(\.self).joined(separator: ".")
      throw QuestionError("read_only", "\(name.shortenedForMessage) can't be assigned.")
    }
    let current = place.value(store.states)
    if let earlier = question.content["was"], !current.isSame(asShown: earlier) {
      let text =
        store.schema.shownText(of: current, at: place.path, in: store.states, limit: 100)
        ?? (current == .none ? "nil" : current.luaLiteral)
      throw QuestionError(
        "changed_meanwhile", "Meanwhile it became \(text). Do it again to replace that.")
    }
    let new = try place.type.value(ofInput: question.content["value"] ?? .none, at: place.name)
    if new != current {
      let position = store.position
      try place.assign(store, new)
      recordCommand(question, since: position)
    }
    return place.value(store.states).limited(to: Self.shownElements)
  }

  // MARK: - Undo

  /// The numbers of the actions that undo takes back for the person whose browser asks.
  func undoneNext(_ question: Question) -> ClosedRange<Int>? {
    host.commands.undoneNext(for: question.user, in: store)
  }

  func undo(_ question: Question) throws {
    guard let numbers = undoneNext(question) else { return try store.undo() }
    guard numbers.upperBound < store.position else {
      return try store.jump(to: numbers.lowerBound - 1)
    }
    try host.commands.takeBack(numbers, in: store, by: question.user)
  }

  func redo() throws {
    guard let target = host.commands.positionAfterNextCommand(in: store) else {
      return try store.redo()
    }
    try store.jump(to: target)
  }
}

/// A field, or a part of a record, that a page can assign.
private struct AssignablePlace {
  /// As in the changes of an action.
  let path: String
  /// For messages about a value.
  let name: String
  let type: ValueType
  let value: (States) -> StateValue
  let assign: (Store, StateValue) throws -> Void
}

extension AnyField {
  /// The field itself, or a part of it if it is a record; nil if it can't be assigned.
  fileprivate func place(ofPart part: String?) -> AssignablePlace? {
    guard let assign else { return nil }
    guard let part else {
      return AssignablePlace(
        path: path, name: path, type: type, value: { value(in: $0) }, assign: assign)
    }
    guard let record = type.record, let type = record.type(ofMember: part) else { return nil }
    return AssignablePlace(
      path: "\(path).\(part)", name: "\(path).\(part)", type: type,
      value: { value(in: $0)[part] ?? .none },
      assign: { store, new in
        guard case .record(let members) = value(in: store.states) else { return }
        let changed = record.members.map { name, _ in
          StateValue.Member(
            name: name,
            value: name == part ? new : members.first { $0.name == name }?.value ?? .none)
        }
        try assign(store, .record(changed))
      })
  }

  /// A part of a record of the list that the field is; nil if it can't be assigned.
  fileprivate func part(_ part: String?, ofRecord id: Int) throws -> AssignablePlace? {
    guard let part, let record = type.element?.record, let index = record.index(of: part),
      let assignment = list?.records?.assignment(ofPart: index)
    else { return nil }
    return AssignablePlace(
      path: "\(path)[1].\(part)", name: part, type: record.parts[index].type,
      value: { self.record(withID: id, in: $0)?[part] ?? .none },
      assign: { store, new in try assignment.assign(store, id, new) })
  }
}

extension LuaParameter {
  /// The argument for what was typed: a text, or a truth value.
  fileprivate func argument(_ input: StateValue) throws -> any LuaPushable {
    guard case .text(let text) = input else { return input }
    do throws(TypedTextError) {
      return try argument(typed: text)
    } catch {
      throw QuestionError(
        "bad_argument", "\(name): \(text.shortenedForMessage.luaLiteral) is no \(error.expected).")
    }
  }
}

extension ValueType {
  /// The value for what was typed: a text, a truth value, or nothing.
  fileprivate func value(ofInput input: StateValue, at path: String) throws -> StateValue {
    var value = input
    if case .text(let text) = input {
      do throws(JSONMistake) {
        value = isOptional && text.isEmpty ? .none : try required.parsed(text)
      } catch {
        throw QuestionError("bad_argument", "\(path): the value isn't JSON: \(error.problem)")
      }
    }
    return try checked(value, at: path)
  }

  /// The value that a text stands for; the text itself if it isn't of the type, so that checking it says what is expected.
  private func parsed(_ text: String) throws(JSONMistake) -> StateValue {
    switch self {
    case .boolean: .boolean(text == "true")
    case .integer, .reference: Int(text).map { .integer($0) } ?? .text(text)
    case .number, .decimal: Double(text).map { .number($0) } ?? .text(text)
    case .range(let range): try range.base.parsed(text)
    case .record, .list, .set, .any, .table: try StateValue(json: text)
    case .string, .text, .secret, .date, .time, .oneOf, .optional: .text(text)
    }
  }
}

extension StateValue {
  /// Whether the value is that which a page got: a number with a fraction of 0 comes back without it, and a long integer
  /// as its digits.
  fileprivate func isSame(asShown other: StateValue) -> Bool {
    switch (self, other) {
    case (.number(let value), .integer(let shown)): value == Double(shown)
    case (.integer(let value), .text(let shown)): String(value) == shown
    default: json == other.json
    }
  }
}
