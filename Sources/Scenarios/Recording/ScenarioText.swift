import Scripting
import StateStore

/// The text of a recorded scenario.
struct ScenarioText {
  private var lines: [String]
  private var indentation = "  "

  /// The line that every recorded scenario begins with.
  static let firstLine =
    "-- A recorded scenario: actions of the history, with all that each changes."

  /// The maximum length of a line that is put together from several.
  private static let maximumLength = 100

  /// Starts a scenario, in which other actions come between a request and its answer if it `hasRequests`.
  init(named name: String, hasRequests: Bool) {
    lines = [
      Self.firstLine,
      "-- Passwords and other secrets are replaced by placeholders.",
      "scenario(\(name.luaLiteral), function()",
    ]
    if hasRequests { add("local requests = {}") }
  }

  var finished: String { (lines + ["end)", ""]).joined(separator: "\n") }

  private mutating func add(_ line: String) { lines.append(indentation + line) }

  mutating func addComment(_ text: String) { add("-- \(text.onOneLine)") }

  /// Adds code with all that it changes.
  mutating func add(_ code: String, changing differences: [StateDifference]) {
    let changes = differences.map { (path: "[\($0.path.luaLiteral)]", value: $0.new) }
    // A field of a table can't be nil.
    let texts = changes.map { "\($0.path) = \($0.value?.luaLiteral ?? "expect.none")" }
    let table = changes.isEmpty ? "{}" : "{ \(texts.joined(separator: ", ")) }"
    // Code may end in a comment.
    if !code.contains("--") {
      let line = "expect.changes(function() \(code) end, \(table))"
      if line.utf8.count <= Self.maximumLength { return add(line) }
    }
    add("expect.changes(function()")
    add("  \(code)")
    if changes.isEmpty { return add("end, {})") }
    add("end, {")
    for (path, value) in changes {
      if let value {
        add("  \(path) = ", value.luaText, ",")
      } else {
        add("  \(path) = expect.none,")
      }
    }
    add("})")
  }

  /// Adds a call that is made and undone, once or several times.
  mutating func addUndone(_ code: String, times count: Int) {
    addComment("So that the new record gets its id of the session.")
    if count > 1 { add("for _ = 1, \(count) do") }
    let indentation = count > 1 ? "  " : ""
    add(indentation + code)
    add(indentation + "store.undo()")
    if count > 1 { add("end") }
  }

  /// Adds a value after some text; a long one has a line for each part.
  private mutating func add(_ start: String, _ value: LuaText, _ end: String) {
    let indentation = start.prefix { $0 == " " }
    lines += value.lines(
      after: String(start[indentation.endIndex...]), before: end,
      indentation: self.indentation.utf8.count + indentation.utf8.count)
  }

  mutating func add(_ expectation: PinnedExpectation) {
    let (expression, value) = (expectation.expression, expectation.value)
    // An expression may end in a comment.
    guard expression.contains("--") else {
      return add("expect.equal(\(expression), ", value, ")")
    }
    add("expect.equal(")
    add("  \(expression)")
    add("  , ", value, ")")
  }

  /// Adds a stub of the function that asks a service, which answers after some seconds.
  mutating func addStub(of function: String, _ answer: RecordedAnswer?, after delay: Int) {
    add("stub(\(function), function()")
    if delay > 0 { add("  task.sleep(\(delay))") }
    switch answer {
    case .value(.none): add("  return nil")
    case .value(let value): add("  return ", value.luaText, "")
    case .failure(let message):
      let error: StateValue = [
        "code": .text(RecordedAnswer.failureCode), "message": .text(message),
      ]
      add("  error(", error.luaText, ")")
    case nil: break
    }
    add("end)")
  }

  /// Adds the import of a document; without differences if it makes the state in which the scenario begins.
  mutating func addImport(of document: LuaText, changing differences: [StateDifference]?) {
    add("do")
    indentation += "  "
    add("local path = tmp() .. \"/state.json\"")
    lines += document.linesThatWrite(indentation: indentation.utf8.count)
    if let differences {
      add("store.import(path)", changing: differences)
    } else {
      add("store.import(path)")
    }
    indentation.removeLast(2)
    add("end")
  }

  /// Adds the end of a request that has no answer.
  mutating func addCancellation(of request: Int) {
    add("requests[\(request)]:cancel()")
    add("pcall(requests[\(request)].await, requests[\(request)])")
  }
}
