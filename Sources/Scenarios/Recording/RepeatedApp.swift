import Lua
import PrimereplFoundation
import Scripting
import StateStore

/// A fresh app in memory in which recorded actions are repeated, as in the scenario, to see what they change there.
///
/// No service is reached: their answers were recorded.
struct RepeatedApp {
  let answers: RecordedAnswers

  private let app: ScriptedApp
  private let state: LuaState

  init(in state: LuaState, like original: RecordableApp) throws {
    self.state = state
    answers = RecordedAnswers(in: state)
    var environment = original.environment
    environment.stubs = answers
    app = try ScriptedApp(
      in: state, store: Store(original.store.schema), modules: original.modules,
      environment: environment)
  }

  private var store: Store { app.store }

  /// Ends the requests that have no answer.
  func close() { state.close() }

  func change(_ operation: () async throws -> Void) async rethrows -> [StateDifference] {
    let earlier = store.states
    try await operation()
    return store.schema.differences(from: earlier, to: store.states)
  }

  /// Starts Lua code, which runs until it waits for an answer, or ends.
  func start(_ code: String) throws -> LuaTask {
    try state.start(state.load(code, name: .text("recorded")))
  }

  /// Takes states from a document, as `store.import` does.
  func restore(_ document: String) throws {
    let states = try StateDocument.states(from: Data(document.utf8), store.schema)
    try store.send(.restore(states, source: nil))
  }
}

/// A service's answer when a recorded request is repeated.
enum RecordedAnswer {
  /// A value, in the form that a stub returns.
  case value(StateValue)
  case failure(message: String)

  /// The code of the error that stands for any failure: the history doesn't contain the code.
  static let failureCode = "recorded_failure"
}

/// The stubs of a repeated app.
// Safe: it is used only on the actor of the app's state.
final class RecordedAnswers: @unchecked Sendable, ServiceStubs {
  private weak let state: LuaState?
  /// The answers by function; each is given to the next call.
  private var answers: [String: AsyncStream<RecordedAnswer>] = [:]

  init(in state: LuaState) { self.state = state }

  /// Gives the next call of a function an answer, by the continuation that is returned.
  func continuation(answering function: String) -> AsyncStream<RecordedAnswer>.Continuation {
    let (stream, continuation) = AsyncStream.makeStream(of: RecordedAnswer.self)
    answers[function] = stream
    return continuation
  }

  func answer<Answer: Decodable>(
    to function: String, with arguments: [StateValue], as type: Answer.Type
  ) async throws -> Answer? {
    guard let state, let stream = answers.removeValue(forKey: function) else {
      throw StubError("not_recorded", "No answer to \(function) was recorded.")
    }
    for await answer in stream {
      switch answer {
      case .value(let value):
        let code = "return \(value == .none ? "nil" : value.luaLiteral)"
        let value = try state.load(code, name: .text("answer")).call().first
        return try LuaDecoder().decode(type, from: value ?? .nil, in: state)
      case .failure(let message):
        throw StubError(RecordedAnswer.failureCode, message)
      }
    }
    throw CancellationError()
  }
}
