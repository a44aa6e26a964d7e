import Lua
import StateStore

/// Writes a scenario that repeats the history of a store: its actions as calls, each with all that it changes.
///
/// What the calls change is found out by repeating them in a fresh app. So the scenario passes, though ids may differ
/// there, and passwords do.
struct ScenarioRecorder {
  private let history: ReplayedHistory
  private let schema: Schema
  private let app: RepeatedApp
  private let requests: RecordedRequests
  private let secrets = SecretPlaceholders()
  private var identifiers = RecordIdentifiers()
  private var text: ScenarioText
  /// The expectations by the number of steps before them.
  private let expectations: [Int: [PinnedExpectation]]
  /// The requests that wait for their answers, by the indexes of their steps.
  private var waiting: [Int: WaitingRequest] = [:]

  private struct WaitingRequest {
    /// Its number in the scenario.
    let number: Int
    let task: LuaTask
    let answer: AsyncStream<RecordedAnswer>.Continuation
  }

  /// The number of steps after which others get a turn, so that a long recording can be interrupted.
  private static let turn = 100

  /// A time in seconds that no answer of a scenario comes after.
  private static let never = 86_400

  /// Records a scenario.
  ///
  /// - Parameters:
  ///   - name: The scenario's name.
  ///   - actions: The numbers of the actions; nil for all in effect.
  ///   - expectations: What is expected at the actions after which it was pinned. Those pinned at other actions, or at
  ///     actions that were replaced since, are left out.
  ///   - context: What has the store.
  ///   - install: Installs the app's modules in the state in which the actions are repeated.
  /// - Returns: The scenario.
  /// - Throws: ``RecordingError`` if an action can't be repeated by a call; `StoreError` if the history lacks one.
  static func record(
    named name: String, actions: Range<Int>? = nil, expectations: [PinnedExpectation] = [],
    of context: ScriptContext, installing install: RepeatedApp.Installation
  ) async throws -> ScenarioRecording {
    // Made here, where the caller's actor is known, on which functions wait.
    let state = try LuaState(libraries: .sandbox)
    let history = try context.store.replayedHistory(of: actions)
    var recorder = try ScenarioRecorder(
      named: name, history, expectations.filter { $0.isValid(in: context.store) }, of: context,
      installing: install, in: state)
    defer { recorder.app.close() }
    let text = try await recorder.record()
    let included = recorder.expectations.values.reduce(0) { $0 + $1.count }
    return ScenarioRecording(
      text: text, actionCount: history.steps.count, expectationCount: included,
      omittedCount: expectations.count - included)
  }

  private init(
    named name: String, _ history: ReplayedHistory, _ pinned: [PinnedExpectation],
    of context: ScriptContext, installing install: RepeatedApp.Installation, in state: LuaState
  ) throws {
    self.history = history
    schema = context.store.schema
    let positions = 0...history.steps.count
    expectations = Dictionary(grouping: pinned) { $0.position - history.startNumber }
      .filter { positions.contains($0.key) }
    requests = RecordedRequests(
      in: history.steps.map(\.action), separating: Set(expectations.keys.map { $0 - 1 }), secrets)
    app = try RepeatedApp(in: state, like: context, installing: install)
    text = ScenarioText(named: name, hasRequests: requests.haveWaiting)
  }

  private mutating func record() async throws -> String {
    if !history.beginsInitially {
      let document = StateDocument.json(of: history.start, schema)
      try app.restore(document)
      text.addComment("The state in which the history begins.")
      text.addImport(of: document, changing: nil)
    }
    try await addExpectations(at: 0)
    var index = 0
    while index < history.steps.count {
      if index % Self.turn == 0 {
        await Task.yield()
        try Task.checkCancellation()
      }
      // An answer that comes at once is part of its request's step.
      let next = requests.isAnsweredAtOnce(index) ? index + 2 : index + 1
      try await addStep(at: index, to: next)
      try await addExpectations(at: next)
      index = next
    }
    for request in waiting.sorted(by: { $0.key < $1.key }) {
      text.addCancellation(of: request.value.number)
    }
    return text.finished
  }

  /// Repeats the actions of one step, and writes how.
  private mutating func addStep(at index: Int, to next: Int) async throws {
    let earlier = index == 0 ? history.start : history.steps[index - 1].states
    let recorded = SessionChange(from: earlier, to: history.steps[next - 1].states, in: schema)
    let action = try identifiers.repeated(history.steps[index].action, in: schema)
    let repeated: SessionChange
    do {
      guard let change = try await add(action, at: index) else { return }
      repeated = change
    } catch let error as CancellationError {
      throw error
    } catch let error as RecordingError {
      throw error
    } catch {
      throw RecordingError.notRepeatable(
        action.luaText, at: history.startNumber + index + 1, reason: "\(error)")
    }
    // An import replaces records, whose ids may have been others before.
    if action.restoredStates == nil,
      Set(recorded.differences.map(\.path)) != Set(repeated.differences.map(\.path))
    {
      let paths = recorded.differences.map(\.path).joined(separator: ", ")
      text.addComment(
        "The same changed \(paths.isEmpty ? "nothing" : paths) in the recorded session.")
    }
    identifiers.note(recorded, repeated, in: schema)
  }

  private mutating func add(_ action: StoreAction, at index: Int) async throws -> SessionChange? {
    if action == .reset { return try await addCall("store.reset()") }
    if let states = action.restoredStates { return try await addImport(of: states) }
    guard let feature = action.feature as? any ScriptableFeature.Type else { return nil }
    return try await add(action, of: feature, at: index)
  }

  private mutating func add<F: ScriptableFeature>(
    _ action: StoreAction, of feature: F.Type, at index: Int
  ) async throws -> SessionChange? {
    guard let own = action.action(of: feature) else { return nil }
    switch F.replay(of: own, secrets) {
    case .code(let code):
      return try await addCall(code)
    case .function(let name, let values):
      return try await addCall(call(of: name, with: values, in: F.name))
    case .request:
      let service = try service(of: own, in: feature)
      guard let answer = requests.answer(to: index) else {
        return try await addRequest(service, at: index, answered: nil)
      }
      guard requests.isAnsweredAtOnce(index) else {
        return try await addRequest(service, at: index, answered: answer.index)
      }
      return try await addCall(asking: service, answer.answer)
    case .answer(let request, let value):
      return try await addAnswer(
        .value(value), to: request, try service(of: own, in: feature), at: index)
    case .failure(let request, let message):
      return try await addAnswer(
        .failure(message: message), to: request, try service(of: own, in: feature), at: index)
    }
  }

  /// Adds what is expected after some steps.
  private mutating func addExpectations(at index: Int) async throws {
    for expectation in expectations[index] ?? [] {
      var value = expectation.value
      if !identifiers.areSame, let repeated = try await repeatedValue(of: expectation),
        repeated != value, repeated.isSame(exceptIdentifiersAs: value)
      {
        text.addComment("The ids were others in the recorded session.")
        value = repeated
      }
      text.add(expectation, of: value)
    }
  }

  /// The value of an expression in the repeated app; nil if it has none there, so that the scenario fails and says why.
  private func repeatedValue(of expectation: PinnedExpectation) async throws -> PinnedValue? {
    do {
      return try PinnedValue(await app.value(of: expectation.expression))
    } catch {
      try Task.checkCancellation()
      return nil
    }
  }

  // MARK: - Calls

  private mutating func addCall(_ code: String) async throws -> SessionChange {
    let change = try await app.change { _ = try await app.start(code).value() }
    text.add(code, changing: change.differences)
    return change
  }

  /// The call of a module's function with those of some values that its parameters are named after.
  private func call(
    of function: String, with values: [String: StateValue], in module: String
  ) throws -> String {
    let members = app.modules.first { $0.name == module }?.documentation ?? []
    guard
      let member = members.first(where: {
        if case .function = $0.kind { $0.name == function } else { false }
      })
    else { throw RecordingError.noFunction(function, in: module) }
    let named = Dictionary(values.map { ($0.key.inSnakeCase, $0.value) }) { first, _ in first }
    var arguments = member.parameters.map { named[$0.name] ?? .none }
    if arguments.count == 1, values.count == 1, let only = values.first?.value {
      arguments = [only]
    }
    while arguments.last == StateValue.none { arguments.removeLast() }
    return "\(module).\(function)(\(arguments.map(\.luaLiteral).joined(separator: ", ")))"
  }

  private mutating func addImport(of states: States) async throws -> SessionChange {
    let document = StateDocument.json(of: states, schema)
    let change = try await app.change { try app.restore(document) }
    text.addImport(of: document, changing: change.differences)
    return change
  }

  // MARK: - Requests

  /// A call that asks a service.
  private struct Service {
    let function: String
    let code: String
  }

  /// The call of a request, or of the request that an answer belongs to.
  private func service<F: ScriptableFeature>(
    of action: F.Action, in feature: F.Type
  ) throws -> Service {
    let text = F.luaText(of: action)
    let function = String(text.prefix { $0 != "(" })
    if app.stubbable.contains(function) { return Service(function: function, code: text) }
    guard F.stubbable.count == 1 else {
      throw RecordingError.noService(of: function, in: F.name)
    }
    let only = "\(F.name).\(F.stubbable[0])"
    return Service(function: only, code: "\(only)()")
  }

  /// Adds a call that is answered at once.
  private mutating func addCall(
    asking service: Service, _ answer: RecordedAnswer
  ) async throws -> SessionChange {
    app.answers.give(answer, to: service.function)
    var hasFailed = false
    let change = try await app.change {
      hasFailed = try await Self.hasFailed(app.start(service.code))
    }
    text.addStub(of: service.function, answer, after: 0)
    text.add(Self.expecting(hasFailed, service.code), changing: change.differences)
    return change
  }

  /// Adds a call that other actions follow, before its answer comes or without one.
  private mutating func addRequest(
    _ service: Service, at index: Int, answered answerIndex: Int?
  ) async throws -> SessionChange {
    text.addStub(
      of: service.function, answerIndex.flatMap { requests.answer(at: $0) },
      after: answerIndex.map { requests.delay(from: index, to: $0) } ?? Self.never)
    let number = requests.number(of: index)
    let answer = app.answers.giveLater(to: service.function)
    let change = try await app.change {
      waiting[index] = WaitingRequest(
        number: number, task: try app.start(service.code), answer: answer)
    }
    text.add(
      "requests[\(number)] = task.spawn(function() \(service.code) end)",
      changing: change.differences)
    return change
  }

  private mutating func addAnswer(
    _ answer: RecordedAnswer, to request: Int, _ service: Service, at index: Int
  ) async throws -> SessionChange {
    guard let requestIndex = requests.request(answeredAt: index),
      let request = waiting.removeValue(forKey: requestIndex)
    else {
      return try await addBelatedAnswer(answer, service, at: index)
    }
    var hasFailed = false
    let change = try await app.change {
      request.answer.yield(answer)
      hasFailed = try await Self.hasFailed(request.task)
    }
    text.add(
      Self.expecting(hasFailed, "requests[\(request.number)]:await()"),
      changing: change.differences)
    return change
  }

  /// Adds an answer to a request from before the history begins: both together or, if nothing can be requested any
  /// more, the state that the answer led to.
  private mutating func addBelatedAnswer(
    _ answer: RecordedAnswer, _ service: Service, at index: Int
  ) async throws -> SessionChange {
    // The text of an answer isn't a call with its arguments.
    let service = Service(function: service.function, code: "\(service.function)()")
    do {
      return try await addCall(asking: service, answer)
    } catch is LuaError {
      text.addComment("The state after the answer to a request from before the history begins.")
      return try await addImport(of: history.steps[index].states)
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

/// A scenario that was recorded.
package struct ScenarioRecording: Equatable, Sendable {
  /// The content of its file.
  package let text: String
  /// The number of actions that it repeats.
  package let actionCount: Int
  /// The number of pinned expectations in it.
  package let expectationCount: Int
  /// The number of those that were left out: pinned at other actions, or at actions that were replaced since.
  package let omittedCount: Int

  /// The line that every recorded scenario begins with.
  package static let firstLine = ScenarioText.firstLine

  /// The end of the names of scenario files.
  package static let fileNameEnd = ".scenario.lua"

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

/// Why a history can't be written as a scenario.
typealias RecordingError = PlainError<ScenarioRecorder>

extension RecordingError {
  static func notRepeatable(_ action: String, at number: Int, reason: String) -> Self {
    Self(
      "not_recordable",
      "The history can't be recorded: its action \(number), \(action.onOneLine), can't be repeated "
        + "by a call: \(reason.onOneLine)")
  }

  static func noFunction(_ name: String, in module: String) -> Self {
    Self(
      "not_recordable",
      "The history can't be recorded: the module \(module) has no function \(name) for the action of "
        + "that name: give the feature a replay(of:_:) that says how to repeat it.")
  }

  static func noService(of name: String, in module: String) -> Self {
    Self(
      "not_recordable",
      "The history can't be recorded: \(name) isn't among the stubbable functions of \(module): give "
        + "the feature a luaText(of:) whose text is a call of one.")
  }
}
