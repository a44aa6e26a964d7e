public import PrimereplFoundation
public import PrimereplLoading
import PrimereplPlatform
import Synchronization

/// Asks Wolfram|Alpha.
///
/// Copies of a client share the primes that it has received. Cancelling the task that waits for an answer closes the
/// connection, and the call throws `WolframError.cancelled`: a single `catch` of `WolframError` handles everything
/// that can happen.
public struct WolframClient: Sendable {
  private let configuration: Configuration
  private let fetcher: HTTPFetcher
  private let memory: MemoryAllowance
  private let knownPrimes = KnownPrimes()

  /// The primes that the service has returned, by their ordinals: facts, so they are kept.
  private final class KnownPrimes: Sendable {
    let list = Mutex<[Int: Int]>([:])
  }

  /// The reason to refuse every request, or nil.
  private let refusal: WolframError?

  /// 10 MB: a thousand times the size of a usual answer.
  private static let maximumAnswerSize = 10_000_000

  /// Makes a client.
  public init(configuration: Configuration) {
    self.init(configuration: configuration, refusal: nil)
  }

  /// Makes a client from the environment, which sends requests only if the network may be used.
  ///
  /// Otherwise each request throws `WolframError.notAllowed`. If the service's address is wrong, only requests fail, so a
  /// program that makes none can start.
  public init(
    environment: [String: String], network: NetworkAccess,
    memory: @escaping MemoryAllowance = { _ in true }
  ) {
    guard case .allowed = network else {
      self.init(configuration: Configuration(), refusal: .notAllowed)
      return
    }
    do throws(WolframError) {
      self.init(
        configuration: try Configuration(environment: environment), refusal: nil, memory: memory)
    } catch {
      self.init(
        configuration: Configuration(appID: environment["WOLFRAM_APP_ID"]), refusal: error)
    }
  }

  private init(
    configuration: Configuration, refusal: WolframError?,
    memory: @escaping MemoryAllowance = { _ in true }
  ) {
    self.configuration = configuration
    self.refusal = refusal
    self.memory = memory
    fetcher = HTTPFetcher(
      timeout: configuration.timeout, maximumSize: Self.maximumAnswerSize,
      // The app id is part of the address, and a redirect could carry it to another server.
      redirects: .sameServer, clock: configuration.clock, memory: memory)
  }

  /// Whether there is an app id; without one every request throws `WolframError.noAppID`.
  public var isConfigured: Bool { configuration.appID != nil }

  /// Asks for the full answer.
  ///
  /// An input that the service doesn't understand gets an answer too: one without `success`, perhaps with suggestions
  /// in `didYouMean`.
  public func query(_ text: String) async throws -> WolframAnswer {
    let appID = try appID()
    let reply = try await reply(
      path: "/v2/query",
      query: [
        "input": text, "format": "plaintext", "output": "JSON", "appid": appID.value,
      ])
    guard reply.isSuccess else { throw WolframError.httpStatus(reply.status) }
    return try await WolframAnswer.decode(reply.body, within: memory) { quoted($0) }
  }

  /// Asks for the answer in one line.
  ///
  /// - Throws: `WolframError`; `noResult` if the answer doesn't fit on one line.
  public func shortAnswer(_ text: String) async throws -> String {
    let appID = try appID()
    let reply = try await reply(
      path: "/v1/result", query: ["i": text, "appid": appID.value])
    guard reply.isSuccess || reply.status == 501 else {
      throw WolframError.httpStatus(reply.status)
    }
    guard let body = String(validating: reply.body, as: UTF8.self) else {
      throw WolframError.unexpectedAnswer("it is not UTF-8 text; try again later")
    }
    let answer = body.trimmingWhitespace
    // 501 has both meanings; only the text distinguishes them.
    if reply.status == 501 {
      throw answer.lowercased().contains("did not understand")
        ? WolframError.notUnderstood(input: quoted(text), suggestions: [])
        : WolframError.noResult(input: quoted(text), timedOut: [])
    }
    guard !answer.isEmpty else { throw WolframError.noResult(input: quoted(text), timedOut: []) }
    return answer
  }

  /// Asks for the nth prime, unless the service has returned it before.
  ///
  /// - Throws: `WolframError`; `unexpectedAnswer` for anything but decimal digits that fit an Int.
  public func nthPrime(_ number: Int) async throws -> Int {
    guard number >= 1 else { throw WolframError.outOfRange(number) }
    if let prime = knownPrimes.list.withLock({ $0[number] }) { return prime }
    let input = "prime \(number)"
    let answer = try await query(input)
    guard answer.success else {
      throw WolframError.notUnderstood(input: input, suggestions: answer.didYouMean.map(quoted))
    }
    guard !answer.pods.isEmpty else {
      throw WolframError.noResult(input: input, timedOut: answer.timedOut.map(quoted))
    }
    let prime = try prime(in: answer, input: input)
    knownPrimes.list.withLock { $0[number] = prime }
    return prime
  }

  /// Reads the first subpod of the primary pod, which must contain only decimal digits.
  private func prime(in answer: WolframAnswer, input: String) throws(WolframError) -> Int {
    guard let pod = answer.pods.first(where: \.primary), let subpod = pod.subpods.first else {
      guard answer.timedOut.isEmpty else {
        throw WolframError.noResult(input: input, timedOut: answer.timedOut.map(quoted))
      }
      throw WolframError.unexpectedAnswer("no pod answers “\(input)”; try again later")
    }
    let text = subpod.plaintext.trimmingWhitespace
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw WolframError.unexpectedAnswer(
        "“\(quoted(text))” for “\(input)” is not a number; try again later")
    }
    guard let prime = Int(text) else {
      throw WolframError.unexpectedAnswer(
        "\(quoted(text)) for “\(input)” is larger than \(Int.max)")
    }
    return prime
  }

  // MARK: - The request

  private func appID() throws(WolframError) -> WolframAppID {
    if let refusal { throw refusal }
    guard let appID = configuration.appID else { throw WolframError.noAppID }
    return appID
  }

  /// Fetches one of the service's pages, whatever its status, except that of a bad app id.
  private func reply(
    path: String, query: KeyValuePairs<String, String>
  ) async throws(WolframError) -> HTTPReply {
    let url = try url(path: path, query: query)
    let reply: HTTPReply
    do throws(HTTPFailure) {
      reply = try await fetcher.fetch(url)
    } catch {
      switch error {
      case .timedOut: throw .timedOut(fetcher.timeout)
      case .cancelled: throw .cancelled
      case .tooLarge: throw .answerTooLarge(maximumSize: fetcher.maximumSize)
      case .outOfMemory: throw .outOfMemory
      case .unavailable(let obstacle): throw .unavailable(obstacle.reason)
      case .connection(let problem): throw .connectionFailed(problem.reason)
      }
    }
    // "Error 1: Invalid appid" or "Error 2: Appid missing", as plain text.
    if reply.status == 403,
      String(decoding: reply.body.prefix(1_000), as: UTF8.self).lowercased().contains("appid")
    {
      throw WolframError.invalidAppID
    }
    return reply
  }

  private func url(
    path: String, query: KeyValuePairs<String, String>
  ) throws(WolframError) -> URL {
    guard var components = URLComponents(url: configuration.baseURL, resolvingAgainstBaseURL: true)
    else { throw WolframError.invalidBaseURL }
    while components.percentEncodedPath.hasSuffix("/") {
      components.percentEncodedPath.removeLast()
    }
    components.percentEncodedPath += path
    components.percentEncodedQuery =
      query
      .map { "\($0.key.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    guard let url = components.url, url.isWebAddress else { throw WolframError.invalidBaseURL }
    return url
  }

  private func quoted(_ text: String) -> String {
    (configuration.appID?.redacted(from: text) ?? text).printable(limit: 200)
  }
}

// MARK: - Configuration

extension WolframClient {
  /// A client's configuration: the app id, the service's address, and the time limit.
  public struct Configuration: Sendable {
    /// The address of the service itself.
    public static let defaultBaseURL: URL = {
      guard let url = URL(string: "https://api.wolframalpha.com") else {
        preconditionFailure("a literal address can be read")
      }
      return url
    }()

    let appID: WolframAppID?
    let baseURL: URL
    let timeout: Duration
    let clock: any Clock<Duration>

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - appID: The app id, a secret; without one every request is refused. Blank text counts as none.
    ///   - baseURL: The address that the service's paths are appended to.
    ///   - timeout: The limit for a whole request, retries included; at most a day. The service itself gives up after
    ///     20 s.
    ///   - clock: The clock that waits between retries.
    public init(
      appID: String? = nil, baseURL: URL = defaultBaseURL, timeout: Duration = .seconds(30),
      clock: any Clock<Duration> = ContinuousClock()
    ) {
      self.appID = appID.flatMap(WolframAppID.init)
      self.baseURL = baseURL
      self.timeout = timeout
      self.clock = clock
    }

    /// Makes a configuration from the environment.
    ///
    /// - Parameter environment: `WOLFRAM_APP_ID` and `PRIMEREPL_WOLFRAM_URL` are read; an absent or blank variable
    ///   counts as not set.
    /// - Throws: `WolframError.invalidBaseURL` for an address that can't be the service's.
    init(environment: [String: String]) throws(WolframError) {
      let address = (environment["PRIMEREPL_WOLFRAM_URL"] ?? "")
        .trimmingWhitespace
      let appID = environment["WOLFRAM_APP_ID"]
      guard !address.isEmpty else {
        self.init(appID: appID)
        return
      }
      guard let url = URL(string: address, encodingInvalidCharacters: false), url.isWebAddress,
        url.query() == nil, url.fragment() == nil
      else { throw .invalidBaseURL }
      self.init(appID: appID, baseURL: url)
    }
  }
}

/// The id that Wolfram|Alpha gives an app: a secret that always prints as bullets.
struct WolframAppID: Sendable {
  /// The id itself, only for requests.
  let value: String

  /// The same number of bullets for every id, so not even its length shows.
  private static let bullets = "••••••"

  /// Makes an id from text, without the blanks that environment files tend to add; nil for blank text, which means
  /// that there is no id.
  init?(_ text: String) {
    value = text.trimmingWhitespace
    if value.isEmpty { return nil }
  }

  /// Replaces the id with bullets in other text, both as it is and as it appears in an address.
  func redacted(from text: String) -> String {
    text
      .replacing(value, with: Self.bullets)
      .replacing(value.percentEncoded, with: Self.bullets)
  }
}

extension WolframAppID: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { Self.bullets }

  var debugDescription: String { Self.bullets }

  /// A mirror without children, so `dump` shows nothing either.
  var customMirror: Mirror { Mirror(self, children: []) }
}
