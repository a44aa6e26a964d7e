import Foundation
import Lua
import PrimereplDomain
import Scripting
import StateStore
import TestSupport

/// An app in which random things are done by Lua, with services whose answers come when the session says so.
@MainActor
final class RandomSession {
  let app: AppInLua
  private let services = LateServices()
  private let folder: TemporaryFolder
  private var random: SeededGenerator

  init(seed: Int) throws {
    folder = try TemporaryFolder()
    random = SeededGenerator(seed: UInt64(seed))
    app = try AppInLua() { [services] _ in services }
  }

  /// Does random things, and gives the scenario that is recorded of them.
  func record(steps: Int) async throws -> String {
    try await app.run("tasks = {}")
    // So that the recording begins in the middle of some sessions.
    if number(0..<3) == 0 { try await app.run("store.history_limit = \(number(0..<60))") }
    for _ in 0..<steps { try await step() }
    return try await recorded()
  }

  /// The scenario of what was done so far.
  func recorded() async throws -> String {
    try await app.run("store.export(\(folder.path(of: "x.scenario.lua").luaLiteral))")
    return try folder.read("x.scenario.lua")
  }

  private func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private func one(of choices: String...) -> String { choices[number(0..<choices.count)] }

  private var text: String {
    one(of: "''", "'milk'", "'é'", "'a\"b\\n\\0]]'", "' '", "'-->'", "'\u{1F389}'")
  }

  private func step() async throws {
    switch number(0..<20) {
    case 0..<3: try await run(counter)
    case 3..<5: try await run(favorites)
    case 5..<8: try await run(todo)
    case 8..<10: try await run(persons)
    case 10: try await run(landmarks)
    case 11..<14: try await run(signUp)
    case 14, 15: try await run(request)
    case 16, 17: try await answer()
    case 18: try await run(travel)
    default:
      if number(0..<2) == 0 { try await wholeState() }
    }
  }

  /// Runs code, which may be refused.
  private func run(_ code: String) async throws {
    try await app.run("pcall(function() \(code) end)")
  }

  private var counter: String {
    one(
      of: "counter.increment(\(number(-3..<9)))", "counter.decrement()",
      "counter.count = \(number(0..<30))", "counter.ask_is_prime()", "counter.dismiss_modal()",
      "counter.press_modal_button()", "counter.dismiss_alert()", "counter.count = math.mininteger")
  }

  private var favorites: String {
    one(
      of: "favorites.add(\(number(0..<30)))", "favorites.toggle(\(number(0..<30)))",
      "favorites.remove(\(number(0..<30)))", "favorites.remove_at({1, \(number(1..<4))})",
      "favorites.clear()", "favorites.add(\(number(0..<30)))")
  }

  private var todo: String {
    let item = "todo.items[\(number(1..<4))]"
    return one(
      of: "todo.add(\(text))", "todo.add('bread')", "\(item).done = true", "\(item).done = false",
      "\(item).text = \(text)", "todo.remove(\(item).id)", "todo.query = \(text)",
      "todo.recover_last_query()")
  }

  private var persons: String {
    let person = "persons[\(number(1..<4))]"
    return one(
      of: "persons.add{name = \(text), age = \(number(0..<160))}",
      "persons.add{name = 'Ann', age = 30}", "\(person).name = \(text)",
      "\(person).age = \(number(0..<160))", "persons.remove(\(person).id)",
      "persons.edit(\(person).id, {name = \(text), age = \(number(0..<99))})")
  }

  private var landmarks: String {
    let id = number(1..<5)
    return one(
      of: "landmarks.toggle_favorite(\(id))", "landmarks.select(\(id))", "landmarks.deselect()",
      "landmarks.show_favorites_only = not landmarks.show_favorites_only")
  }

  private var signUp: String {
    one(
      of: "signup.next()", "signup.next()", "signup.next()", "signup.back()", "signup.submit()",
      "signup.data.email = 'ann@example.com'", "signup.data.first_name = \(text)",
      "signup.data.password = 'hunter\(number(2..<4))'", "signup.data.password = ''",
      "signup.data.password_confirmation = 'hunter\(number(2..<4))'",
      "signup.data.topics = {'Testing', 'SwiftUI'}", "signup.data.topics = {}",
      "signup.data.topics = {'SwiftUI', 'Testing'}", "signup.edit('topics')", "signup.done()",
      "signup.dismiss_alert()", "signup.reset()")
  }

  private var request: String {
    let call = one(
      of: "todo.fetch", "todo.fetch, 'x.json'", "persons.fetch", "landmarks.load",
      "counter.ask_nth_prime", "counter.ask_nth_prime, {source = 'wolfram'}")
    let cancellation = "tasks[\(number(1..<9))]:cancel()"
    return number(0..<8) == 0 ? cancellation : "tasks[#tasks + 1] = task.spawn(\(call))"
  }

  private var travel: String {
    one(
      of: "store.undo()", "store.undo(\(number(1..<5)))", "store.redo()",
      "store.jump(\(number(0..<20)))")
  }

  private func answer() async throws {
    guard let open = services.takeOne(at: number(0..<64)) else { return }
    let waiting = try await waitingTasks()
    if number(0..<4) == 0 {
      open.answer(.failure(StubError("not_readable", "It can't be \"read\".")))
    } else {
      open.answer(.success(value(of: open.function)))
    }
    for _ in 0..<1_000 {
      if try await waitingTasks() < waiting { return }
      await Task.yield()
    }
  }

  /// The number of spawned tasks that wait.
  private func waitingTasks() async throws -> Int {
    try await app.run(
      "local n = 0 for _, t in ipairs(tasks) do if t.status == 'waiting' then n = n + 1 end end waiting = n"
    )
    return try app.state.global("waiting")
  }

  private func value(of function: String) -> String {
    switch function {
    case "todo.fetch":
      number(0..<3) == 0 ? "[]" : #"["fetched", {"text": "done", "done": true}]"#
    case "persons.fetch": #"[{"name": "Majid", "age": \#(number(0..<99))}]"#
    case "landmarks.load":
      "["
        + (1..<number(2..<5)).map { id in
          #"""
          {"id": \#(id), "name": "Place", "park": "", "state": "\#(number(0..<2))",
           "category": "Lakes", "latitude": \#(number(0..<2)), "longitude": -0.1,
           "is_favorite": \#(number(0..<2) == 0), "is_featured": false}
          """#
        }.joined(separator: ",") + "]"
    default: "\(number(2..<99))"
    }
  }

  private func wholeState() async throws {
    let path = folder.path(of: "state.json").luaLiteral
    try await run(
      one(
        of: "store.reset()", "store.export(\(path))", "store.export(\(path))",
        "store.import(\(path))"))
  }
}

/// Services that answer only when the session does.
// Safe: it is used only on the main actor.
private final class LateServices: @unchecked Sendable, ServiceStubs {
  struct Question {
    let id: Int
    let function: String
    fileprivate let continuation: AsyncStream<Result<String, StubError>>.Continuation

    /// Answers with JSON, or fails.
    func answer(_ answer: Result<String, StubError>) { continuation.yield(answer) }
  }

  private var questions: [Question] = []
  private var lastID = 0

  /// Takes one of the open questions; nil if there are none.
  func takeOne(at number: Int) -> Question? {
    questions.isEmpty ? nil : questions.remove(at: number % questions.count)
  }

  func answer<Answer: Decodable>(
    to function: String, with arguments: [StateValue], as type: Answer.Type
  ) async throws -> Answer? {
    let (stream, continuation) = AsyncStream.makeStream(of: Result<String, StubError>.self)
    lastID += 1
    let id = lastID
    questions.append(Question(id: id, function: function, continuation: continuation))
    for await answer in stream {
      return try JSONDecoder().decode(Answer.self, from: Data(try answer.get().utf8))
    }
    questions.removeAll { $0.id == id }
    throw CancellationError()
  }
}
