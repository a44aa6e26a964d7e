import PrimereplFoundation
import PrimereplTerminal
import Scripting
import StateStore

// What was done.
extension PageQuestions {
  /// The maximum number of actions that a page gets at once.
  private static let maximumActions = 100

  /// Some of the actions before the number `before`, the newest first: only those whose text contains `search`, and those that
  /// changed the record with an `id` of the list at a `path`, as far as these are given.
  func history(of question: Question) throws -> StateValue {
    let reader = store.historyReader
    let before = question.optionalInteger("before") ?? reader.numbers.upperBound
    let count = min(question.optionalInteger("count") ?? 50, Self.maximumActions)
    let search = question.optionalText("search") ?? ""
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
      if search.isEmpty || texts.text(of: reader.action(number), contains: search) {
        found.append(number)
      }
    }
    let shown = found.prefix(count)
    var entries: [StateValue] = []
    try reader.forEachStep(shown.reversed()) { number, old, new in
      guard let recorded = reader.action(number) else { return }
      entries.append([
        "number": .integer(number), "text": .text(texts.shownText(of: recorded)),
        "time": .number(recorded.time.timeIntervalSince1970),
        "author": .optional(recorded.author),
        "is_undone": .boolean(number > reader.position),
        "changes": .list(
          ChangeText(from: old, to: new, store.schema, .full).phrases.map { .text($0) }),
      ])
    }
    return [
      "moment": moment.value, "entries": .list(entries.reversed()),
      "has_more": .boolean(found.count > shown.count),
    ]
  }
}
