/// The phases of a request, each an action of its own.
package enum RequestPhase<Question, Answer>: Sendable, Equatable
where Question: Codable & Equatable & Sendable, Answer: Codable & Equatable & Sendable {
  case asked(Question)
  /// The answer came, as it is recorded.
  case answered(Answer)
  case failed(message: String)
}

extension StoreSchema {
  /// A phase of the request with a number, ready to be sent; only tests send one without asking a service.
  ///
  /// - Throws: ``SchemaError`` for an unknown feature.
  package func action<F, Question, Answer>(
    _ phase: RequestPhase<Question, Answer>, of request: Request<F, Question, Answer>, number: Int
  ) throws(SchemaError) -> StoreAction {
    StoreAction(
      .feature(RequestEvent(request.handler, number: number, phase), at: try index(of: F.self)))
  }
}

/// What a request does to the state of its feature, whatever the feature's type.
struct RequestHandler<Question, Answer>: Sendable
where Question: Codable & Equatable & Sendable, Answer: Codable & Equatable & Sendable {
  let feature: String
  /// Nil for a declared feature.
  let featureType: (any Feature.Type)?
  let name: String
  let policy: RequestPolicy
  /// Changes the state, in a box with one owner, when the question is asked.
  let asked: @Sendable (AnyFeatureState, Question) throws -> Void
  /// Changes the state, in a box with one owner, when the answer comes.
  let done: @Sendable (AnyFeatureState, Answer, NewIdentifiers?) throws -> Void
  /// An answer with the identifiers of the records that it added; nil if answers have them anyway.
  let recording: (@Sendable (Answer, _ identifiers: [Int]) -> Answer)?
  /// The form of an answer in which a stub gives it.
  let reply: @Sendable (Answer) throws -> JSONValue
  /// The code that asks a question.
  let call: @Sendable (Question, _ showing: (Secret) -> String) throws -> ActionCall
}

/// Whether a request is pending, and why the last one failed.
@usableFromInline struct RequestState: Equatable, Sendable {
  /// The numbers of the unanswered requests, in the order in which they were asked; answers to others are ignored.
  var pending: [Int] = []
  var error: String?

  var isPending: Bool { !pending.isEmpty }

  static let initial = RequestState()
}

extension RequestState: Codable {
  private enum CodingKeys: CodingKey {
    /// The number of the latest request, and those before it. Earlier versions only have the latest.
    case pending, earlier
    case error
  }

  @usableFromInline init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    pending = try container.decodeIfPresent([Int].self, forKey: .earlier) ?? []
    if let latest = try container.decodeIfPresent(Int.self, forKey: .pending) {
      pending.append(latest)
    }
    error = try container.decodeIfPresent(String.self, forKey: .error)
  }

  @usableFromInline func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(pending.last, forKey: .pending)
    if pending.count > 1 { try container.encode(pending.dropLast(), forKey: .earlier) }
    try container.encodeIfPresent(error, forKey: .error)
  }
}

/// The stored forms of a request's steps: those of `fetch` are `fetchRequested`, `fetchSucceeded` and `fetchFailed`.
private enum StoredStep: String, CaseIterable {
  case asked = "Requested"
  case answered = "Succeeded"
  case failed = "Failed"

  enum Member: CodingKey {
    case request, question, answer, message
  }

  func key(of request: String) -> AnyKey { AnyKey(request.inCamelCase + rawValue) }
}

/// A step of a request in a box.
final class RequestEvent<Question, Answer>: FeatureActionBox
where Question: Codable & Equatable & Sendable, Answer: Codable & Equatable & Sendable {
  private let request: RequestHandler<Question, Answer>
  private let number: Int
  private let phase: RequestPhase<Question, Answer>

  init(
    _ request: RequestHandler<Question, Answer>, number: Int,
    _ phase: RequestPhase<Question, Answer>
  ) {
    (self.request, self.number, self.phase) = (request, number, phase)
  }

  var name: String { request.feature }
  var feature: (any Feature.Type)? { request.featureType }

  func isEqual(to other: any FeatureActionBox) -> Bool {
    guard let other = other as? Self else { return false }
    return name == other.name && request.name == other.request.name
      && number == other.number && phase == other.phase
  }

  /// The box must be of the same feature, and have one owner.
  func reduce(_ box: AnyFeatureState, _ new: NewIdentifiers?) throws {
    var state = box.requests[request.name] ?? .initial
    switch phase {
    case .asked(let question):
      if request.policy == .exclusive, state.isPending {
        throw RequestError.pending("\(name).\(request.name)")
      }
      try request.asked(box, question)
      state = RequestState(
        pending: request.policy == .concurrent ? state.pending + [number] : [number])
    case .answered(let answer):
      guard let index = state.pending.firstIndex(of: number) else { return }
      try request.done(box, answer, new)
      state.pending.remove(at: index)
    case .failed(let message):
      guard let index = state.pending.firstIndex(of: number) else { return }
      state.pending.remove(at: index)
      state.error = message
    }
    box.setRequest(request.name, to: state)
  }

  func recording(_ identifiers: [Int]) -> any FeatureActionBox {
    guard case .answered(let answer) = phase, let recording = request.recording else { return self }
    return RequestEvent(request, number: number, .answered(recording(answer, identifiers)))
  }

  func encode(to encoder: any Encoder) throws {
    switch phase {
    case .asked(let question): try encode(.asked, .question, question, to: encoder)
    case .answered(let answer): try encode(.answered, .answer, answer, to: encoder)
    case .failed(let message): try encode(.failed, .message, message, to: encoder)
    }
  }

  private func encode(
    _ step: StoredStep, _ member: StoredStep.Member, _ value: some Encodable,
    to encoder: any Encoder
  ) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    var members = container.nestedContainer(
      keyedBy: StoredStep.Member.self, forKey: step.key(of: request.name))
    try members.encode(number, forKey: .request)
    try members.encode(value, forKey: member)
  }

  /// Decodes a step; nil for an action that is none of the request.
  static func decoded(
    _ request: RequestHandler<Question, Answer>, from decoder: any Decoder
  ) throws -> RequestEvent? {
    // An action of another form isn't one of a request.
    guard let container = try? decoder.container(keyedBy: AnyKey.self) else { return nil }
    let found = StoredStep.allCases.first { container.contains($0.key(of: request.name)) }
    guard let found else { return nil }
    let members = try container.nestedContainer(
      keyedBy: StoredStep.Member.self, forKey: found.key(of: request.name))
    let number = try members.decode(Int.self, forKey: .request)
    let phase: RequestPhase<Question, Answer> =
      switch found {
      case .asked: .asked(try members.decode(Question.self, forKey: .question))
      case .answered: .answered(try members.decode(Answer.self, forKey: .answer))
      case .failed: .failed(message: try members.decode(String.self, forKey: .message))
      }
    return RequestEvent(request, number: number, phase)
  }

  func step(showing secret: (Secret) -> String) throws -> RequestStep? {
    let content: RequestStep.Content =
      switch phase {
      case .asked(let question): .asked(try request.call(question, secret))
      case .answered(let answer): .answered(try request.reply(answer))
      case .failed(let message): .failed(message: message)
      }
    return RequestStep(feature: self.name, name: request.name, number: number, content: content)
  }
}

/// A step of a request in a form that every front end can show.
@usableFromInline package struct RequestStep: Sendable {
  package enum Content: Sendable {
    /// The question was asked, by this code.
    case asked(ActionCall)
    /// The answer came, in the form in which a stub gives it.
    case answered(JSONValue)
    case failed(message: String)
  }

  package let feature: String
  package let name: String
  package let number: Int
  package let content: Content
}

/// A request of a feature, whatever its types.
@usableFromInline struct FeatureRequest: Sendable {
  let name: String
  /// Decodes a step; nil for an action that is none of the request.
  let event: @Sendable (any Decoder) throws -> (any FeatureActionBox)?
  let failure: @Sendable (_ number: Int, _ message: String) -> any FeatureActionBox

  init<Question, Answer>(_ request: RequestHandler<Question, Answer>) {
    name = request.name
    event = { try RequestEvent.decoded(request, from: $0) }
    failure = { RequestEvent(request, number: $0, .failed(message: $1)) }
  }
}
