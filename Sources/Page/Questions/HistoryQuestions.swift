import PrimereplFoundation
import PrimereplTerminal
import Scripting
import StateStore

extension PageQuestions {
  private static let maximumActions = 100
  private static let maximumChanges = 20
  private static let maximumDifferences = 500
  /// The maximum width of a value among changes.
  private static let valueColumns = 200
  /// The maximum number of actions of a scenario that a page gets.
  private static let scenarioLimit = 1_000
  /// The maximum number of elements of lists in the state from which a page's scenario begins.
  private static let scenarioElements = 10_000

  /// Some of the actions before the number `before`, the newest first: only those whose text contains `search`, those of a
  /// `feature`, and those that changed the record with an `id` of the list at a `path`, as far as these are given.
  func history(of question: Question) throws -> StateValue {
    let history = store.contents
    let before = question.optionalInteger("before") ?? history.numbers.upperBound
    let count = max(0, min(question.optionalInteger("count") ?? 50, Self.maximumActions))
    let search = question.optionalText("search") ?? ""
    let feature = question.optionalText("feature")
    let texts = host.app.texts
    var found: [Int] = []
    let numbers: any BidirectionalCollection<Int> =
      if let id = question.optionalInteger("id"), let path = question.optionalText("path") {
        try history.numbers(changing: id, in: path, store.schema)
      } else {
        history.numbers
      }
    for number in numbers.reversed() where number < before {
      guard found.count <= count else { break }
      let recorded = history.action(number)
      if let feature, recorded?.action.concerns(feature) != true { continue }
      if search.isEmpty || texts.text(of: recorded, contains: search) { found.append(number) }
    }
    let shown = found.prefix(count)
    var entries: [StateValue] = []
    try history.forEachStep(shown.reversed()) { number, old, new in
      guard let recorded = history.action(number) else { return }
      let command = host.commands.command(of: number, in: history).map { numbers -> StateValue in
        ["first": .integer(numbers.lowerBound), "last": .integer(numbers.upperBound)]
      }
      let code = texts.savedText(of: recorded.action)
      let text = code.printable(limit: Self.valueColumns)
      entries.append([
        "number": .integer(number), "text": .text(text),
        "code": .optional(code == text ? nil : code),
        "time": .number(recorded.time.timeIntervalSince1970),
        "author": .optional(recorded.author), "command": command ?? .none,
        "changes": changes(from: old, to: new, atMost: Self.maximumChanges),
      ])
    }
    return [
      "entries": .list(entries.reversed()),
      "has_more": .boolean(found.count > shown.count),
      "undo": text(of: undoneNext(question), history),
      "redo": text(
        of: host.commands.positionAfterNextCommand(in: store).map { store.position + 1...$0 },
        history),
    ]
  }

  /// The text on a button for actions; `.none` without any.
  private func text(of numbers: ClosedRange<Int>?, _ history: StoreContents) -> StateValue {
    guard let numbers, let last = history.action(numbers.upperBound) else { return .none }
    guard numbers.count == 1 else { return .text(numbers.count.counted("action")) }
    return .text(
      host.app.texts.savedText(of: last.action).printable(limit: Self.valueColumns))
  }

  /// What differs between two states, as `changes` of paths with their `old` and `new` values, the number of further ones,
  /// and the paths of derived values that weren't compared, as that would take long.
  private func changes(from old: States, to new: States, atMost count: Int) -> StateValue {
    let difference = StateDiff(from: old, to: new, store.schema)
    let parts = difference.parts(limit: Self.valueColumns)
    let shown = parts.prefix(count).map { part -> StateValue in
      ["path": .text(part.path), "old": .optional(part.old), "new": .optional(part.new)]
    }
    return [
      "changes": .list(shown), "rest": .integer(parts.count - shown.count),
      "uncomputed": .list(difference.uncomputed.map { .text($0) }),
    ]
  }

  /// The differences between the states after two actions.
  func comparison(of question: Question) throws -> StateValue {
    let (first, last) = (try question.integer("first"), try question.integer("last"))
    return changes(
      from: try states(after: first), to: try states(after: last),
      atMost: Self.maximumDifferences)
  }

  func scenario(of question: Question) async throws -> StateValue {
    let (first, last) = (try question.integer("first"), try question.integer("last"))
    let history = store.contents
    guard first <= last, history.numbers.contains(first), history.numbers.contains(last) else {
      throw QuestionError("bad_range", "There are no actions from #\(first) to #\(last).")
    }
    // Others wait meanwhile.
    let size = store.schema.fields.reduce(0) { $0 + ($1.elements(in: store.states)?.count ?? 0) }
    guard last - first < Self.scenarioLimit, first == 1 || size <= Self.scenarioElements else {
      throw QuestionError(
        "too_long",
        "That would take long: save at most \(Self.scenarioLimit) actions, or use .scenario at the prompt."
      )
    }
    return [
      "text": .text(try await host.scenario(named: question.text("name"), of: first...last))
    ]
  }

  /// The values of a field, or the lengths of a list, after some actions; a chart draws the numbers among them.
  func series(of question: Question) throws -> StateValue {
    let path = try question.text("path")
    guard case .list(let numbers, _)? = question.content["numbers"],
      numbers.count <= Self.maximumActions,
      let field = store.schema.fields.first(where: { $0.path == path })
    else { throw QuestionError("unknown_path", "There is no field \(path.shortenedForMessage).") }
    let history = store.contents
    let points = try numbers.map { number -> StateValue in
      guard case .integer(let number) = number else { return .none }
      let states = try states(after: number)
      let value =
        field.elements(in: states).map { .integer($0.count) }
        ?? field.value(in: states).limited(to: 0)
      let time = history.action(number)?.time.timeIntervalSince1970
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
