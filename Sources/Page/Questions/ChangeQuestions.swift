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
    var arguments: [any LuaPushable] = []
    for parameter in member.parameters where !parameter.isVariadic {
      guard let text = question.content["arguments"]?[parameter.name], text != .none else {
        guard parameter.isOptional else {
          throw QuestionError("missing_argument", "\(parameter.name) is missing.")
        }
        arguments.append(LuaValue.nil)
        continue
      }
      arguments.append(try parameter.argument(text))
    }
    return try await run(host.app.start(name, of: feature, arguments, in: host.state))
  }

  /// Assigns a field, or a part of a record, by a value as it was typed.
  func set(_ question: Question) throws -> StateValue {
    let path = try question.text("path")
    guard let field = store.schema.fields.first(where: { $0.path == path }) else {
      throw QuestionError("unknown_path", "There is no field \(path.shortenedForMessage).")
    }
    let input = question.content["value"] ?? .none
    guard let id = question.optionalInteger("id") else {
      guard let assign = field.assign else {
        throw QuestionError("read_only", "\(path) can't be assigned.")
      }
      try assign(store, try field.type.value(ofInput: input, at: path))
      return moment.value
    }
    let name = try question.text("part")
    guard let record = field.type.element?.record, let index = record.index(of: name),
      let assignment = field.list?.records?.assignment(ofPart: index)
    else {
      throw QuestionError("read_only", "\(path): \(name.shortenedForMessage) can't be assigned.")
    }
    let type = record.parts[index].type
    try assignment.assign(store, id, try type.value(ofInput: input, at: name))
    return moment.value
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
