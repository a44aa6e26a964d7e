import FlyingSocks
import Foundation
import Synchronization

/// A TCP proxy on 127.0.0.1 in front of a server, with the faults of a bad network.
///
/// Faults can be changed at any time, and apply to everything sent after the change. The proxy and its connections end with
/// its last reference.
package final class FaultyProxy: Sendable {
  /// The port of 127.0.0.1 for clients.
  package let port: UInt16

  private let switchboard: Switchboard

  /// Starts a proxy in front of the server at the path of a Unix socket.
  fileprivate init(to path: String) throws {
    let listener = try Socket(domain: AF_INET)
    try listener.bind(to: sockaddr_in.inet(ip4: "127.0.0.1", port: 0))
    try listener.setFlags(.nonBlocking)
    try listener.listen()
    guard case .ip4(_, let port) = try listener.sockname() else {
      throw SocketError.unsupportedAddress
    }
    self.port = port
    let switchboard = try Switchboard()
    self.switchboard = switchboard
    Thread.detachNewThread {
      var traffic = Traffic(listener, to: path, switchboard)
      traffic.run()
    }
  }

  deinit { switchboard.change { $0.hasEnded = true } }

  // MARK: - Faults

  /// The time by which data is held up in each direction; order and throughput stay.
  package var delay: Duration {
    get { switchboard.read { $0.delay } }
    set { switchboard.change { $0.delay = newValue } }
  }

  /// Whether nothing passes in either direction.
  ///
  /// Connections stay open, and new ones wait.
  package var isFrozen: Bool {
    get { switchboard.read { $0.isFrozen } }
    set { switchboard.change { $0.isFrozen = newValue } }
  }

  /// Whether the server's data is discarded, while clients' data still reaches the server.
  package var swallowsAnswers: Bool {
    get { switchboard.read { $0.swallowsAnswers } }
    set { switchboard.change { $0.swallowsAnswers = newValue } }
  }

  /// Whether new connections are reset at once.
  package var refusesConnections: Bool {
    get { switchboard.read { $0.refusesConnections } }
    set { switchboard.change { $0.refusesConnections = newValue } }
  }

  /// Resets all present connections.
  ///
  /// Data that hasn't been passed on is lost.
  package func cut() {
    switchboard.change { $0.isCutDue = true }
  }

  /// The number of the server's bytes that were discarded so far.
  package var swallowedBytes: Int { switchboard.read { $0.swallowedBytes } }

  /// An address of the server through this proxy; the parameters are those of `DatabaseServer.address`.
  package func address(
    database: String, session: String? = nil, user: String = DatabaseServer.superuser
  ) -> String {
    DatabaseServer.address(port: port, database: database, session: session, user: user)
  }
}

extension DatabaseServer {
  /// Starts a proxy in front of the server.
  package func proxy() throws -> FaultyProxy { try FaultyProxy(to: socketPath) }
}

/// The faults, and the count of discarded bytes, which a proxy shares with its thread.
private final class Switchboard: Sendable {
  struct State: Sendable {
    var delay = Duration.zero
    var isFrozen = false
    var swallowsAnswers = false
    var refusesConnections = false
    var isCutDue = false
    var hasEnded = false
    var swallowedBytes = 0
  }

  private let state = Mutex(State())

  /// A pipe by which changes wake the thread.
  let alarm: (reader: Int32, writer: Int32)

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SocketError.makeFailed("pipe") }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    alarm = (ends[0], ends[1])
  }

  deinit {
    close(alarm.reader)
    close(alarm.writer)
  }

  func read<Value: Sendable>(_ body: (State) -> Value) -> Value {
    state.withLock { body($0) }
  }

  func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    // If the pipe is full, the thread is about to wake anyway.
    _ = write(alarm.writer, [UInt8(0)], 1)
  }

  /// Moves data.
  ///
  /// Changes wait until it has ended, so they apply to everything sent after them.
  func move(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
  }
}

/// The proxy's thread: it alone uses the sockets, none of which blocks.
private struct Traffic {
  let listener: Socket
  let serverPath: String
  let switchboard: Switchboard
  private var connections: [Connection] = []

  init(_ listener: Socket, to serverPath: String, _ switchboard: Switchboard) {
    (self.listener, self.serverPath, self.switchboard) = (listener, serverPath, switchboard)
  }

  mutating func run() {
    var events: [pollfd] = []
    var timeout: Int32 = -1
    var hasEnded = false
    while true {
      switchboard.move { state in
        if state.isCutDue || state.hasEnded {
          for connection in connections { connection.reset() }
          connections = []
          state.isCutDue = false
        }
        hasEnded = state.hasEnded
        events = [pollfd(fd: switchboard.alarm.reader, events: Int16(POLLIN), revents: 0)]
        timeout = -1
        if !hasEnded, !state.isFrozen {
          accept(&state)
          let now = ContinuousClock.now
          for index in connections.indices { connections[index].pass(&state, now) }
          connections.removeAll(where: \.hasEnded)
          events.append(pollfd(fd: listener.file.rawValue, events: Int16(POLLIN), revents: 0))
          events += connections.flatMap { $0.events(state, now) }
          let waits = connections.compactMap { $0.wait(state, now) }
          if let wait = waits.min() {
            timeout = Int32(clamping: Int((wait / .milliseconds(1)).rounded(.up)))
          }
        }
      }
      if hasEnded { break }
      poll(&events, nfds_t(events.count), timeout)
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(switchboard.alarm.reader, &bytes, bytes.count) > 0 {}
    }
    try? listener.close()
  }

  private mutating func accept(_ state: inout Switchboard.State) {
    while let client = try? Socket(file: listener.accept().file) {
      guard !state.refusesConnections, let server = try? connect() else {
        client.reset()
        continue
      }
      try? client.setFlags(.nonBlocking)
      try? client.setValue(true, for: .noDelay)
      connections.append(Connection(client: client, server: server))
    }
  }

  /// Connects to the server, which is on this machine and so accepts or refuses at once.
  private func connect() throws -> Socket {
    let server = try Socket(domain: AF_UNIX)
    do {
      try server.connect(to: sockaddr_un.unix(path: serverPath))
      try server.setFlags(.nonBlocking)
    } catch {
      try? server.close()
      throw error
    }
    return server
  }
}

/// A client, its connection to the server, and the data on the way between them.
private struct Connection {
  private let client: Socket
  private let server: Socket
  private var requests: Lane
  private var answers: Lane

  /// Whether its sockets are closed.
  private(set) var hasEnded = false

  init(client: Socket, server: Socket) {
    self.client = client
    self.server = server
    requests = Lane(source: client, target: server)
    answers = Lane(source: server, target: client)
    #if canImport(Darwin)
      for socket in [client, server] { try? socket.setValue(true, for: .noSIGPIPE) }
    #endif
  }

  /// Passes on what can be passed on now.
  mutating func pass(_ state: inout Switchboard.State, _ now: ContinuousClock.Instant) {
    requests.receive(at: now)
    requests.send(upTo: now - state.delay)
    state.swallowedBytes += answers.receive(at: now, discards: state.swallowsAnswers)
    answers.send(upTo: now - state.delay)
    if requests.hasEnded, answers.hasEnded {
      try? client.close()
      try? server.close()
      hasEnded = true
    }
  }

  /// Closes both sides abruptly.
  func reset() {
    client.reset()
    server.reset()
  }

  /// The events of the sockets to wait for.
  func events(_ state: Switchboard.State, _ now: ContinuousClock.Instant) -> [pollfd] {
    [(client, requests, answers), (server, answers, requests)].compactMap { socket, from, to in
      let isDue = to.dueDate(state.delay).map { $0 <= now } ?? false
      let events = (from.isOpen ? POLLIN : 0) | (isDue ? POLLOUT : 0)
      // A socket that nothing is awaited from would report its end again and again.
      return events == 0
        ? nil : pollfd(fd: socket.file.rawValue, events: Int16(events), revents: 0)
    }
  }

  /// The time until data that is held up is due; nil if there is none.
  func wait(_ state: Switchboard.State, _ now: ContinuousClock.Instant) -> Duration? {
    [requests, answers].compactMap { $0.dueDate(state.delay) }.filter { $0 > now }.min()
      .map { $0 - now }
  }
}

/// The data on the way in one direction.
private struct Lane {
  let source: Socket
  let target: Socket

  /// Data in the order of its arrival; no bytes stand for the end.
  ///
  /// Its size isn't limited, as a delay mustn't limit throughput.
  private var chunks: [(arrival: ContinuousClock.Instant, bytes: ArraySlice<UInt8>)] = []

  /// Whether the source may send more.
  private(set) var isOpen = true

  /// Whether the source's end was passed on, or the target has gone.
  private(set) var hasEnded = false

  init(source: Socket, target: Socket) {
    self.source = source
    self.target = target
  }

  /// When the first data is to be passed on.
  func dueDate(_ delay: Duration) -> ContinuousClock.Instant? {
    chunks.first.map { $0.arrival + delay }
  }

  /// Reads data.
  ///
  /// - Parameters:
  ///   - now: The time of its arrival.
  ///   - discards: Whether it is discarded; its end isn't.
  /// - Returns: The number of discarded bytes.
  @discardableResult
  mutating func receive(at now: ContinuousClock.Instant, discards: Bool = false) -> Int {
    guard isOpen else { return 0 }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(source.file.rawValue, &bytes, bytes.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return 0 }
    if discards, count > 0 { return count }
    // A source that has gone is passed on as an end.
    isOpen = count > 0
    chunks.append((now, bytes.prefix(max(count, 0))))
    return 0
  }

  /// Passes data on, as far as the target takes it now.
  ///
  /// - Parameter latest: The latest arrival of data to be passed on.
  mutating func send(upTo latest: ContinuousClock.Instant) {
    while let chunk = chunks.first, chunk.arrival <= latest {
      if chunk.bytes.isEmpty {
        shutdown(target.file.rawValue, Int32(SHUT_WR))
        hasEnded = true
        chunks.removeFirst()
        continue
      }
      #if os(Linux)
        let flags = Int32(MSG_NOSIGNAL)
      #else
        let flags: Int32 = 0
      #endif
      let count = chunk.bytes.withUnsafeBytes {
        Foundation.send(target.file.rawValue, $0.baseAddress, $0.count, flags)
      }
      guard count >= 0 else {
        if errno != EAGAIN, errno != EINTR {
          // The target has gone. What it sent before is still passed on, in the other direction.
          (isOpen, hasEnded, chunks) = (false, true, [])
        }
        break
      }
      if count == chunk.bytes.count {
        chunks.removeFirst()
      } else {
        chunks[0].bytes = chunk.bytes.dropFirst(count)
      }
    }
  }
}

extension Socket {
  /// Closes a connection abruptly, without sending what is left: the other side gets a reset instead of an end.
  fileprivate func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      file.rawValue, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    try? close()
  }
}

extension SocketOption where Self == BoolSocketOption {
  /// Sends small pieces of data at once.
  fileprivate static var noDelay: Self {
    BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
  }
}
