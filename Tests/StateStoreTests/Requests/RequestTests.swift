import Foundation
import SampleFeatures
import Testing

@testable import StateStore

@Suite("A request")
@MainActor
struct RequestTests {
  private let store = Store()
  private let desk = Desk()

  /// A service that a test answers.
  @MainActor
  private final class Desk {
    typealias Reply = CheckedContinuation<Int, any Error>

    private let replies: AsyncStream<Reply>
    private let questions: AsyncStream<Reply>.Continuation

    init() { (replies, questions) = AsyncStream.makeStream() }

    var services: ServiceContext<SampleServices> {
      let questions = questions
      return ServiceContext(
        SampleServices {
          try await withCheckedThrowingContinuation { _ = questions.yield($0) }
        })
    }

    func next() async throws -> Reply {
      var iterator = replies.makeAsyncIterator()
      return try #require(await iterator.next())
    }
  }

  private struct Failure: CodedError, Equatable {
    let code = "line_dead"
    let message = "The line is dead."
  }

  private func answering(
    _ number: @escaping @Sendable () async throws -> Int
  ) -> ServiceContext<SampleServices> { ServiceContext(SampleServices(number: number)) }

  private var title: String? { store.state(of: Counter.self).alert?.title }

  /// Asks, and waits until the service has got the question.
  private func ask() async throws -> (task: Task<Int, any Error>, reply: Desk.Reply) {
    let task = Task { try await store.ask(Counter.ask, NoQuestion(), in: desk.services) }
    return (task, try await desk.next())
  }

  private func history() throws -> [StoreAction] {
    try store.history().map(\.recorded.action)
  }

  // MARK: - Steps

  @Test("is asked and answered, each by an action of its own")
  func answered() async throws {
    let (task, reply) = try await ask()
    #expect(store.isPending(Counter.ask))
    #expect(title == nil)
    reply.resume(returning: 59)
    #expect(try await task.value == 59)
    #expect(!store.isPending(Counter.ask))
    #expect(title == "The answer is 59")
    #expect(
      try history() == [
        .step(of: Counter.ask, 1, .asked(NoQuestion())), .step(of: Counter.ask, 1, .answered(59)),
      ])
  }

  @Test("that fails keeps the reason until it is asked again")
  func failed() async throws {
    await #expect(throws: Failure()) {
      try await store.ask(Counter.ask, NoQuestion(), in: answering { throw Failure() })
    }
    #expect(!store.isPending(Counter.ask))
    #expect(store.error(of: Counter.ask) == "The line is dead.")
    #expect(
      try history().last == .step(of: Counter.ask, 1, .failed(message: "The line is dead.")))
    try await store.ask(Counter.ask, NoQuestion(), in: answering { 5 })
    #expect(store.error(of: Counter.ask) == nil)
  }

  @Test("fails if its task is cancelled")
  func cancelled() async throws {
    let task = Task {
      try await store.ask(
        Counter.ask, NoQuestion(),
        in: answering {
          try await Task.sleep(for: .seconds(3600))
          return 1
        })
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(store.error(of: Counter.ask) == "The request was cancelled.")
  }

  @Test("can be recorded in another form than the service answers, with new identifiers")
  func recordedForm() async throws {
    try store.send(.add(.init(id: 7, name: "Eve", age: 30)), to: People.self)
    let people = try await store.ask(
      People.fetch, "town", in: ServiceContext(SampleServices(names: { [$0, "Ann"] })))
    #expect(
      people == [.init(id: 8, name: "town", age: 18), .init(id: 9, name: "Ann", age: 18)])
    #expect(Array(store.state(of: People.self).list) == people)
    let step = try history().last?.request { _ in "" }
    guard case .answered(let reply)? = step?.content else {
      Issue.record("The last step is an answer.")
      return
    }
    #expect(reply == .list([.text("town"), .text("Ann")]))
  }

  @Test("is asked in the state that the question left")
  func context() async throws {
    try store.send(.step(of: Counter.ask, 5, .asked(NoQuestion())))
    try store.send(.step(of: Counter.ask, 5, .answered(1)))
    var seen: [Counter.State] = []
    store.observe(\.alert, of: Counter.self) { _, _ in seen.append(store.state(of: Counter.self)) }
    let (task, reply) = try await ask()
    #expect(seen.map(\.alert) == [nil])
    reply.resume(returning: 2)
    _ = try await task.value
  }

  // MARK: - Undo

  @Test("is pending again after undo, and redo replays the answer without asking")
  func undo() async throws {
    try await store.ask(Counter.ask, NoQuestion(), in: answering { 59 })
    try store.undo()
    #expect(store.isPending(Counter.ask))
    #expect(title == nil)
    try store.redo()
    #expect(!store.isPending(Counter.ask))
    #expect(title == "The answer is 59")
    try store.undo(2)
    #expect(!store.isPending(Counter.ask))
  }

  @Test("that was undone before its answer came can be redone, and then fails")
  func undone() async throws {
    let (task, reply) = try await ask()
    try store.undo()
    reply.resume(returning: 59)
    #expect(try await task.value == 59)
    #expect(title == nil)
    try store.redo()
    #expect(!store.isPending(Counter.ask))
    #expect(store.error(of: Counter.ask) == "The question was undone when its answer came.")
  }

  @Test("that has ended is still known, and as one of many takes no memory")
  func known() async throws {
    for _ in 1...100 { try await store.ask(Counter.ask, NoQuestion(), in: answering { 59 }) }
    #expect(store.ownRequests.ranges.map(\.count) == [100])
  }

  @Test("that is redone while its service still works is answered")
  func redoneInTime() async throws {
    let (task, reply) = try await ask()
    try store.undo()
    try store.redo()
    #expect(store.isPending(Counter.ask))
    reply.resume(returning: 59)
    _ = try await task.value
    #expect(title == "The answer is 59")
    #expect(!store.isPending(Counter.ask))
  }

  /// What may follow when undo has returned to a pending state, whose answer can be redone until then.
  enum Continuation: CaseIterable, Sendable {
    case action, group, reset, restore, question

    @MainActor
    func run(on store: Store) async throws {
      switch self {
      case .action: try store.send(.set(count: 3), to: Counter.self)
      case .group: try store.group { try store.send(.set(count: 3), to: Counter.self) }
      case .reset: try store.reset()
      case .restore: try store.send(.restore(store.schema.initial, source: nil))
      case .question:
        try await store.ask(
          Counter.ask, NoQuestion(), in: ServiceContext(SampleServices(number: { 7 })))
      }
    }
  }

  @Test(
    "whose answer was undone ends when something else is done", arguments: Continuation.allCases)
  func undoneAnswer(continuation: Continuation) async throws {
    try await store.ask(Counter.ask, NoQuestion(), in: answering { 59 })
    try store.undo()
    try await continuation.run(on: store)
    #expect(!store.isPending(Counter.ask))
    let position = store.position
    try store.undo()
    try store.redo()
    #expect(store.position == position)
    #expect(!store.isPending(Counter.ask))
  }

  @Test("whose answer was undone is still pending, and can be redone, if what follows fails")
  func refusedContinuation() async throws {
    try store.send(.set(count: 1), to: Counter.self)
    try await store.ask(Counter.ask, NoQuestion(), in: answering { 59 })
    try store.undo()
    #expect(throws: (any Error).self) { try store.send(.increment(by: .max), to: Counter.self) }
    #expect(throws: Failure()) {
      try store.group {
        try store.send(.set(count: 3), to: Counter.self)
        throw Failure()
      }
    }
    #expect(store.isPending(Counter.ask))
    try store.redo()
    #expect(title == "The answer is 59")
  }

  @Test("that is pending after an undone action is still answered")
  func undoneBeside() async throws {
    let (task, reply) = try await ask()
    try store.send(.set(count: 3), to: Counter.self)
    try store.undo()
    try store.send(.set(count: 4), to: Counter.self)
    #expect(store.isPending(Counter.ask))
    reply.resume(returning: 59)
    _ = try await task.value
    #expect(title == "The answer is 59")
  }

  @Test("of an earlier process ends after an undo of its answer, and then another action")
  func undoneAnswerReopened() async throws {
    let journal = InMemoryJournal()
    do {
      let session = try journal.openSession()
      try await session.store.ask(Counter.ask, NoQuestion(), in: answering { 59 })
      try session.save()
    }
    let session = try journal.openSession()
    try session.store.undo()
    try session.store.send(.set(count: 3), to: Counter.self)
    #expect(session.store.isPending(Counter.ask), "Another process may answer.")
    try session.store.undo()
    session.store.canBeAnsweredElsewhere = { false }
    try session.store.send(.set(count: 4), to: Counter.self)
    #expect(!session.store.isPending(Counter.ask))
  }

  // MARK: - Overlapping requests

  @Test(
    "changes the state by each of its overlapping answers, in whatever order they come",
    arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func concurrent(order: [Int]) async throws {
    let store = try Store(features: [Till.self])
    let services = desk.services
    var tasks: [Task<Int, any Error>] = []
    var replies: [Desk.Reply] = []
    for _ in order {
      tasks.append(Task { try await store.ask(Till.deposit, NoQuestion(), in: services) })
      replies.append(try await desk.next())
    }
    for (count, index) in order.enumerated() {
      #expect(store.isPending(Till.deposit))
      replies[index].resume(returning: index + 1)
      #expect(try await tasks[index].value == index + 1)
      #expect(
        store.state(of: Till.self).paid == order.prefix(count + 1).reduce(0) { $0 + $1 + 1 })
    }
    #expect(!store.isPending(Till.deposit))
  }

  @Test("that fails, or is cancelled, leaves the requests beside it alone, and its reason stays")
  func concurrentFailure() async throws {
    let store = try Store(features: [Till.self])
    let services = desk.services
    let first = Task { try await store.ask(Till.deposit, NoQuestion(), in: services) }
    let firstReply = try await desk.next()
    let second = Task { try await store.ask(Till.deposit, NoQuestion(), in: services) }
    let secondReply = try await desk.next()
    let data = try StateCoding.encoder.encode(store.states)
    let decoder = StateCoding.decoder(for: store.schema)
    #expect(try decoder.decode(States.self, from: data) == store.states)
    firstReply.resume(throwing: Failure())
    await #expect(throws: Failure()) { try await first.value }
    #expect(store.isPending(Till.deposit))
    #expect(store.error(of: Till.deposit) == "The line is dead.")
    secondReply.resume(returning: 5)
    _ = try await second.value
    #expect(store.state(of: Till.self).paid == 5)
    #expect(!store.isPending(Till.deposit))
    #expect(store.error(of: Till.deposit) == "The line is dead.")
  }

  @Test("that says so is decided by the latest, and each caller gets its own answer")
  func overlapping() async throws {
    let (first, firstReply) = try await ask()
    let (second, secondReply) = try await ask()
    firstReply.resume(returning: 1)
    #expect(try await first.value == 1)
    #expect(store.isPending(Counter.ask))
    #expect(title == nil)
    secondReply.resume(returning: 2)
    #expect(try await second.value == 2)
    #expect(title == "The answer is 2")
    #expect(store.position == 3)
  }

  @Test("that was replaced fails only for its caller")
  func replacedFailure() async throws {
    let (first, firstReply) = try await ask()
    let (second, secondReply) = try await ask()
    firstReply.resume(throwing: Failure())
    await #expect(throws: Failure()) { try await first.value }
    #expect(store.isPending(Counter.ask))
    #expect(store.error(of: Counter.ask) == nil)
    secondReply.resume(returning: 2)
    _ = try await second.value
  }

  // MARK: - Refusals

  private enum Till: Feature {
    struct State: Codable, Equatable, Sendable {
      var paid = 0
    }
    enum Action: Codable, Equatable, Sendable {
      case none
    }

    static let name = "till"
    static var initial: State { State() }
    static let fields: [Field<Till>] = [
      .value("paid", \.paid), .request(pay), .request(deposit),
    ]
    static let pay = Request<Till, Int, Int>(
      "pay", isExclusive: true, ask: { $0.question }, done: { $0.paid += $1 })
    static let deposit = Request<Till, NoQuestion, Int>(
      "deposit", ask: { try await $0.services.number() }, done: { $0.paid += $1 })
    typealias Services = SampleServices
    static func reduce(_ state: inout State, _ action: Action) throws {}
  }

  @Test("that is exclusive is refused while one is pending, and changes nothing")
  func exclusive() async throws {
    let store = try Store(features: [Till.self])
    let services = ServiceContext(SampleServices())
    try store.send(store.schema.action(.asked(1), of: Till.pay, number: 1))
    let states = store.states
    let error = await #expect(throws: RequestError.self) {
      try await store.ask(Till.pay, 2, in: services)
    }
    #expect(error?.message == "till.pay is pending: wait for its answer, or cancel it, first.")
    #expect(store.states == states)
    try store.send(store.schema.action(.failed(message: "no"), of: Till.pay, number: 1))
    try await store.ask(Till.pay, 3, in: services)
    #expect(store.state(of: Till.self).paid == 3)
  }

  @Test("whose question is refused changes nothing, and asks no service")
  func refusedQuestion() async throws {
    try store.send(.set(count: -1), to: Counter.self)
    let before = store.states
    await #expect(throws: CounterError.outOfRange(-1)) {
      try await store.ask(
        Counter.ask, NoQuestion(),
        in: answering {
          Issue.record("asked the service")
          return 1
        })
    }
    #expect(store.states == before)
    #expect(store.position == 1)
  }

  @Test("whose answer is refused fails")
  func refusedAnswer() async throws {
    await #expect(throws: CounterError.outOfRange(-8)) {
      try await store.ask(Counter.ask, NoQuestion(), in: answering { -8 })
    }
    #expect(!store.isPending(Counter.ask))
    #expect(store.error(of: Counter.ask) == CounterError.outOfRange(-8).message)
    #expect(title == nil)
  }

  @Test("that isn't among its feature's fields is refused, as no journal could be read again")
  func unlisted() async throws {
    let unlisted = Request<Counter, NoQuestion, Int>(
      "guess", ask: { _ in 1 }, done: { state, answer in state.count = answer })
    let error = await #expect(throws: SchemaError.unlistedRequest("counter.guess")) {
      try await store.ask(unlisted, NoQuestion(), in: ServiceContext(SampleServices()))
    }
    #expect(error?.code == "unlisted_request")
    #expect(store.position == 0)
  }

  // MARK: - Stubs

  private struct Stubs: ServiceStubs {
    func answer<Answer: Decodable>(
      to function: String, with arguments: [StateValue], as type: Answer.Type
    ) async throws -> Answer? {
      guard function == "people.fetch" else { return nil }
      #expect(arguments == [.text("town")])
      return ["Ann"] as? Answer
    }

    func checkAsking(_ function: String) {}
  }

  @Test("is answered by a stub in the service's place, in the service's form")
  func stub() async throws {
    let services = ServiceContext(
      SampleServices(names: { _ in throw Failure() }), stubs: Stubs())
    try await store.ask(People.fetch, "town", in: services)
    #expect(store.state(of: People.self).list.map(\.name) == ["Ann"])
  }
}

@Suite("The stored form of a request")
struct StoredRequestTests {
  private let decoder = StateCoding.decoder(for: Sample.schema)

  private func action(_ feature: String, _ json: String) throws -> StoreAction {
    let text = #"{"feature":"\#(feature)","action":\#(json)}"#
    return try decoder.decode(StoreAction.self, from: Data(text.utf8))
  }

  @Test(
    "names the request and the step",
    arguments: [
      (
        StoreAction.step(of: People.fetch, 3, .asked("town")),
        #"{"fetchRequested":{"question":"town","request":3}}"#
      ),
      (
        .step(of: People.fetch, 3, .answered([.init(id: 1, name: "Ann", age: 30)])),
        #"{"fetchSucceeded":{"answer":[{"age":30,"id":1,"name":"Ann"}],"request":3}}"#
      ),
      (
        .step(of: People.fetch, 3, .failed(message: "x")),
        #"{"fetchFailed":{"message":"x","request":3}}"#
      ),
    ])
  func stored(step: StoreAction, json: String) throws {
    let text = String(decoding: try StateCoding.encoder.encode(step), as: UTF8.self)
    #expect(text == #"{"action":\#(json),"feature":"people"}"#)
    #expect(try action("people", json) == step)
  }

  @Test("is refused with its place if it can't be read")
  func refused() {
    let error = #expect(throws: DecodingError.self) {
      try action("counter", #"{"askSucceeded": {"request": 1, "answer": "x"}}"#)
    }
    #expect(error?.userMessage == "action.askSucceeded.answer: expected a whole number")
  }
}
