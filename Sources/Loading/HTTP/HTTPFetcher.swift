package import PrimereplFoundation

/// Fetches addresses and sends requests, with a time limit, a size limit and safe redirects.
package struct HTTPFetcher: Sendable {
  /// The limit for the whole fetch: redirects, retries and the waits between them included.
  package let timeout: Duration

  /// The largest body in bytes; a transfer that exceeds it is stopped.
  package let maximumSize: Int

  private let redirects: RedirectPolicy

  /// The clock that waits between retries.
  private let clock: any Clock<Duration>
  private let memory: MemoryAllowance

  /// The waits before the second and the third attempt.
  private static let pauses: [Duration] = [.milliseconds(500), .seconds(1)]

  /// The maximum number of redirects in a row, half of what browsers follow.
  private static let maximumRedirects = 10

  /// The longest timeout, so that sums of times can't overflow.
  private static let maximumTimeout = Duration.seconds(86_400)

  package init(
    timeout: Duration, maximumSize: Int, redirects: RedirectPolicy, clock: any Clock<Duration>,
    memory: @escaping MemoryAllowance = { _ in true }
  ) {
    self.timeout = min(timeout, Self.maximumTimeout)
    self.maximumSize = maximumSize
    self.redirects = redirects
    self.clock = clock
    self.memory = memory
  }

  /// Fetches an http or https address, and returns the reply, whatever its status.
  ///
  /// A dropped connection, a 429 and a transient 5xx are retried twice, after half a second and a second, or after
  /// the time in `Retry-After`. If that is longer than the time left, the reply is returned as it is. So is a
  /// redirect that may not be followed.
  package func fetch(_ url: URL) async throws(HTTPFailure) -> HTTPReply {
    let request = WebRequest(url)
    var deadline = ContinuousClock.now.advanced(by: timeout)
    for pause in Self.pauses {
      let wait: Duration
      do throws(HTTPFailure) {
        let reply = try await sendFollowingRedirects(request, until: &deadline)
        wait = max(pause, reply.retryAfter)
        guard reply.isTransient, wait < ContinuousClock.now.duration(to: deadline) else {
          return reply
        }
      } catch {
        wait = pause
        guard error.isTransient, wait < ContinuousClock.now.duration(to: deadline) else {
          throw error
        }
      }
      do { try await clock.sleep(for: wait) } catch { throw .cancelled }
    }
    return try await sendFollowingRedirects(request, until: &deadline)
  }

  /// Sends a request once: the server may already have done what a request asks for when the connection is lost.
  ///
  /// A redirect that may not be followed is returned as it is.
  package func send(_ request: WebRequest) async throws(HTTPFailure) -> HTTPReply {
    var deadline = ContinuousClock.now.advanced(by: timeout)
    return try await sendFollowingRedirects(request, until: &deadline)
  }

  private func sendFollowingRedirects(
    _ request: WebRequest, until deadline: inout ContinuousClock.Instant
  ) async throws(HTTPFailure) -> HTTPReply {
    var request = request
    for _ in 0..<Self.maximumRedirects {
      let reply = try await exchange(request, until: &deadline)
      guard let target = redirects.target(of: reply, from: request.url) else { return reply }
      request = request.redirected(
        to: target, status: reply.status, isSameServer: request.url.isOnServer(of: target))
    }
    return try await exchange(request, until: &deadline)
  }

  /// Moves the deadline by the time in the queue, so that other fetches don't use up this one's time.
  private func exchange(
    _ request: WebRequest, until deadline: inout ContinuousClock.Instant
  ) async throws(HTTPFailure) -> HTTPReply {
    guard let address = WebAddress(request.url) else { throw .connection(.badAddress) }
    let transfer = HTTPTransfer(
      request, to: address, maximumSize: maximumSize, memory: memory,
      timeLimit: ContinuousClock.now.duration(to: deadline))
    defer { deadline = deadline.advanced(by: transfer.timeInQueue) }
    return try await transfer.reply(by: .shared)
  }
}

// MARK: - Redirects

/// Where a redirect may lead.
package enum RedirectPolicy: Sendable {
  /// Only to the server that was asked, so that a secret in the address stays with it.
  case sameServer

  case anyServer

  /// The address to ask next; nil if the reply isn't a redirect that may be followed.
  ///
  /// A redirect from https to http never is.
  func target(of reply: HTTPReply, from url: URL) -> URL? {
    guard reply.isRedirect, let location = reply.location,
      let target = URL(string: location, relativeTo: url)?.absoluteURL,
      WebAddress(target) != nil, target.isSecure || !url.isSecure
    else { return nil }
    switch self {
    case .anyServer: return target
    case .sameServer: return url.isOnServer(of: target) ? target : nil
    }
  }
}

extension URL {
  /// Whether a redirect leads to the same server: the same host, and the same port or the step from the standard port of
  /// http to that of https.
  fileprivate func isOnServer(of target: URL) -> Bool {
    guard host()?.lowercased() == target.host()?.lowercased() else { return false }
    let isUpgrade = webPort == 80 && !isSecure && target.webPort == 443 && target.isSecure
    return isUpgrade || webPort == target.webPort && isSecure == target.isSecure
  }

  fileprivate var isSecure: Bool { scheme?.lowercased() == "https" }

  /// The port, or the scheme's standard one.
  fileprivate var webPort: Int { port ?? (isSecure ? 443 : 80) }
}

extension Duration {
  /// The duration for a message, in seconds: "30 s", "0.2 s".
  package var formattedSeconds: String {
    let (seconds, attoseconds) = components
    return attoseconds == 0 ? "\(seconds) s" : "\(self / .seconds(1)) s"
  }
}
