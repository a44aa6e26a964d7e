import Foundation
import Subprocess
import TerminalSupport
import Testing
import TestSupport

@Suite(
  "A prompt on a session of a server",
  .enabled(if: DatabaseServer.isInstalled, "\(DatabaseServer.missingReason)"))
struct SharedPromptTests {
  private let server: DatabaseServer
  private let database: String
  private let proxy: FaultyProxy
  private let runner = CommandRunner()

  init() async throws {
    server = try await DatabaseServer.shared()
    database = try await server.newDatabase()
    proxy = try server.proxy()
  }

  private var address: String { server.address(database: database) }

  /// The address of the proxy, behind which the network has faults.
  private var distantAddress: String { proxy.address(database: database) }

  private func prompt<Result>(
    _ address: String, _ body: (PseudoTerminal) async throws -> Result
  ) async throws -> Result {
    let home = try TemporaryFolder()
    return try await PseudoTerminal.run(
      ["--state", address, "-q"], home: home, columns: 100, rows: 40
    ) { terminal in
      try await terminal.expect("> ")
      return try await body(terminal)
    }
  }

  /// The output of code on the session, by a good connection.
  private func read(_ code: String) async throws -> String {
    try await runner.run(["--state", address, "-e", code]).output
  }

  /// Waits until the code prints a text.
  private func expect(_ code: String, _ expected: String) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while try await read(code) != expected {
      try #require(ContinuousClock.now < end, "\(code) should print \(expected)")
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  // MARK: - Others

  @Test("shows what others do, and who it was, also in .history")
  func others() async throws {
    try await prompt(address) { terminal in
      try await terminal.send("1 +", showing: "1 +")
      let author = try await read("counter.increment(5) print(store.history()[1].author)")
        .trimmingCharacters(in: .newlines)
      try await terminal.expectRow("\(author)  #1 counter.increment(5)  counter.count 0 → 5")
      try await terminal.expectRow("> 1 +")
      try await terminal.send(" 1\n", showing: "\n2\n> ")
      try await terminal.send(".history\n")
      try await terminal.expect("  \(author)  counter.increment(5)  counter.count 0 → 5")
    }
  }

  @Test("keeps its state, history and ids when an app's files are reloaded")
  func reload() async throws {
    let folder = try TemporaryFolder()
    func write(factor: Int) throws {
      _ = try folder.write(
        """
        feature "cart" {
          state = { total = 0, items = list { name = "" } },
          actions = { add = function(state, n)
            state.total = state.total + \(factor) * n
            state.items:append {}
          end },
        }
        """, to: "shop.lua")
    }
    try write(factor: 1)
    let options = ["--app", folder.path(of: "shop.lua"), "--state", address]
    try await PseudoTerminal.prompt(options + ["-q"], columns: 100) { terminal in
      try await terminal.send("cart.add(3)\n", showing: "total 0 → 3")
      try write(factor: 10)
      try await terminal.send(".reload\ncart.add(1)\n", showing: "total 3 → 13")
      #expect(try await terminal.expectExit(after: KeyCode.control("d")) == .exited(0))
    }
    let code = "print(cart.total, cart.items[1].id, cart.items[2].id, #store.history())"
    #expect(try await runner.run(options + ["-e", code]).output == "13\t1\t2\t2\n")
  }

  // MARK: - A bad network

  @Test("goes on with a network that is silent, also adding records")
  func silentNetwork() async throws {
    try await prompt(distantAddress) { terminal in
      try await terminal.enter("counter.increment()", "#1  counter.count 0 → 1")
      try await expect("print(counter.count)", "1\n")
      proxy.isFrozen = true
      for number in 2...9 {
        try await terminal.enter(
          "counter.increment()", "#\(number)  counter.count \(number - 1) → \(number)")
      }
      try await terminal.enter("for i = 1, 20 do todo.add('x' .. i) end")
      try await terminal.enter("#todo.items", "20")
      proxy.isFrozen = false
      try await expect("print(counter.count, #todo.items)", "9\t20\n")
    }
  }

  @Test("waits in store.save(), says so, and Ctrl-C ends the wait")
  func waitingForSave() async throws {
    try await prompt(distantAddress) { terminal in
      try await expect("print(1)", "1\n")
      proxy.isFrozen = true
      try await terminal.enter("counter.increment()", "#1  counter.count 0 → 1")
      try await terminal.send("store.save()\n", showing: "waiting for postgresql://")
      try await terminal.expect("Ctrl-C ends the wait")
      try await terminal.send(KeyCode.control("c"), showing: "interrupted")
      try await terminal.enter("counter.count", "1")
      proxy.isFrozen = false
      try await terminal.enter("store.save()")
      #expect(try await read("print(counter.count)") == "1\n")
    }
  }

  @Test("tells once that the connection is lost, goes on, and saves everything when it is back")
  func lostConnection() async throws {
    try await prompt(distantAddress) { terminal in
      try await terminal.enter(
        "todo.add('before');", #"#1  todo.items +"before" · todo.last_query nil → "before""#)
      try await expect("print(#todo.items)", "1\n")
      proxy.refusesConnections = true
      proxy.cut()
      try await terminal.expect("the session continues in memory")
      try await terminal.enter(
        "todo.add('own');", #"#2  todo.items +"own" · todo.last_query "before" → "own""#)
      _ = try await read("todo.add('other') counter.increment(3)")
      proxy.refusesConnections = false
      try await terminal.expect("connected again")
      try await terminal.expect("counter.count 0 → 3")
      try await expect("print(#todo.items, todo.items[1].text)", "3\town\n")
      try await terminal.enter("#todo.items", "3")
      #expect(terminal.transcript.components(separatedBy: "continues in memory").count == 2)
    }
  }

  @Test("adds records without a connection whose ids nobody else has")
  func identifiersWithoutConnection() async throws {
    let other = try server.proxy()
    try await prompt(distantAddress) { first in
      try await prompt(other.address(database: database)) { second in
        for terminal in [first, second] {
          try await terminal.enter("counter.increment();")
        }
        try await expect("print(counter.count)", "2\n")
        for proxy in [proxy, other] {
          proxy.refusesConnections = true
          proxy.cut()
        }
        for terminal in [first, second] {
          try await terminal.expect("the session continues in memory")
          try await terminal.enter("for i = 1, 50 do todo.add('x') end")
        }
        for proxy in [proxy, other] { proxy.refusesConnections = false }
        try await expect("print(#todo.items)", "100\n")
        for terminal in [first, second] {
          try await terminal.expect("connected again")
          #expect(!terminal.transcript.contains("no longer possible"))
        }
      }
    }
  }

  @Test("lists what can't be applied any more after the actions of others")
  func rejections() async throws {
    try await prompt(distantAddress) { terminal in
      try await terminal.enter(
        "todo.add('milk');", #"#1  todo.items +"milk" · todo.last_query nil → "milk""#)
      try await expect("print(#todo.items)", "1\n")
      proxy.refusesConnections = true
      proxy.cut()
      try await terminal.expect("the session continues in memory")
      try await terminal.send("todo.complete(todo.items[1].id);\n", showing: "done false → true")
      _ = try await read("todo.remove(todo.items[1].id)")
      proxy.refusesConnections = false
      try await terminal.expect("no longer possible: todo.complete(")
      try await terminal.enter("#todo.items", "0")
    }
  }

  @Test("that is left while the server is away waits until it is saved, or until Ctrl-C")
  func leaving() async throws {
    func leave(_ finish: (PseudoTerminal) async throws -> Void) async throws -> TerminationStatus {
      try await prompt(distantAddress) { terminal in
        try await terminal.enter("counter.count")
        proxy.refusesConnections = true
        proxy.cut()
        try await terminal.expect("the session continues in memory")
        try await terminal.enter("counter.increment();")
        try await terminal.send(KeyCode.control("d"), showing: "Ctrl-C ends the wait")
        try await finish(terminal)
        return try await terminal.expectExit()
      }
    }
    #expect(try await leave { _ in proxy.refusesConnections = false } == .exited(0))
    #expect(try await read("print(counter.count)") == "1\n")
    let status = try await leave { terminal in
      try await terminal.send(KeyCode.control("c"), showing: "changes since the last save are lost")
    }
    #expect(status == .exited(1))
    proxy.refusesConnections = false
    #expect(try await read("print(counter.count)") == "1\n")
  }
}
