internal import CMicrohttpd
import PrimereplFoundation
import PrimereplPlatform
import Synchronization

/// A server of HTTP on one port, which asks closures for its answers.
///
/// It runs on a thread of libmicrohttpd, where requests are read and answers are sent; meanwhile their connections are
/// suspended, so that an answer may take any time. It is kept until it is stopped.
final class HTTPServer: Sendable {
  struct Limits: Sendable {
    /// The number of connections: each page has one that stays open, and some for its questions.
    var connections: UInt32 = 500
    /// The size of a request's body, in bytes.
    var bodySize = 1 << 20
    /// The time after which a connection that sends nothing is closed, in seconds.
    var idleTime: UInt32 = 30
  }

  fileprivate let library: HTTPLibrary
  fileprivate let limits: Limits
  fileprivate let refuse: @Sendable (HTTPRequest) -> HTTPAnswer?
  private let answer: @Sendable (HTTPRequest) async -> HTTPAnswer

  private struct State {
    var isStopped = false
    var daemons: [Daemon] = []
    /// The exchanges whose connections are suspended.
    var suspended: [ObjectIdentifier: Exchange] = [:]
  }

  private struct Daemon: @unchecked Sendable {
    // Safe: a daemon has a lock of its own, and is only stopped, once.
    let pointer: OpaquePointer
    /// The server, for the functions that C calls.
    let context: Unmanaged<HTTPServer>
  }

  private let state = Mutex(State())

  /// `refuse` is called on the server's thread, before a request's body is read; nil lets `answer` answer it.
  init(
    limits: Limits = Limits(), refuse: @escaping @Sendable (HTTPRequest) -> HTTPAnswer?,
    answer: @escaping @Sendable (HTTPRequest) async -> HTTPAnswer
  ) throws(ServerError) {
    library = try HTTPLibrary.loaded()
    (self.limits, self.refuse, self.answer) = (limits, refuse, answer)
  }

  /// Listens on some IP addresses, of which the first must be possible.
  ///
  /// Port 0 stands for any that is free; returns the port.
  func start(on hosts: [String], port: Int) throws(ServerError) -> Int {
    var port = port
    for (index, host) in hosts.enumerated() {
      do throws(ServerError) {
        port = try start(on: host, port: port)
      } catch {
        if index == 0 { throw error }
      }
    }
    return port
  }

  private func start(on host: String, port: Int) throws(ServerError) -> Int {
    guard let address = SocketAddress(host, port: port) else {
      throw ServerError("bad_host", "\(host) isn't an IP address")
    }
    let context = Unmanaged.passRetained(self)
    let daemon = address.withPointer { pointer in
      cmicrohttpd_start(
        library, pointer, address.isVersion6 ? 1 : 0, handleRequest, handleCompletion,
        context.toOpaque(), limits.connections, limits.idleTime)
    }
    guard let daemon else {
      let problem = errno
      context.release()
      throw ServerError(
        problem == EADDRINUSE ? ServerError.portInUse : "no_port",
        "can't listen on \(host), port \(port): \(String(cString: strerror(problem))); --port names another"
      )
    }
    state.withLock { $0.daemons.append(Daemon(pointer: daemon, context: context)) }
    return Int(cmicrohttpd_port(library, daemon))
  }

  /// Stops the server: requests that have no answer yet get none.
  ///
  /// The streams that it sends must have ended: libmicrohttpd can't stop while a connection is suspended.
  func stop() {
    let daemons = state.withLock { state in
      state.isStopped = true
      for exchange in state.suspended.values { exchange.finish(.empty(503)) }
      state.suspended = [:]
      defer { state.daemons = [] }
      return state.daemons
    }
    for daemon in daemons {
      library.MHD_stop_daemon(daemon.pointer)
      daemon.context.release()
    }
  }

  /// Asks for the answer to a request, and suspends its connection until then; called on the server's thread.
  ///
  /// - Returns: False if the server stops.
  fileprivate func ask(_ request: HTTPRequest, for exchange: Exchange, _ connection: OpaquePointer)
    -> Bool
  {
    let isAsked = state.withLock { state in
      guard !state.isStopped else { return false }
      exchange.suspend(Connection(pointer: connection, library: library))
      state.suspended[ObjectIdentifier(exchange)] = exchange
      return true
    }
    guard isAsked else { return false }
    Task {
      let answer = await answer(request)
      let isAwaited = state.withLock { state in
        guard state.suspended.removeValue(forKey: ObjectIdentifier(exchange)) != nil else {
          return false
        }
        exchange.finish(answer)
        return true
      }
      if !isAwaited, case .events(let stream) = answer.content { stream.close() }
    }
    return true
  }

  /// Called on the server's thread.
  fileprivate func send(_ answer: HTTPAnswer, on connection: OpaquePointer) -> MHD_Result {
    let response: OpaquePointer? =
      switch answer.content {
      case .bytes(let bytes):
        bytes.withUnsafeBytes { buffer in
          library.MHD_create_response_from_buffer(
            buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY
          )
        }
      case .events(let stream):
        library.response(
          of: stream, for: Connection(pointer: connection, library: library))
      }
    guard let response else { return .NO }
    defer { library.MHD_destroy_response(response) }
    for (name, value) in Self.headers + answer.headers {
      _ = library.MHD_add_response_header(response, name, value)
    }
    return library.MHD_queue_response(connection, answer.status, response)
  }

  /// The headers of all answers: the page loads nothing from elsewhere, is part of no other, and is kept by nobody.
  private static let headers = [
    (
      name: "Content-Security-Policy",
      value: "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    (name: "X-Content-Type-Options", value: "nosniff"),
    (name: "Referrer-Policy", value: "no-referrer"),
    (name: "Cross-Origin-Opener-Policy", value: "same-origin"),
    (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
    (name: "Cache-Control", value: "no-store"),
  ]
}

/// A request that is read, or waits for its answer.
private final class Exchange: Sendable {
  /// Without its body.
  let head: HTTPRequest

  private struct State {
    var body: [UInt8] = []
    var isTooLong = false
    var suspended: Connection?
    var answer: HTTPAnswer?
  }

  private let state = Mutex(State())

  init(_ head: HTTPRequest) { self.head = head }

  /// Adds to the body, unless it is larger than a limit then.
  func add(_ bytes: UnsafeRawBufferPointer, limit: Int) {
    state.withLock { state in
      state.isTooLong = state.isTooLong || state.body.count + bytes.count > limit
      if !state.isTooLong { state.body += bytes }
    }
  }

  /// Nil for a body that is too long.
  var body: [UInt8]? { state.withLock { $0.isTooLong ? nil : $0.body } }

  var answer: HTTPAnswer? { state.withLock(\.answer) }

  func suspend(_ connection: Connection) {
    state.withLock { state in
      connection.suspend()
      state.suspended = connection
    }
  }

  func finish(_ answer: HTTPAnswer) {
    state.withLock { state in
      state.answer = answer
      state.suspended?.resume()
      state.suspended = nil
    }
  }
}

// MARK: - Functions that C calls, on the server's thread

/// Handles a part of a request: its head, then its body, then its end, and after a suspension its answer.
private let handleRequest: MHD_AccessHandlerCallback = {
  context, connection, url, method, _, data, size, slot in
  guard let context, let connection, let url, let method, let size, let slot else { return .NO }
  let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  guard let exchangePointer = slot.pointee else {
    let head = HTTPRequest(String(cString: method), String(cString: url)) { kind, name in
      server.library.MHD_lookup_connection_value(connection, kind, name).map { String(cString: $0) }
    }
    // Strangers are told nothing, and what they send isn't kept.
    guard let head else { return server.send(.empty(403), on: connection) }
    if let answer = server.refuse(head) { return server.send(answer, on: connection) }
    slot.pointee = Unmanaged.passRetained(Exchange(head)).toOpaque()
    return .YES
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(exchangePointer).takeUnretainedValue()
  if size.pointee > 0, let data {
    exchange.add(
      UnsafeRawBufferPointer(start: data, count: size.pointee), limit: server.limits.bodySize)
    size.pointee = 0
    return .YES
  }
  if let answer = exchange.answer { return server.send(answer, on: connection) }
  guard let body = exchange.body else { return server.send(.empty(413), on: connection) }
  var request = exchange.head
  request.body = body
  guard server.ask(request, for: exchange, connection) else {
    return server.send(.empty(503), on: connection)
  }
  return .YES
}

private let handleCompletion: MHD_RequestCompletedCallback = { _, _, slot, _ in
  guard let slot, let pointer = slot.pointee else { return }
  let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
  slot.pointee = nil
  // Also that of a page that has gone before it was answered.
  if case .events(let stream)? = exchange.answer?.content { stream.close() }
}

extension HTTPRequest {
  /// Nil for a method that isn't answered.
  fileprivate init?(
    _ method: String, _ path: String,
    value: (_ kind: MHD_ValueKind, _ name: String) -> String?
  ) {
    guard let method = Method(rawValue: method) else { return nil }
    self.init(
      method: method, path: path, token: value(.GET_ARGUMENT_KIND, "token"),
      tokenHeader: value(.HEADER_KIND, "X-Token"), host: value(.HEADER_KIND, "Host"),
      origin: value(.HEADER_KIND, "Origin"),
      cookie: value(.HEADER_KIND, "Cookie"), contentType: value(.HEADER_KIND, "Content-Type"))
  }
}

private struct SocketAddress: ~Copyable {
  private let list: UnsafeMutablePointer<addrinfo>
  private let address: UnsafeMutablePointer<sockaddr>
  let isVersion6: Bool

  /// Nil for a host that isn't an IP address.
  init?(_ host: String, port: Int) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    var first: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &first) == 0, let first,
      let address = first.pointee.ai_addr
    else { return nil }
    (list, self.address, isVersion6) = (first, address, first.pointee.ai_family == AF_INET6)
  }

  deinit { freeaddrinfo(list) }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result { body(address) }
}
