/// A question that a feature asks a service: one declaration of the question, its answer, and what both change.
///
/// ```swift
/// static let checkout = Request<Cart, NoQuestion, String>(
///   "checkout",
///   ask: { cart in try await cart.services.charge(cart.state.total) },
///   done: { state, receipt in
///     state.receipts.append(receipt)
///     state.items.removeAll()
///   })
/// ```
///
/// ``Store/ask(_:_:in:)`` sends that the question was asked, and then the answer or the failure, each as its own action:
/// undo returns to the pending state, and redo to the answered one, without asking again. The store keeps whether
/// the request is pending, and why the last one failed: see ``Field/request(_:pending:error:)``. A request whose process
/// ended before the answer came fails when the session is opened again.
///
/// Requests can overlap: each answer changes the state when it comes, and the request is pending until the last one has
/// come. Of a request that says `isLatest`, only the latest question counts: the answers to earlier ones go only to
/// their callers. An exclusive request, such as a payment, is refused while one is pending.
public struct Request<
  F: Feature, Question: Codable & Equatable & Sendable, Answer: Codable & Equatable & Sendable
>: Sendable {
  /// The name in snake case, which is also that of the function that scripts call.
  public let name: String

  let isLocal: @Sendable (Question) -> Bool
  let policy: RequestPolicy
  let asked: @Sendable (inout F.State, Question) throws -> Void
  let done: @Sendable (inout F.State, Answer) throws -> Void
  /// The answer of a stub or of the service, in the form that is recorded.
  let answer: @Sendable (RequestContext<F, Question>, _ newID: () -> Int) async throws -> Answer
  /// The form of an answer in which a stub gives it.
  let reply: @Sendable (Answer) throws -> JSONValue

  /// Makes a request whose answer is recorded as the service gives it.
  ///
  /// - Parameters:
  ///   - name: The name in snake case.
  ///   - isLocal: Whether the answer comes from this machine alone, such as a computation or a file of the user's, so
  ///     that a scenario may ask the service without a stub.
  ///   - isExclusive: Whether the question is refused while another one is pending.
  ///   - isLatest: Whether a question replaces one that is pending, whose answer then changes nothing.
  ///   - ask: Asks the service.
  ///   - asked: Changes the state when the question is asked; it throws to refuse the question.
  ///   - done: Changes the state when the answer comes, as a reducer does; it throws to refuse the answer.
  public init(
    _ name: String, isLocal: @escaping @Sendable (Question) -> Bool = { _ in false },
    isExclusive: Bool = false, isLatest: Bool = false,
    ask: @escaping @Sendable (RequestContext<F, Question>) async throws -> Answer,
    asked: @escaping @Sendable (inout F.State, Question) throws -> Void = { _, _ in },
    done: @escaping @Sendable (inout F.State, Answer) throws -> Void
  ) {
    self.init(
      name, isLocal: isLocal, isExclusive: isExclusive, isLatest: isLatest, ask: ask,
      answer: { answer, _, _ in answer }, reply: { $0 },
      asked: asked, done: done)
  }

  /// Makes a request whose answer is recorded in another form than the service gives it: for example, with the
  /// identifiers of new records.
  ///
  /// - Parameters:
  ///   - name: The name in snake case.
  ///   - isLocal: Whether the answer comes from this machine alone.
  ///   - isExclusive: Whether the question is refused while another one is pending.
  ///   - isLatest: Whether a question replaces one that is pending, whose answer then changes nothing.
  ///   - ask: Asks the service.
  ///   - answer: Converts the service's reply to the recorded answer. It gets a function that makes identifiers.
  ///   - reply: Converts a recorded answer back, for the stubs of recorded scenarios.
  ///   - asked: Changes the state when the question is asked.
  ///   - done: Changes the state when the answer comes.
  public init<Reply: Codable & Sendable>(
    _ name: String, isLocal: @escaping @Sendable (Question) -> Bool = { _ in false },
    isExclusive: Bool = false, isLatest: Bool = false,
    ask: @escaping @Sendable (RequestContext<F, Question>) async throws -> Reply,
    answer:
      @escaping @Sendable (Reply, RequestContext<F, Question>, _ newID: () -> Int) throws -> Answer,
    reply: @escaping @Sendable (Answer) -> Reply,
    asked: @escaping @Sendable (inout F.State, Question) throws -> Void = { _, _ in },
    done: @escaping @Sendable (inout F.State, Answer) throws -> Void
  ) {
    self.name = name
    self.isLocal = isLocal
    policy = isExclusive ? .exclusive : isLatest ? .latest : .concurrent
    self.asked = asked
    self.done = done
    self.reply = { try JSONValue(encoding: reply($0)) }
    self.answer = { context, newID in
      let given = try await context.service.stubs.answer(
        to: "\(F.name).\(name)", with: JSONValue(encoding: context.question).arguments,
        isLocal: isLocal(context.question)
      ) {
        try await ask(context)
      }
      return try answer(given, context, newID)
    }
  }
}

extension Request {
  var handler: RequestHandler<Question, Answer> {
    RequestHandler(
      feature: F.name, featureType: F.self, name: name, policy: policy,
      asked: { [asked] box, question in
        try asked(&FeatureState<F>.of(box).state, question)
      },
      done: { [done] box, answer, _ in try done(&FeatureState<F>.of(box).state, answer) },
      recording: nil, reply: reply,
      call: { [name] question, secret in
        ActionCall(name, .encoded(try JSONValue(encoding: question, showing: secret).inSnakeCase))
      })
  }
}

/// The effect of overlapping requests.
package enum RequestPolicy: Sendable {
  /// Each answer changes the state.
  case concurrent
  /// Only the answer to the latest question changes the state.
  case latest
  /// A question is refused while another one is pending.
  case exclusive
}

/// The question of a request that needs none.
public struct NoQuestion: Codable, Equatable, Sendable {
  /// Makes it.
  public init() {}
}

/// The earlier name of ``NoQuestion``.
@available(*, deprecated, renamed: "NoQuestion")
public typealias Nothing = NoQuestion

/// A question with the services that can answer it.
public struct RequestContext<F: Feature, Question: Sendable>: Sendable {
  /// The question.
  public let question: Question

  /// The feature's state after the question was asked.
  public let state: F.State

  let service: ServiceContext<F.Services>

  /// The app's services.
  public var services: F.Services { service.services }

  /// The clock that measures waiting: virtual time in a scenario.
  public var clock: any Clock<Duration> { service.clock }

  /// The answer to another function that asks the services, or that of its stub.
  public func answer<Argument, Result>(
    of function: ServiceFunction<F.Services, Argument, Result>, _ argument: Argument
  ) async throws -> Result {
    try await service.answer(of: function, argument)
  }
}

extension Store {
  /// Asks a feature's question, and sends that it was asked, and then the answer or the failure.
  ///
  /// - Returns: The answer, even if it didn't change the state, because a later request replaced this one or the question
  ///   was undone.
  /// - Throws: Why the question or the answer is refused, or the service's error; ``SchemaError`` for a request that
  ///   isn't among the feature's fields.
  @discardableResult
  public func ask<F, Question, Answer>(
    _ request: Request<F, Question, Answer>, _ question: Question,
    in context: ServiceContext<F.Services>
  ) async throws -> Answer {
    try await ask(request, question, in: context) {}
  }

  // Calls `didAsk` after the question was asked; if it throws, the service isn't asked.
  func ask<F, Question, Answer>(
    _ request: Request<F, Question, Answer>, _ question: Question,
    in context: ServiceContext<F.Services>, didAsk: () throws -> Void
  ) async throws -> Answer {
    let index = index(of: F.self)
    let feature = schema.features[index]
    guard feature.requests.contains(where: { $0.name == request.name }) else {
      throw SchemaError.unlistedRequest("\(F.name).\(request.name)")
    }
    let handler = request.handler
    return try await ask({ (handler, index) }, question) {
      try didAsk()
      let answer = try await request.answer(
        RequestContext(question: question, state: state(of: F.self), service: context),
        { newID(in: F.self) })
      return try Secret.usedHidden(in: answer)
    }
  }

  /// Sends that a question was asked, and then its answer or failure.
  ///
  /// `request` finds the request, which is among the feature's fields, and the feature's index.
  ///
  /// - Throws: As `ask(_:_:in:)`.
  func ask<Question, Answer>(
    _ request: () throws -> (RequestHandler<Question, Answer>, index: Int), _ question: Question,
    answer: () async throws -> Answer
  ) async throws -> Answer {
    let number = identifiers.next(.request)
    func isPending() throws -> Bool {
      let (request, index) = try request()
      return states.slots[index].requests[request.name]?.pending.contains(number) ?? false
    }
    func send(_ phase: RequestPhase<Question, Answer>) throws {
      let (request, index) = try request()
      let event = StoreAction(.feature(RequestEvent(request, number: number, phase), at: index))
      if case .answered = phase, request.recording != nil {
        _ = try sendChoosingIdentifiers(event)
      } else {
        try self.send(event)
      }
    }
    try send(.asked(question))
    ownRequests.insert(contentsOf: number..<number + 1)
    awaitedRequests.insert(number)
    defer { awaitedRequests.remove(number) }
    do {
      let answer = try await answer()
      if try isPending() { try send(.answered(answer)) }
      return answer
    } catch {
      let error = Secret.hidden(in: error)
      if try isPending() { try send(.failed(message: RequestFailure.message(of: error))) }
      throw error
    }
  }

  /// Whether a request is pending.
  public func isPending<F, Question, Answer>(_ request: Request<F, Question, Answer>) -> Bool {
    states.slots[index(of: F.self)].requests[request.name]?.isPending ?? false
  }

  /// The reason why the last request failed; nil if none has failed since the last one was asked.
  public func error<F, Question, Answer>(of request: Request<F, Question, Answer>) -> String? {
    states.slots[index(of: F.self)].requests[request.name]?.error
  }
}

/// Why a question is refused.
public typealias RequestError = PlainError<NoQuestion>

extension RequestError {
  static func pending(_ request: String) -> Self {
    Self("request_pending", "\(request) is pending: wait for its answer, or cancel it, first.")
  }
}

enum RequestFailure {
  /// The reason of a request whose process ended before the answer came.
  static let processEnded = "The process that asked ended before the answer came."

  /// The reason of a request whose question was redone after its answer had come.
  static let answerMissed = "The question was undone when its answer came."

  /// The reason of a request whose answer came in a trial that was dropped.
  static let answerDropped = "The answer was dropped with what was tried."

  static func message(of error: any Error) -> String {
    error is CancellationError ? "The request was cancelled." : error.userMessage
  }
}
