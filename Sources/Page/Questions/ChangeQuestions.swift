import Lua
import PrimereplTerminal
import Scripting
import StateStore

// What pages change.
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
    try store.group {
      for id in ids {
        let record = try first.argument(.text(id.json))
        try host.app.call(member.name, of: feature, [record] + rest, in: host.state)
      }
    }
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

  /// Assigns a field, or a part of a record, by a value as it was typed.
  ///
  /// A question that says what the value `was` isn't meant for another one, which somebody else has assigned meanwhile.
  func set(_ question: Question) throws {
    let path = try question.text("path")
    guard let field = store.schema.fields.first(where: { $0.path == path }) else {
      throw QuestionError("unknown_path", "There is no field \(path.shortenedForMessage).")
    }
    let input = question.content["value"] ?? .none
    guard let id = question.optionalInteger("id") else {
      guard let assign = field.assign else {
        throw QuestionError("read_only", "\(path) can't be assigned.")
      }
      try check(field.value(in: store.states), at: path, question)
      return try assign(store, try field.type.value(ofInput: input, at: path))
    }
    let name = try question.text("part")
    guard let record = field.type.element?.record, let index = record.index(of: name),
      let assignment = field.list?.records?.assignment(ofPart: index)
    else {
      throw QuestionError("read_only", "\(path): \(name.shortenedForMessage) can't be assigned.")
    }
    if let current = field.record(withID: id, in: store.states)?[name] {
      try check(current, at: "\(path)[1].\(name)", question)
    }
    let type = record.parts[index].type
    try assignment.assign(store, id, try type.value(ofInput: input, at: name))
  }

  /// Checks that a value is still the one that a page has shown.
  private func check(_ current: StateValue, at path: String, _ question: Question) throws {
    guard let earlier = question.content["was"], !current.isSame(asShown: earlier) else { return }
    let text =
      store.schema.shownText(of: current, at: path, in: store.states, limit: 100)
      ?? current.luaLiteral
    throw QuestionError(
      "changed_meanwhile", "Meanwhile it became \(text). Do it again to replace that.")
  }

  // MARK: - Undo

  /// The numbers of the actions that undo takes back: those of the last command, or of this process's own last one if
  /// others have acted since.
  var undoneNext: ClosedRange<Int>? {
    guard let target = host.commands.positionBeforeLastCommand(in: store) else { return nil }
    let numbers = target + 1...store.position
    guard !store.remoteActions(in: numbers).isEmpty,
      let own = host.commands.lastOwnCommand(in: store), own.lowerBound > firstPosition
    else { return numbers }
    return own
  }

  func undo() throws {
    guard let numbers = undoneNext else { return try store.undo() }
    guard numbers.upperBound < store.position else {
      return try store.jump(to: numbers.lowerBound - 1)
    }
    try host.commands.takeBack(numbers, in: store)
  }

  func redo() throws {
    guard let target = host.commands.positionAfterNextCommand(in: store) else {
      return try store.redo()
    }
    try store.jump(to: target)
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
  ///
  /// - Throws: `QuestionError`, or the error of a value that isn't of the type.
  fileprivate func value(ofInput input: StateValue, at path: String) throws -> StateValue {
    var value = input
    if case .text(let text) = input {
      value = isOptional && text.isEmpty ? .none : try required.parsed(text)
    }
    return try checked(value, at: path)
  }

  /// The value that a text stands for; the text itself if it isn't of the type, so that checking it says what is expected.
  private func parsed(_ text: String) throws -> StateValue {
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
  /// Whether the value is that which a page got; a number with a fraction of 0 comes back without it.
  fileprivate func isSame(asShown other: StateValue) -> Bool {
    if case (.number(let value), .integer(let shown)) = (self, other) {
      value == Double(shown)
    } else {
      json == other.json
    }
  }
}
