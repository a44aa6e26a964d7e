import Foundation
import Lua
import PrimereplPage
import PrimereplPlatform
import Scenarios
import Scripting
import StateStore
import TestSupport
import Testing

/// An app in a file of Lua, whose page is served on a free port.
@MainActor
final class PageFixture: PageHost {
  nonisolated static let shop = """
    feature "shop" {
      help = "A shop.",
      state = {
        people = list { name = "" },
        items = list {
          name = editable "", price = editable(decimal { places = 2, min = 0 }),
          owner = editable(reference { "people", on_remove = "clear" }), pin = secret,
        },
        stock = map("string", "integer"), open = field { editable(false), help = "Whether it is open." },
        level = editable(integer { min = 1, max = 5 }), note = editable "",
        place = editable(record { street = "", number = 0 }),
      },
      derived = { total = sum("items", function(item) return item.price end) },
      actions = {
        hire = action { "name: string", function(state, name) return state.people:append { name = name } end },
        add = action {
          "name: string", "price: decimal(2) = 1", "[owner: reference(people)]", "[pin: secret]", help = "Adds an item.",
          function(state, name, price, owner, pin)
            if name == "" then fail("no_name", "An item has a name.") end
            state.stock[name] = 1
            return state.items:append { name = name, price = price, owner = owner, pin = pin }
          end,
        },
        fill = action { "n: integer", function(state, n)
          for i = 1, n do state.items:append { name = "item " .. i, price = n - i } end
        end },
      },
      page = {
        order = { "items", "note" }, hide = { "level", "fill" }, main = "add", columns = { items = { "name", "owner", "price" } },
      },
      requests = {
        appraise = request {
          "[n: integer]", ask = function(shop, n) task.sleep(60) return n or 0 end,
          done = function(state, n) state.note = "worth " .. n end,
        },
      },
      functions = {
        say = function(shop, text) print(text) return #text end,
        tag = func { "item: reference(items)", "name: string", help = "Names an item.", function(shop, item, name)
          item.name = name
        end },
      },
    }
    """

  let title = "shop"
  let app: ScriptedApp
  let state: LuaState
  let declaredNames = ["shop"]
  private let folder: TemporaryFolder
  private let declared: DeclaredApp
  private let interrupter: LuaInterrupter
  var appVersion = 1
  var commands = CommandLog()
  private(set) var reloadCount = 0
  private(set) var saveCount = 0
  private(set) var output = ""

  init(_ source: String = PageFixture.shop, now: (() -> Date)? = nil) throws {
    folder = try TemporaryFolder()
    declared = try DeclaredApp(files: [try folder.write(source, to: "shop.lua")])
    let schema = try StoreSchema(features: [], declared: declared.features, derived: [])
    try declared.connect(to: schema)
    state = try LuaState()
    interrupter = try state.interrupter()
    app = try ScriptedApp(in: state, store: Store(schema, now: now), modules: declared.modules)
  }

  func reload() { reloadCount += 1 }

  func save() { saveCount += 1 }

  nonisolated func interrupt() { interrupter.interrupt() }

  func write(output: LuaString) { self.output += output.description }

  func scenario(named name: String, of actions: ClosedRange<Int>) async throws -> String {
    try await app.scenario(named: name, actions: actions.lowerBound..<actions.upperBound + 1).text
  }

  func run(_ code: String) throws { try state.load(code).call() }
}

/// A server of a fixture's page, which stops with its last reference, and a client that may ask it.
@MainActor
final class ServedPage {
  let server: PageServer
  let port: Int
  let token: String

  init(_ fixture: PageFixture, isReadOnly: Bool = false) throws {
    server = try PageServer(of: fixture, port: 0, isReadOnly: isReadOnly)
    let address = try #require(URLComponents(string: server.address))
    port = try #require(address.port)
    token = try #require(address.queryItems?.first?.value)
  }

  isolated deinit { server.stop() }

  /// Comes in as a browser does, and returns the cookie that it gets.
  func enter() async throws -> String {
    let answer = try await send("GET", "/?token=\(token)", [("Host", "127.0.0.1:\(port)")])
    return String(try #require(answer.head.firstMatch(of: /Set-Cookie: (page-\d+=\w+);/)).output.1)
  }

  var origin: String { "http://127.0.0.1:\(port)" }

  /// The headers of the page's own requests.
  var headers: [(String, String)] {
    get async throws {
      [
        ("Host", "127.0.0.1:\(port)"), ("Cookie", try await enter()), ("Origin", origin),
        ("X-Token", token), ("Content-Type", "application/json"),
      ]
    }
  }

  /// Asks a question as the page does.
  func ask(_ name: String, _ question: String = "{}") async throws -> StateValue {
    let answer = try await send("POST", "/api/\(name)", try await headers, question)
    return try StateValue(json: answer.body)
  }

  /// Sends a request, and returns the answer to it.
  func send(
    _ method: String, _ path: String, _ headers: [(String, String)], _ body: String = ""
  ) async throws -> RawAnswer {
    try await RawConnection(port: port).answer(to: request(method, path, headers, body))
  }

  /// The text of a request.
  func request(
    _ method: String, _ path: String, _ headers: [(String, String)], _ body: String
  ) -> String {
    var text = "\(method) \(path) HTTP/1.1\r\nConnection: close\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    return text + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }
}

/// An answer as it came.
struct RawAnswer {
  let status: Int
  let head: String
  let body: String

  init(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    head = String(parts[0])
    body = parts.count > 1 ? String(parts[1]) : ""
    status = try #require(head.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  }
}

/// A connection to a port of this machine, by a plain socket.
final class RawConnection: Sendable {
  private let socket: Int32

  init(port: Int) throws {
    #if canImport(Glibc)
      socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(status == 0)
    // No test waits without end.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  /// Sends a text, and returns everything until the server closes the connection.
  func answer(to text: String) async throws -> RawAnswer {
    let bytes = await onThread { [self] in
      send(text)
      var bytes: [UInt8] = []
      while let more = receive() { bytes += more }
      return bytes
    }
    return try RawAnswer(bytes)
  }

  /// Runs what waits for the system on a thread of its own: those of tasks are as many as the machine has cores.
  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result
  {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }

  func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      // The server may answer, and close the connection, before it has read all.
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits for bytes; nil at the end.
  func receive() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }

  /// Whether something has come that wasn't received yet.
  var hasBytes: Bool {
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
  }

  /// Waits until the server closes the connection; false if it doesn't.
  func isClosed() async -> Bool {
    await onThread { [self] in
      var byte: UInt8 = 0
      var count = 1
      while count > 0 { count = recv(socket, &byte, 1, 0) }
      return count == 0 || errno == ECONNRESET
    }
  }

  /// Waits until what came contains a text; returns all of it.
  func receive(until text: String) async -> String {
    let bytes = await onThread { [self] in
      var bytes: [UInt8] = []
      while !String(decoding: bytes, as: UTF8.self).contains(text), let more = receive() {
        bytes += more
      }
      return bytes
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
