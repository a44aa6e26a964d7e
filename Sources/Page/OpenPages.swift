import PrimereplFoundation
import Scripting
import StateStore
import Synchronization

/// Answers pages, and sends those that are open what changes.
@MainActor
final class OpenPages {
  private let questions: PageQuestions
  private let host: any PageHost
  /// Who may ask; nil until the server has a port, and asks for answers.
  private let access = Mutex<PageAccess?>(nil)
  /// By the order in which the pages were opened.
  private var streams: [Int: EventStream] = [:]
  private var streamCount = 0
  /// Nil while no page is open.
  private var following: Task<Void, Never>?
  /// The moment that pages know.
  private var sent = StateValue.none

  /// The time between looks for changes, by this process or others, while a page is open.
  ///
  /// A look at nothing new takes some microseconds, and actions themselves need to tell nobody.
  private static let interval = Duration.milliseconds(40)
  /// The number of looks between pings, by which broken connections are noticed.
  private static let looksPerPing = 250
  /// The time that code has to let others do something, when a page stops it.
  private nonisolated static let patience = Duration.milliseconds(300)

  init(of host: any PageHost, isReadOnly: Bool) throws {
    self.host = host
    questions = try PageQuestions(of: host, isReadOnly: isReadOnly)
  }

  // MARK: - Answering

  nonisolated func allow(_ access: PageAccess) { self.access.withLock { $0 = access } }

  /// Lets one request in that has another token.
  nonisolated func allowOnce(_ token: String) { access.withLock { $0?.tokenForOnce = token } }

  /// The answer to a request that asks nothing: of somebody who may not, or who comes in; nil for any other.
  nonisolated func refusal(of request: HTTPRequest) -> HTTPAnswer? {
    switch access.withLock({ $0?.decision(on: request) }) {
    case nil, .refused: return .empty(403)
    case .allowed: return nil
    case .enters(let token, let cookie):
      // Not by another address: browsers would send no cookie there if they come from another site.
      return PageFiles.page(forToken: token, cookie: cookie)
    }
  }

  nonisolated func answer(_ request: HTTPRequest) async -> HTTPAnswer {
    if request.method == .get {
      if request.path == "/events" { return await open() }
      return PageFiles.answer(for: request.path) ?? .empty(404)
    }
    guard let ticket = Question.cancelledTicket(of: request) else {
      return await questions.answer(request)
    }
    // Code that doesn't wait would keep this question waiting, too.
    let stop = Task {
      try await Task.sleep(for: Self.patience)
      if questions.hasStarted(ticket) { host.interrupt() }
    }
    defer { stop.cancel() }
    return await questions.answer(request)
  }

  // MARK: - Following

  /// Opens a stream of events, which begins with the present.
  private func open() -> HTTPAnswer {
    streamCount += 1
    let number = streamCount
    let stream = EventStream { [weak self] in
      Task { @MainActor in self?.forget(number) }
    }
    streams[number] = stream
    if following == nil {
      sent = questions.moment
      follow()
    }
    stream.send("changed", questions.moment.json)
    return HTTPAnswer(stream)
  }

  private func forget(_ number: Int) {
    streams[number] = nil
    guard streams.isEmpty else { return }
    following?.cancel()
    following = nil
  }

  private func follow() {
    following = Task { [weak self] in
      var looks = 0
      while !Task.isCancelled {
        do {
          try await Task.sleep(for: Self.interval)
        } catch {
          return
        }
        guard let self else { return }
        look(&looks)
      }
    }
  }

  private func look(_ looks: inout Int) {
    host.reload()
    let moment = questions.moment
    if moment != sent {
      sent = moment
      for stream in streams.values { stream.send("changed", moment.json) }
    }
    looks += 1
    if looks.isMultiple(of: Self.looksPerPing) { for stream in streams.values { stream.ping() } }
  }

  func sendOutput(_ text: String) {
    for stream in streams.values { stream.send("output", StateValue.text(text).json) }
  }

  func stop() {
    following?.cancel()
    for stream in streams.values { stream.end() }
    streams = [:]
  }
}
