internal import CMicrohttpd
import PrimereplFoundation
import PrimereplPlatform
import Synchronization

/// A server of HTTP on one port, which asks closures for its answers.
///
/// It runs on a thread of libmicrohttpd, where requests are read and answers are sent; meanwhile their connections are
/// suspended, so that an answer may take any time.
final class HTTPServer: Sendable {
  /// The port on which it listens.
  let port: Int

  private let core: ServerCore
  private let daemons: Mutex<[Daemon]>

  private struct Daemon: @unchecked Sendable {
    // Safe: a daemon has a lock of its own, and is only stopped, once.
    let pointer: OpaquePointer
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - hosts: The IP addresses on which it listens, of which the first must be possible.
  ///   - port: The port; 0 for any that is free.
  ///   - refuse: Gives the answer to a request that is answered before its body is read; nil for any other. It is called on
  ///     the server's thread.
  ///   - answer: Gives the answer to a request.
  /// - Throws: `ServerError` if the port or address can't be used, or the library isn't installed.
  init(
    on hosts: [String], port: Int,
    refuse: @escaping @Sendable (HTTPRequest) -> HTTPAnswer?,
    answer: @escaping @Sendable (HTTPRequest) async -> HTTPAnswer
  ) throws(ServerError) {
    let library = try HTTPLibrary()
    core = ServerCore(library, refuse, answer)
    var daemons: [Daemon] = []
    var found = port
    for (index, host) in hosts.enumerated() {
      do throws(ServerError) {
        let (daemon, port) = try core.start(on: host, port: found)
        daemons.append(Daemon(pointer: daemon))
        found = port
      } catch {
        if index == 0 { throw error }
      }
    }
    self.port = found
    self.daemons = Mutex(daemons)
  }

  // The functions that the library calls use what this keeps.
  deinit { stop() }

  /// Stops the server: requests that have no answer yet get none.
  func stop() {
    core.stop()
    daemons.withLock { daemons in
      for daemon in daemons { core.library.stop(daemon.pointer) }
      daemons = []
    }
  }
}

/// What the functions of a server that C calls need.
private final class ServerCore: Sendable {
  let library: HTTPLibrary
  let refuse: @Sendable (HTTPRequest) -> HTTPAnswer?
  private let answer: @Sendable (HTTPRequest) async -> HTTPAnswer

  private struct State {
    var isStopped = false
    /// The exchanges whose connections are suspended.
    var suspended: [ObjectIdentifier: Exchange] = [:]
    /// The streams that were answered and may be open.
    var streams: [ObjectIdentifier: EventStream] = [:]
  }

  private let state = Mutex(State())

  /// The maximum number of connections: each page has one that stays open, and some for its questions.
  private static let connectionLimit: UInt32 = 500
  /// The time in seconds after which a connection that sends nothing is closed.
  private static let idleTime: UInt32 = 30

  init(
    _ library: HTTPLibrary, _ refuse: @escaping @Sendable (HTTPRequest) -> HTTPAnswer?,
    _ answer: @escaping @Sendable (HTTPRequest) async -> HTTPAnswer
  ) {
    (self.library, self.refuse, self.answer) = (library, refuse, answer)
  }

  func start(on host: String, port: Int) throws(ServerError) -> (OpaquePointer, port: Int) {
    guard let address = SocketAddress(host, port: port) else {
      throw ServerError("bad_host", "\(host) isn't an IP address")
    }
    let context = Unmanaged.passUnretained(self).toOpaque()
    let daemon = address.withPointer { pointer in
      cmicrohttpd_start(
        library.start, pointer, address.isVersion6 ? 1 : 0, handleRequest, handleCompletion,
        context, Self.connectionLimit, Self.idleTime)
    }
    guard let daemon else {
      throw ServerError(
        errno == EADDRINUSE ? ServerError.portInUse : "no_port",
        "can't listen on \(host), port \(port): \(String(cString: strerror(errno))); --port names another"
      )
    }
    return (daemon, Int(cmicrohttpd_port(library.info, daemon)))
  }

  func stop() {
    let streams = state.withLock { state in
      state.isStopped = true
      for exchange in state.suspended.values { exchange.finish(.empty(503)) }
      state.suspended = [:]
      return Array(state.streams.values)
    }
    for stream in streams { stream.end() }
  }

  /// Asks for the answer to a request, and suspends its connection until then; called on the server's thread.
  ///
  /// - Returns: False if the server stops.
  func ask(_ request: HTTPRequest, for exchange: Exchange, _ connection: OpaquePointer) -> Bool {
    let isAsked = state.withLock { state in
      guard !state.isStopped else { return false }
      exchange.suspend(SuspendedConnection(connection, library))
      state.suspended[ObjectIdentifier(exchange)] = exchange
      return true
    }
    guard isAsked else { return false }
    Task {
      let answer = await answer(request)
      state.withLock { state in
        guard state.suspended.removeValue(forKey: ObjectIdentifier(exchange)) != nil else { return }
        if case .events(let stream) = answer.content {
          state.streams[ObjectIdentifier(stream)] = stream
        }
        exchange.finish(answer)
      }
    }
    return true
  }

  /// Sends an answer; called on the server's thread.
  func send(_ answer: HTTPAnswer, on connection: OpaquePointer) -> MHD_Result {
    let response: OpaquePointer? =
      switch answer.content {
      case .bytes(let bytes):
        bytes.withUnsafeBytes { buffer in
          library.responseFromBuffer(
            buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY
          )
        }
      case .events(let stream):
        library.response(of: stream, for: connection) { [self] in
          state.withLock { $0.streams[ObjectIdentifier(stream)] = nil }
        }
      }
    guard let response else { return .NO }
    defer { library.destroy(response) }
    for (name, value) in Self.headers + answer.headers {
      _ = library.addHeader(response, name, value)
    }
    return library.queue(connection, answer.status, response)
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
  /// The request without its body.
  let head: HTTPRequest

  private struct State {
    var body: [UInt8] = []
    var isTooLong = false
    var suspended: SuspendedConnection?
    var answer: HTTPAnswer?
  }

  private let state = Mutex(State())

  /// The maximum size in bytes of a request's body.
  private static let maximumSize = 1 << 20

  init(_ head: HTTPRequest) { self.head = head }

  func add(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      state.isTooLong = state.isTooLong || state.body.count + bytes.count > Self.maximumSize
      if !state.isTooLong { state.body += bytes }
    }
  }

  /// The body; nil for one that is too long.
  var body: [UInt8]? { state.withLock { $0.isTooLong ? nil : $0.body } }

  var answer: HTTPAnswer? { state.withLock(\.answer) }

  func suspend(_ connection: SuspendedConnection) {
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
  let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
  guard let exchangePointer = slot.pointee else {
    let head = HTTPRequest(String(cString: method), String(cString: url)) { kind, name in
      core.library.lookUp(connection, kind, name).map { String(cString: $0) }
    }
    // Strangers are told nothing, and what they send isn't kept.
    guard let head else { return core.send(.empty(403), on: connection) }
    if let answer = core.refuse(head) { return core.send(answer, on: connection) }
    slot.pointee = Unmanaged.passRetained(Exchange(head)).toOpaque()
    return .YES
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(exchangePointer).takeUnretainedValue()
  if size.pointee > 0, let data {
    exchange.add(UnsafeRawBufferPointer(start: data, count: size.pointee))
    size.pointee = 0
    return .YES
  }
  if let answer = exchange.answer { return core.send(answer, on: connection) }
  guard let body = exchange.body else { return core.send(.empty(413), on: connection) }
  var request = exchange.head
  request.body = body
  guard core.ask(request, for: exchange, connection) else {
    return core.send(.empty(503), on: connection)
  }
  return .YES
}

/// Releases what a request has kept.
private let handleCompletion: MHD_RequestCompletedCallback = { _, _, slot, _ in
  guard let slot, let exchange = slot.pointee else { return }
  Unmanaged<Exchange>.fromOpaque(exchange).release()
  slot.pointee = nil
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

/// An IP address and a port, as the system has them.
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
