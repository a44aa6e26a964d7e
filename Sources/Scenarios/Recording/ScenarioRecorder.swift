package import Lua
package import Scripting
import StateStore

/// Writes a scenario that repeats the history of a store: its actions as calls, each with all that it changes.
///
/// The changes are found by repeating the calls in a fresh app. So that new records get the recorded ids, calls are
/// undone there, too. Where the changes differ still, as a password has a placeholder, the state is imported: so the
/// scenario passes.
struct ScenarioRecorder {
  /// The states before the first step.
  private let start: States
  /// The actions, those of a group one by one, with the states after each.
  private let steps: [StoreContents.Step]
  private let schema: StoreSchema
  /// The paths of the fields that no document restores: derived values, and whether requests are pending.
  private let unsaved: Set<String>
  private let app: RepeatedApp
  private let requests: RecordedRequests
  private let texts: ActionTexts
  private let secrets = SecretPlaceholders()
  private var text: ScenarioText
  /// The expectations by the number of steps before them.
  private let expectations: [Int: [PinnedExpectation]]
  /// The requests that wait for their answers, by the indexes of their steps.
  private var waiting: [Int: WaitingRequest] = [:]
  /// Whether a state was imported, which lacks its secrets: a call may fail then that didn't.
  private var hasImported = false

  private struct WaitingRequest {
    /// Its number in the scenario.
    let number: Int
    let task: LuaTask
    let answer: AsyncStream<RecordedAnswer>.Continuation
  }

  /// The number of steps after which others get a turn, so that a long recording can be interrupted.
  private static let turn = 100

  /// The maximum number of undone calls before one, which bounds the time that they take.
  private static let maximumUndoneCount = 1_000

  /// A time in seconds after which a scenario gets no answers.
  private static let never = 86_400

  /// Records a scenario: see ``ScriptedApp/scenario(named:actions:expectations:)``.
  static func record(
    named name: String, actions: Range<Int>? = nil, expectations: [PinnedExpectation] = [],
    of app: RecordableApp
  ) async throws -> ScenarioRecording {
    // Made here, where the caller's actor is known, on which functions wait.
    let state = try LuaState(libraries: .sandbox)
    let history = app.store.contents
    var recorder = try ScenarioRecorder(
      named: name, actions ?? history.reachable.lowerBound + 1..<history.position + 1, of: history,
      expectations.filter { $0.isValid(in: app.store) }, of: app, in: state)
    defer { recorder.app.close() }
    let text = try await recorder.record()
    let included = recorder.expectations.values.reduce(0) { $0 + $1.count }
    return ScenarioRecording(
      text: text, actionCount: recorder.steps.count, expectationCount: included,
      omittedCount: expectations.count - included)
  }

  private init(
    named name: String, _ numbers: Range<Int>, of history: StoreContents,
    _ pinned: [PinnedExpectation], of original: RecordableApp, in state: LuaState
  ) throws {
    (start, steps) = try history.steps(numbers)
    schema = original.store.schema
    unsaved = Set(schema.fields.filter { !$0.isSaved }.map(\.path))
    texts = original.texts
    let positions = numbers.lowerBound - 1..<numbers.upperBound
    expectations = Dictionary(
      grouping: pinned.filter { positions.contains($0.position) },
      by: { [steps] pinned in steps.prefix { $0.number <= pinned.position }.count })
    requests = try RecordedRequests(
      in: steps.map(\.action), separating: Set(expectations.keys.map { $0 - 1 }),
      showing: secrets.text(for:))
    app = try RepeatedApp(in: state, like: original)
    text = ScenarioText(named: name, hasRequests: requests.hasWaiting)
  }

  private mutating func record() async throws -> String {
    if start != schema.initial {
      try app.restore(StateDocument.json(of: start, schema))
      hasImported = true
      text.addComment("The state in which the history begins.")
      text.addImport(of: LuaText(documentOf: start, schema), changing: nil)
    }
    addExpectations(at: 0)
    var index = 0
    while index < steps.count {
      if index % Self.turn == 0 {
        await Task.yield()
        try Task.checkCancellation()
      }
      // An answer that comes at once is part of its request's step.
      let next = requests.isAnsweredAtOnce(index) ? index + 2 : index + 1
      try await addStep(at: index, to: next)
      addExpectations(at: next)
      index = next
    }
    for request in waiting.sorted(by: { $0.key < $1.key }) {
      text.addCancellation(of: request.value.number)
    }
    return text.finished
  }

  /// Repeats the actions of one step, and writes how.
  private mutating func addStep(at index: Int, to next: Int) async throws {
    let (action, states) = (steps[index].action, steps[next - 1].states)
    let earlier = index == 0 ? start : steps[index - 1].states
    let recorded = schema.differences(from: earlier, to: states)
    let repeated: [StateDifference]
    do {
      guard let differences = try await add(action, at: index, changing: recorded) else { return }
      repeated = differences
    } catch let error as CancellationError {
      throw error
    } catch let error as RecordingError {
      throw error
    } catch {
      guard hasImported else {
        throw RecordingError.notRepeatable(
          texts.text(of: action), at: steps[index].number, reason: error.userMessage)
      }
      return try await addState(after: action, states)
    }
    // An import made the recorded state.
    guard action.restoredStates == nil, action.takenBack == nil else { return }
    guard !areSame(recorded, repeated) else { return }
    // The call stays, since it may have used up ids, or be a request that later steps await.
    try await addState(after: action, states)
  }

  /// Whether a step and its repetition changed the same, as far as an import could restore it.
  private func areSame(_ recorded: [StateDifference], _ repeated: [StateDifference]) -> Bool {
    func restorable(_ differences: [StateDifference]) -> [StateDifference] {
      differences.filter {
        if case .secret? = $0.new ?? $0.old { false } else { !unsaved.contains($0.path) }
      }
    }
    return restorable(recorded).elementsEqual(restorable(repeated)) {
      // As JSON, whose secrets are the same: they have placeholders in the scenario.
      $0.path == $1.path && JSONValue($0.new ?? .none) == JSONValue($1.new ?? .none)
    }
  }

  /// Adds the state after an action whose call fails, or has another effect: by the id of a record, or by a secret.
  private mutating func addState(after action: StoreAction, _ states: States) async throws {
    text.addComment(
      "The state after \(code(of: action)) in the recorded session, with its ids.")
    _ = try await addImport(of: states)
  }

  private mutating func add(
    _ action: StoreAction, at index: Int, changing recorded: [StateDifference]
  ) async throws -> [StateDifference]? {
    if action == .reset { return try await addCall("store.reset()", changing: recorded) }
    if let states = action.restoredStates { return try await addImport(of: states) }
    if action.takenBack != nil { return try await addImport(of: steps[index].states) }
    // An action of a feature that this app doesn't have can't be repeated.
    guard let feature = action.featureName, schema.featureNames.contains(feature) else {
      return nil
    }
    let code = code(of: action)
    guard let step = requests.step(at: index) else {
      return try await addCall(code, changing: recorded)
    }
    let function = texts.function(of: step)
    if let answer = step.answer {
      return try await addAnswer(answer, of: function, at: index)
    }
    guard let answer = requests.answer(to: index) else {
      return try await addRequest(code, to: function, at: index, answered: nil)
    }
    guard requests.isAnsweredAtOnce(index) else {
      return try await addRequest(code, to: function, at: index, answered: answer)
    }
    return try await addCall(code, asking: function, answer.answer)
  }

  private func code(of action: StoreAction) -> String {
    texts.text(of: action, showing: secrets.text(for:))
  }

  private mutating func addExpectations(at index: Int) {
    for expectation in expectations[index] ?? [] { text.add(expectation) }
  }

  // MARK: - Calls

  /// Adds a call and, if undone actions of the session used up ids, before it the same call undone.
  private mutating func addCall(
    _ code: String, changing recorded: [StateDifference]
  ) async throws -> [StateDifference] {
    var differences = try await app.change { _ = try await app.start(code).value() }
    var count = 0
    while count < Self.maximumUndoneCount,
      (1...Self.maximumUndoneCount - count).contains(Self.missingIDs(recorded, differences))
    {
      _ = try await app.start("store.undo()").value()
      differences = try await app.change { _ = try await app.start(code).value() }
      count += 1
    }
    if count > 0 { text.addUndone(code, times: count) }
    text.add(code, changing: differences)
    return differences
  }

  /// How much higher the id of a record that a step added is than in the repetition; 0 if all are the same.
  private static func missingIDs(
    _ recorded: [StateDifference], _ repeated: [StateDifference]
  ) -> Int {
    for (recorded, repeated) in zip(recorded, repeated)
    where recorded.old == nil && recorded.path == repeated.path {
      if case .integer(let id)? = recorded.new?["id"],
        case .integer(let other)? = repeated.new?["id"], id != other
      {
        // Any integer can be an id.
        return id &- other
      }
    }
    return 0
  }

  private mutating func addImport(of states: States) async throws -> [StateDifference] {
    let document = StateDocument.json(of: states, schema)
    let differences = try await app.change { try app.restore(document) }
    hasImported = true
    text.addImport(of: LuaText(documentOf: states, schema), changing: differences)
    return differences
  }

  // MARK: - Requests

  /// Adds a call of a function whose service answers at once.
  private mutating func addCall(
    _ code: String, asking function: String, _ answer: RecordedAnswer
  ) async throws -> [StateDifference] {
    app.answers.continuation(answering: function).yield(answer)
    var hasFailed = false
    let differences = try await app.change { hasFailed = try await Self.hasFailed(app.start(code)) }
    text.addStub(of: function, answer, after: 0)
    text.add(Self.expecting(hasFailed, code), changing: differences)
    return differences
  }

  /// Adds a call that other actions follow, before its answer comes or without one.
  private mutating func addRequest(
    _ code: String, to function: String, at index: Int,
    answered answer: (index: Int, answer: RecordedAnswer)?
  ) async throws -> [StateDifference] {
    text.addStub(
      of: function, answer?.answer,
      after: answer.map { requests.delay(from: index, to: $0.index) } ?? Self.never)
    let number = requests.number(of: index)
    let continuation = app.answers.continuation(answering: function)
    let differences = try await app.change {
      waiting[index] = WaitingRequest(
        number: number, task: try app.start(code), answer: continuation)
    }
    text.add(
      "requests[\(number)] = task.spawn(function() \(code) end)", changing: differences)
    return differences
  }

  private mutating func addAnswer(
    _ answer: RecordedAnswer, of function: String, at index: Int
  ) async throws -> [StateDifference] {
    guard let requestIndex = requests.request(answeredAt: index),
      let request = waiting.removeValue(forKey: requestIndex)
    else {
      return try await addBelatedAnswer(answer, of: function, at: index)
    }
    var hasFailed = false
    let differences = try await app.change {
      request.answer.yield(answer)
      hasFailed = try await Self.hasFailed(request.task)
    }
    text.add(
      Self.expecting(hasFailed, "requests[\(request.number)]:await()"), changing: differences)
    return differences
  }

  /// Adds an answer to a request from before the history begins: both together or, if nothing can be requested any
  /// more, the state that the answer led to.
  private mutating func addBelatedAnswer(
    _ answer: RecordedAnswer, of function: String, at index: Int
  ) async throws -> [StateDifference] {
    do {
      // The history doesn't have the arguments any more.
      return try await addCall("\(function)()", asking: function, answer)
    } catch is LuaError {
      text.addComment("The state after the answer to a request from before the history begins.")
      return try await addImport(of: steps[index].states)
    }
  }

  /// Waits for a task's end; whether it failed as its service did.
  private static func hasFailed(_ task: LuaTask) async throws -> Bool {
    do {
      _ = try await task.value()
      return false
    } catch  where error.code.rawValue == RecordedAnswer.failureCode {
      return true
    }
  }

  private static func expecting(_ isFailure: Bool, _ code: String) -> String {
    guard isFailure else { return code }
    return "expect.error(function() \(code) end, "
      + "{ code = \(RecordedAnswer.failureCode.luaLiteral) })"
  }
}

/// An app whose history can be recorded: its store, its services, and the modules that its scripts call.
struct RecordableApp {
  let store: Store
  let environment: ScriptEnvironment
  let modules: [ScriptModule]
  let texts: ActionTexts
}

extension ScriptedApp {
  private var recordable: RecordableApp {
    RecordableApp(store: store, environment: environment, modules: scriptModules, texts: texts)
  }

  /// Lets `store.export` record the history, for paths that end in `.scenario.lua`.
  package func enableScenarioExport() {
    let (scriptModules, texts) = (scriptModules, texts)
    // Without a capture list, which would lose the actor.
    exportScenario = { store, environment, path in
      let name = ScenarioRecording.name(forFile: path) ?? path
      let app = RecordableApp(
        store: store, environment: environment, modules: scriptModules, texts: texts)
      return try await ScenarioRecorder.record(named: name, of: app).text
    }
  }

  /// Records a part of the history as a scenario, as `store.export` does with all of it.
  ///
  /// - Parameters:
  ///   - name: The scenario's name.
  ///   - actions: The numbers of the actions, in effect or undone; nil for all in effect. The scenario begins in the
  ///     state before them, but without requests that were pending then.
  ///   - expectations: The expectations. Those pinned at other actions, or at actions that were replaced since, are
  ///     left out.
  /// - Returns: The scenario.
  /// - Throws: Why an action can't be repeated by a call, or the history doesn't have the actions.
  package func scenario(
    named name: String, actions: Range<Int>? = nil, expectations: [PinnedExpectation] = []
  ) async throws -> ScenarioRecording {
    try await ScenarioRecorder.record(
      named: name, actions: actions, expectations: expectations, of: recordable)
  }

  /// Pins the value that an expression has now, for a recorded scenario.
  ///
  /// - Throws: Why a scenario can't contain the expression or the value: for example, it is a function.
  package func expectation(
    of expression: String, being value: LuaValue
  ) throws -> PinnedExpectation {
    try PinnedExpectation(expression, being: value, in: store, openState())
  }
}

/// The texts that stand for secrets in a recorded scenario: the same for the same secret.
private final class SecretPlaceholders {
  private var known: [Secret] = []

  /// The text that stands for a secret and doesn't reveal its length; empty for the empty secret.
  func text(for secret: Secret) -> String {
    guard !secret.isEmpty else { return "" }
    let index = known.firstIndex(of: secret) ?? known.endIndex
    if index == known.endIndex { known.append(secret) }
    return "secret \(index + 1)"
  }
}

package struct ScenarioRecording: Equatable, Sendable {
  package let text: String
  package let actionCount: Int
  package let expectationCount: Int
  /// The number of those that were left out: pinned at other actions, or at actions that were replaced since.
  package let omittedCount: Int

  /// The line that every recorded scenario begins with.
  package static let firstLine = ScenarioText.firstLine

  package static let fileNameEnd = ScriptedApp.scenarioFileNameEnd

  /// The name of the scenario for a file; nil if the file's name isn't one of a scenario file.
  package static func name(forFile path: String) -> String? {
    // By bytes: finding the last letters takes long if they have many combining marks.
    let end = path.utf8.suffix(fileNameEnd.utf8.count)
    guard String(decoding: end, as: UTF8.self).lowercased() == fileNameEnd else { return nil }
    let stem = path.utf8.dropLast(fileNameEnd.utf8.count)
    let start = stem.lastIndex(of: UInt8(ascii: "/")).map { stem.index(after: $0) }
    return "recorded " + String(decoding: stem[(start ?? stem.startIndex)...], as: UTF8.self)
  }
}

typealias RecordingError = PlainError<ScenarioRecorder>

extension RecordingError {
  static func notRepeatable(_ action: String, at number: Int, reason: String) -> Self {
    Self(
      "not_recordable",
      "The history can't be recorded: its action \(number), \(action.onOneLine), can't be repeated "
        + "by a call: \(reason.onOneLine)")
  }
}
