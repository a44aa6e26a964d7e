import PrimereplFoundation
import PrimereplTerminal
import Scripting
import StateStore

// What was done.
extension PageQuestions {
  /// The maximum number of actions that a page gets at once.
  private static let maximumActions = 100

  /// The maximum number of changes of an action that a page gets.
  private static let maximumChanges = 20
  /// The maximum number of differences of two moments that a page gets.
  private static let maximumDifferences = 500
  /// The maximum number of columns of a value among changes.
  private static let valueColumns = 200

  /// Some of the actions before the number `before`, the newest first: only those whose text contains `search`, those of a
  /// `feature`, and those that changed the record with an `id` of the list at a `path`, as far as these are given.
  func history(of question: Question) throws -> StateValue {
    let reader = store.historyReader
    let before = question.optionalInteger("before") ?? reader.numbers.upperBound
    let count = min(question.optionalInteger("count") ?? 50, Self.maximumActions)
    let search = question.optionalText("search") ?? ""
    let feature = question.optionalText("feature")
    let texts = host.app.texts
    var found: [Int] = []
    let numbers: [Int] =
      if let id = question.optionalInteger("id"), let path = question.optionalText("path") {
        try reader.numbers(changing: id, in: path, store.schema)
      } else {
        Array(reader.numbers)
      }
    for number in numbers.reversed() where number < before {
      guard found.count <= count else { break }
      let recorded = reader.action(number)
      if let feature, recorded?.action.concerns(feature) != true { continue }
      if search.isEmpty || texts.text(of: recorded, contains: search) { found.append(number) }
    }
    let shown = found.prefix(count)
    var entries: [StateValue] = []
    try reader.forEachStep(shown.reversed()) { number, old, new in
      guard let recorded = reader.action(number) else { return }
      let command: StateValue =
        if let numbers = host.commands.command(of: number) {
          ["first": .integer(numbers.lowerBound), "last": .integer(numbers.upperBound)]
        } else {
          .none
        }
      entries.append([
        "number": .integer(number), "text": .text(texts.shownText(of: recorded)),
        "time": .number(recorded.time.timeIntervalSince1970),
        "author": .optional(recorded.author),
        "is_undone": .boolean(number > reader.position),
        "command": command,
        "changes": changes(from: old, to: new, atMost: Self.maximumChanges),
      ])
    }
    return [
      "moment": moment.value, "entries": .list(entries.reversed()),
      "has_more": .boolean(found.count > shown.count),
      "undo": text(of: undoneNext, reader),
      "redo": text(
        of: host.commands.positionAfterNextCommand(in: store).map { store.position + 1...$0 },
        reader),
    ]
  }

  /// The text of actions on a button; nothing for none.
  private func text(of numbers: ClosedRange<Int>?, _ reader: HistoryReader) -> StateValue {
    guard let numbers, let last = reader.action(numbers.upperBound) else { return .none }
    guard numbers.count == 1 else { return .text(numbers.count.counted("action")) }
    return .text(host.app.texts.shownText(of: last))
  }

  /// What differs between two states, as `changes` of paths with their `old` and `new` values, and the number of further ones.
  private func changes(from old: States, to new: States, atMost count: Int) -> StateValue {
    let parts = StateDiff(from: old, to: new, store.schema).parts(limit: Self.valueColumns)
    let shown = parts.prefix(count).map { part -> StateValue in
      ["path": .text(part.path), "old": .optional(part.old), "new": .optional(part.new)]
    }
    return ["changes": .list(shown), "rest": .integer(parts.count - shown.count)]
  }

  /// What differs between the states after two actions.
  func comparison(of question: Question) throws -> StateValue {
    let (first, last) = (try question.integer("first"), try question.integer("last"))
    return changes(
      from: try states(after: first), to: try states(after: last),
      atMost: Self.maximumDifferences)
  }

  /// A scenario of successive actions.
  func scenario(of question: Question) async throws -> StateValue {
    let (first, last) = (try question.integer("first"), try question.integer("last"))
    guard first <= last else {
      throw QuestionError("bad_range", "Action \(first) comes after action \(last).")
    }
    return [
      "text": .text(try await host.scenario(named: question.text("name"), of: first...last))
    ]
  }

  /// The values of a field after some actions, of which charts are made: numbers, and the lengths of lists.
  func series(of question: Question) throws -> StateValue {
    let path = try question.text("path")
    guard case .list(let numbers, _)? = question.content["numbers"],
      numbers.count <= Self.maximumActions,
      let field = store.schema.fields.first(where: { $0.path == path })
    else { throw QuestionError("unknown_path", "There is no field \(path.shortenedForMessage).") }
    let reader = store.historyReader
    let points = try numbers.map { number -> StateValue in
      guard case .integer(let number) = number else { return .none }
      let states = try states(after: number)
      let value: StateValue
      if let elements = field.elements(in: states) {
        value = .integer(elements.count)
      } else {
        value = field.value(in: states)
      }
      let time = reader.action(number)?.time.timeIntervalSince1970
      return [
        "number": .integer(number), "time": time.map { .number($0) } ?? .none, "value": value,
      ]
    }
    return ["points": .list(points)]
  }
}

extension StoreAction {
  /// Whether the action is one of a feature, or of all, or a group with one of it.
  fileprivate func concerns(_ feature: String) -> Bool {
    parts.contains { $0.featureName ?? feature == feature }
  }
}
