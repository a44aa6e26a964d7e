import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One GET on the wire: a request, and its reply or failure.
///
/// Each exchange has a session of its own, invalidated when the exchange ends: on Linux a session
/// that isn't leaks, and a session that is shared would share cookies and credentials too.
///
/// Two rules keep clear of FoundationNetworking's traps. A redirect, or a demand for a password, ends
/// the exchange with that reply, and its completion handler is never called: called after a
/// cancellation, the first stops the process; without a password, the second never ends the task.
/// And no error of `URLSession` gets out, because each holds the address.
///
/// One trap is left: a chunked reply with trailers stops the process (swift-corelibs-foundation issue
/// 5285). Servers send trailers to clients that say `TE: trailers`, which this one never does.
final class HTTPExchange: NSObject, URLSessionDataDelegate {
  private struct State {
    var continuation: CheckedContinuation<Result<HTTPReply, HTTPFailure>, Never>?
    var response: HTTPURLResponse?
    var body = Data()
    /// Set once, by whatever ends the exchange first; what comes after it changes nothing.
    var result: Result<HTTPReply, HTTPFailure>?
  }

  private let maximumSize: Int
  private let state = Mutex(State())

  private init(maximumSize: Int) {
    self.maximumSize = maximumSize
  }

  /// Sends a GET and waits for the whole reply, without following redirects.
  ///
  /// Cancelling the task closes the connection.
  ///
  /// - Parameters:
  ///   - url: an http or https address.
  ///   - maximumSize: the largest body in bytes; the transfer stops when it is passed.
  /// - Returns: the reply, whatever its status.
  /// - Throws: `HTTPFailure`, but never `timedOut` for being slow: that is the caller's to measure.
  static func get(_ url: URL, maximumSize: Int) async throws(HTTPFailure) -> HTTPReply {
    // FoundationNetworking stops the process for a scheme that it doesn't know.
    guard url.isWebAddress else { throw .connection(.badAddress) }
    guard !Task.isCancelled else { throw .cancelled }
    let exchange = HTTPExchange(maximumSize: maximumSize)
    let session = URLSession(configuration: configuration(), delegate: exchange, delegateQueue: nil)
    let task = session.dataTask(with: request(url))
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        exchange.begin(task, continuation)
      }
    } onCancel: {
      exchange.end(.failure(.cancelled))
    }
    task.cancel()
    session.finishTasksAndInvalidate()
    return try result.get()
  }

  private static func configuration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    return configuration
  }

  private static func request(_ url: URL) -> URLRequest {
    // The session's own timeout only measures silence, so the fetcher keeps the time; this one is
    // a day so that it never comes first.
    var request = URLRequest(url: url, timeoutInterval: 86_400)
    request.setValue("primerepl", forHTTPHeaderField: "User-Agent")
    return request
  }

  /// Starts the transfer, unless the exchange has ended already.
  private func begin(
    _ task: URLSessionDataTask,
    _ continuation: CheckedContinuation<Result<HTTPReply, HTTPFailure>, Never>
  ) {
    let result = state.withLock { state in
      if state.result == nil { state.continuation = continuation }
      return state.result
    }
    if let result { continuation.resume(returning: result) } else { task.resume() }
  }

  /// Ends the exchange with a result, unless it has ended already.
  private func end(_ result: Result<HTTPReply, HTTPFailure>) {
    let continuation = state.withLock { state in
      guard state.result == nil else {
        return CheckedContinuation<Result<HTTPReply, HTTPFailure>, Never>?.none
      }
      state.result = result
      state.body = Data()
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(returning: result)
  }

  /// Ends the exchange with a reply that has the body received so far.
  private func end(with response: HTTPURLResponse) {
    end(.success(HTTPReply(response, body: state.withLock { $0.body })))
  }

  // MARK: - URLSessionDataDelegate

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    if response.expectedContentLength > Int64(maximumSize) {
      end(.failure(.tooLarge))
    } else {
      // An interim reply (100 Continue) comes first, and the final one takes its place.
      state.withLock { state in
        state.response = response as? HTTPURLResponse
        state.body = Data()
      }
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = state.withLock { state in
      guard state.result == nil else { return false }
      guard data.count <= maximumSize - state.body.count else { return true }
      state.body.append(data)
      return false
    }
    if isTooLarge { end(.failure(.tooLarge)) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    end(with: response)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // A challenge that comes with a reply asks for a password; the others are about certificates.
    if let response = challenge.failureResponse as? HTTPURLResponse {
      end(with: response)
    } else {
      completionHandler(.performDefaultHandling, nil)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    if let error {
      end(.failure(Self.failure(error)))
    } else if let response = state.withLock({ $0.response }) ?? task.response as? HTTPURLResponse {
      // A redirect that leads nowhere is never announced, so the task's own response is asked too.
      end(with: response)
    } else {
      end(.failure(.connection(.notHTTP)))
    }
  }

  private static func failure(_ error: any Error) -> HTTPFailure {
    guard let error = error as? URLError else { return .connection(.other) }
    return switch error.code {
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    default: .connection(ConnectionProblem(error.code))
    }
  }
}
