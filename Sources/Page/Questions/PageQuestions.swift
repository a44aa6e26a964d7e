import Lua
import PrimereplFoundation
import PrimereplLineEditing
import PrimereplTerminal
import Scripting
import StateStore
import Synchronization

/// Answers the questions of pages, of which some change the app; each is an object of JSON, as its answer is.
@MainActor
final class PageQuestions {
  let host: any PageHost
  let isReadOnly: Bool
  let formatter: ValueFormatter
  let assistant: LuaAssistant
  /// The orders of records that were asked for last.
  var arrangements: [RecordArrangement] = []
  /// The past states that a page looked at last, from which others are near, and the edition in which their action has its
  /// number.
  var past: (edition: Int, number: Int, states: States)?
  /// The calls of pages that haven't ended, by the tickets that the pages chose.
  private var calls: [String: LuaTask] = [:]
  /// The tickets of calls that have begun and haven't ended.
  private nonisolated let started = Mutex<Set<String>>([])
  /// Identifies this process, so that pages know when they talk to another one.
  private let process = Int.random(in: 0..<1 << 40)
  /// The version of the app that the formatter knows.
  private var knownVersion: Int
  private var inputCount = 0

  init(of host: any PageHost, isReadOnly: Bool) throws {
    (self.host, self.isReadOnly) = (host, isReadOnly)
    formatter = try ValueFormatter(app: host.app, state: host.state)
    assistant = LuaAssistant(state: host.state, app: host.app)
    knownVersion = host.appVersion
  }

  var store: Store { host.app.store }

  /// Where the session is: the number of the last action in effect, those that can be reached, the edition of the history, in
  /// which each number means the same action, and the version of the app's code.
  var moment: StateValue {
    let history = store.contents
    return [
      "position": .integer(history.position), "first": .integer(history.reachable.lowerBound),
      "last": .integer(history.reachable.upperBound),
      "edition": .integer(process + history.edition),
      "version": .integer(process + host.appVersion),
    ]
  }

  func answer(_ request: HTTPRequest) async -> HTTPAnswer {
    do {
      let question = try Question(request)
      // What others have done, if no page has followed it yet.
      host.reload()
      if knownVersion != host.appVersion {
        knownVersion = host.appVersion
        formatter.setModules(host.app.modules)
      }
      let answer = try await answer(question)
      return HTTPAnswer(json: answer.json)
    } catch let error as QuestionError where error.code == QuestionError.unknown {
      return .empty(404)
    } catch {
      let message = (error as? LuaError)?.message ?? error.userMessage
      let code = (error as? any CodedError)?.code ?? (error as? LuaError)?.code.rawValue ?? ""
      let problem: StateValue = ["error": .text(message), "code": .text(code)]
      return HTTPAnswer(422, json: problem.json)
    }
  }

  private func answer(_ question: Question) async throws -> StateValue {
    switch question.name {
    case "describe": return try description()
    case "values": return try values(of: question)
    case "records": return try records(of: question)
    case "history": return try history(of: question)
    case "compare": return try comparison(of: question)
    case "series": return try series(of: question)
    case "scenario": return try await scenario(of: question)
    case "complete": return completions(of: question)
    default: break
    }
    guard !isReadOnly else {
      throw QuestionError(
        "read_only", "This page only shows the app: it is served with --read-only.")
    }
    defer { host.save() }
    switch question.name {
    case "call": return try await call(question)
    case "run": return try await run(code: question)
    case "cancel": try calls[question.text("ticket")]?.cancel()
    case "set": return ["value": try set(question)]
    case "undo": try undo(question)
    case "redo": try redo()
    case "jump": try store.jump(to: question.integer("number"))
    default: throw QuestionError(QuestionError.unknown, "There is no such question.")
    }
    return moment
  }

  // MARK: - Code

  private func run(code question: Question) async throws -> StateValue {
    inputCount += 1
    let input = PromptInput(try question.text("code"), number: inputCount)
    let function = try input.compile(in: host.state)
    return try await run(for: question) { try host.state.start(function) }
  }

  /// Waits for a function's results, as people read them.
  ///
  /// A page that has given its question a `ticket` can cancel it meanwhile.
  func run(
    for question: Question, _ start: () throws -> LuaTask
  ) async throws -> StateValue {
    let position = store.position
    let ticket = question.optionalText("ticket") ?? ""
    started.withLock { _ = $0.insert(ticket) }
    defer { started.withLock { _ = $0.remove(ticket) } }
    let task = try start()
    // What waits runs beside what others do.
    if ![.running, .waiting].contains(task.status) { recordCommand(question, since: position) }
    calls[ticket] = task
    defer { if calls[ticket] === task { calls[ticket] = nil } }
    let values = try await task.value().filter { $0 != .nil }
    let lines = formatter.lines(of: values, in: Self.resultSize)
    return ["result": .text(lines.map(\.text).joined(separator: "\n"))]
  }

  /// Whether what a page has called has begun and hasn't ended; called on any thread.
  nonisolated func hasStarted(_ ticket: String) -> Bool {
    started.withLock { $0.contains(ticket) }
  }

  func recordCommand(_ question: Question, since position: Int) {
    host.commands.append(from: position, in: store, by: question.user)
  }

  private static let resultSize = ScreenSize(columns: 100, rows: 60)

  /// Completions of the code, and the signature of the function whose arguments are being typed.
  private func completions(of question: Question) -> StateValue {
    let code = question.optionalText("code") ?? ""
    let bytes = Array(code.utf8)
    let completions = assistant.completions(of: code, at: bytes.count)
    let known = String(decoding: bytes[..<completions.range.lowerBound], as: UTF8.self)
    return [
      "texts": .list(completions.candidates.prefix(50).map { .text(known + $0.text) }),
      "hint": .optional(assistant.hint(for: code, at: bytes.count)?.text),
    ]
  }
}

/// A question, by the name that its address has.
struct Question {
  let name: String
  let content: StateValue

  init(_ request: HTTPRequest) throws {
    let prefix = "/api/"
    guard request.path.hasPrefix(prefix) else {
      throw QuestionError(QuestionError.unknown, "There is no such question.")
    }
    name = String(request.path.dropFirst(prefix.count))
    guard let text = String(validating: request.body, as: UTF8.self) else {
      throw QuestionError("bad_question", "The question isn't valid UTF-8.")
    }
    do {
      content = try StateValue(json: text)
    } catch {
      throw QuestionError("bad_question", "The question isn't JSON: \(error.problem)")
    }
  }

  /// The ticket of what a request is to cancel; nil for any other request.
  static func cancelledTicket(of request: HTTPRequest) -> String? {
    guard request.path == "/api/cancel" else { return nil }
    // What is wrong with a question is said where it is answered.
    return try? Question(request).text("ticket")
  }

  /// The person whose browser asks.
  var user: String { optionalText("user") ?? "" }

  func text(_ member: String) throws -> String {
    guard let text = optionalText(member) else { throw missing(member) }
    return text
  }

  func optionalText(_ member: String) -> String? {
    if case .text(let text)? = content[member] { text } else { nil }
  }

  func integer(_ member: String) throws -> Int {
    guard let integer = optionalInteger(member) else { throw missing(member) }
    return integer
  }

  func optionalInteger(_ member: String) -> Int? {
    if case .integer(let integer)? = content[member] { integer } else { nil }
  }

  private func missing(_ member: String) -> QuestionError {
    QuestionError("bad_question", "The question has no \(member).")
  }
}

/// Why a question has no answer.
typealias QuestionError = PlainError<Question>

extension QuestionError {
  static let unknown = "unknown_question"
}
