import Foundation
import Testing
import TestSupport

@Suite(
  "A session on a server",
  .enabled(if: DatabaseServer.isInstalled, "\(DatabaseServer.missingReason)"))
struct SharedSessionTests {
  private let server: DatabaseServer
  private let database: String
  private let runner = CommandRunner()

  init() async throws {
    server = try await DatabaseServer.shared()
    database = try await server.newDatabase()
  }

  private func address(_ session: String? = nil, user: String = DatabaseServer.superuser) -> String
  {
    server.address(database: database, session: session, user: user)
  }

  /// Runs code on a session.
  private func run(
    _ code: String, session: String? = nil, user: String = DatabaseServer.superuser
  ) async throws -> CommandOutput {
    try await runner.run(["--state", address(session, user: user), "-e", code])
  }

  // MARK: - Identifiers

  @Test("leaves out no id if processes add records one after the other")
  func identifiers() async throws {
    for _ in 1...3 { _ = try await run("todo.add('x') todo.add('y')") }
    #expect(
      try await run("for _, item in ipairs(todo.items) do io.write(item.id, ' ') end").output
        == "6 5 4 3 2 1 ")
  }

  @Test("gives the records of one script the ids from 1 on, also on a slow server")
  func consecutiveIdentifiers() async throws {
    let proxy = try server.proxy()
    proxy.delay = .milliseconds(100)
    let code = "for i = 1, 50 do todo.add('x') end print(todo.items[1].id, todo.items[50].id)"
    for address in [address("near"), proxy.address(database: database, session: "far")] {
      #expect(try await runner.run(["--state", address, "-e", code]).output == "50\t1\n")
    }
  }

  // MARK: - Addresses and roles

  @Test("can be named by the variable, and is named after the program by default")
  func variable() async throws {
    var runner = runner
    runner.environment["PRIMEREPL_STATE"] = address()
    _ = try await runner.run(["-e", "counter.increment(4)"])
    #expect(try await run("print(counter.count)", session: "primerepl").output == "4\n")
  }

  @Test("of an app in Lua is named after its file")
  func appSession() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      "feature \"cart\" { state = { total = 0 }, actions = { add = function(s, n) s.total = s.total + n end } }",
      to: "shop.lua")
    let arguments = ["--app", folder.path(of: "shop.lua"), "--state", address(), "-e"]
    let output = try await runner.run(arguments + ["cart.add(3) store.save() print(cart.total)"])
    #expect(output.output == "3\n" && output.error == "")
    #expect(
      try await server.query("SELECT session, total FROM cart", database: database)
        == [["shop", "3"]])
  }

  @Test("isn't shown to code with the password of its address")
  func passwords() async throws {
    let address = address().replacing("tests@", with: "tests:geheim@")
    let output = try await runner.run([
      "--state", address, "-e", "for i = 0, #arg do print(arg[i]) end error('failed')",
    ])
    #expect(output.output.contains("postgresql://tests@"))
    #expect(!(output.output + output.error).contains("geheim"))
  }

  @Test("of a role that may only read says so, and can't be saved")
  func readOnly() async throws {
    _ = try await run("counter.increment(5)")
    let role = "reader_\(database)"
    try await server.query(
      "CREATE ROLE \(role) LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(role)",
      database: database)
    let writing = try await run(
      "counter.increment() print(counter.count, select(2, pcall(store.save)).code)", user: role)
    #expect(writing.error.contains("read-only: this role may not write"))
    #expect(writing.output == "6\tstate_unwritable\n" && writing.status == .exited(1))
    #expect(writing.error.contains("changes since the last save are lost"))
  }

  @Test("needs a program that knows such servers")
  func unknownServers() async throws {
    let output = try await CommandRunner(program: "notes").run([
      "--state", address(), "-e", "x = 1",
    ])
    #expect(
      output.error == "notes: notes doesn't support addresses that begin with postgresql://\n")
    #expect(output.status == .exited(1))
  }

  #if os(Linux)
    @Test("is the only reason to load PostgreSQL's library")
    func library() async throws {
      let code = "print(io.open('/proc/self/maps'):read('a'):find('libpq', 1, true) ~= nil)"
      #expect(try await runner.run(["-e", code]).output == "false\n")
      #expect(try await run(code).output == "true\n")
    }
  #endif

  @Test("waits in store.save() for half a minute at most")
  func boundedSave() async throws {
    let proxy = try server.proxy()
    let gate = try Gate()
    let process = SessionProcess(
      on: proxy.address(database: database),
      """
      print('open') io.flush() \(gate.wait)
      counter.increment(5) print(select(2, pcall(store.save)).message) io.flush()
      """)
    async let status = process.run()
    try await wait(for: "the session") { process.lines == ["open"] }
    proxy.isFrozen = true
    try gate.open()
    try await wait(for: "a refusal") { process.lines.count == 2 }
    #expect(process.lines[1].contains("couldn't be saved in 30 s"))
    proxy.isFrozen = false
    #expect(try await status == .exited(0))
    #expect(try await run("print(counter.count)").output == "5\n")
  }

  @Test("of an earlier version of an app is migrated once by processes that open it together")
  func migration() async throws {
    let folder = try TemporaryFolder()
    func run(_ code: String) async throws -> CommandOutput {
      try await runner.run(
        ["--app", folder.path(of: "shop.lua"), "--state", address(), "-e", code])
    }
    _ = try folder.write(
      "feature \"cart\" { state = { total = 0 }, actions = { add = function(s, n) s.total = s.total + n end } }",
      to: "shop.lua")
    _ = try await run("cart.add(3)")
    _ = try folder.write(
      """
      feature "cart" {
        version = 2, migrate = function(state, from) state.sum = state.total end,
        state = { sum = 0, total = 0 }, actions = { plus = function(s, n) s.sum = s.sum + n end },
      }
      """, to: "shop.lua")
    try await withThrowingTaskGroup { group in
      for _ in 1...4 {
        group.addTask {
          let output = try await run("print(cart.sum)")
          #expect(output.output == "3\n" && output.status == .exited(0), "\(output.error)")
        }
      }
      try await group.waitForAll()
    }
    let migrations = "SELECT number, text FROM history WHERE text LIKE '-- migrates%'"
    #expect(try await server.query(migrations, database: database) == [["2", "-- migrates cart"]])
  }

  // MARK: - Copies and lists

  @Test("can be copied to a file and back, with its history and the ids of removed records")
  func copies() async throws {
    _ = try await run(
      "todo.add('a') todo.add('b') todo.remove(2) counter.increment() store.undo()", session: "one")
    let folder = try TemporaryFolder()
    let file = folder.path(of: "copy.sqlite")
    let copied = try await runner.run(["--state", address("one"), "--copy-to", file])
    #expect(
      copied.error == "primerepl: copied a history of 4 actions\n" && copied.status == .exited(0))
    let back = try await runner.run(["--state", file, "--copy-to", address("two")])
    #expect(back.status == .exited(0))
    let code = """
      print(#todo.items, store.position, #store.history(), store.redo(), counter.count)
      todo.add('c')
      print(todo.items[1].id > 2)
      """
    for place in [file, address("two")] {
      #expect(
        try await runner.run(["--state", place, "-e", code]).output == "1\t3\t4\t4\t1\ntrue\n")
    }
    #expect(
      try await server.query("SELECT text FROM todos WHERE session = 'two'", database: database)
        == [["c"], ["a"]])
    let again = try await runner.run(["--state", file, "--copy-to", address("two")])
    #expect(again.error.contains("already has a session") && again.status == .exited(1))
    let missing = try await runner.run([
      "--state", folder.path(of: "none.sqlite"), "--copy-to", address("three"),
    ])
    #expect(missing.error.contains("there is no session to copy") && missing.status == .exited(1))
  }

  @Test("isn't the target of a copy while somebody has it open")
  func copyToOpenSession() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path(of: "copy.sqlite")
    _ = try await runner.run(["--state", file, "-e", "counter.increment(5)"])
    let copy = ["--state", file, "--copy-to", address("open")]
    let gate = try Gate()
    let user = SessionProcess(
      on: address("open"), "print(1) io.flush() repeat until \(gate.isOpen)")
    async let status = user.run()
    try await wait(for: "the session") { !user.lines.isEmpty }
    let refused = try await runner.run(copy)
    #expect(refused.error.contains("session=open: somebody has this session open"))
    #expect(refused.status == .exited(1))
    try gate.open()
    #expect(try await status == .exited(0))
    try await waitForUsers()
    #expect(try await runner.run(copy).status == .exited(0))
    #expect(try await run("print(counter.count)", session: "open").output == "5\n")
  }

  /// Waits until the server has noticed that nobody has a session open any more.
  private func waitForUsers() async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    let users = """
      SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
      WHERE locktype = 'advisory' AND datname = current_database()
      """
    while try await !server.query(users, database: database).isEmpty {
      try #require(ContinuousClock.now < deadline)
    }
  }

  @Test("is listed, renamed, copied and deleted by the command sessions")
  func sessions() async throws {
    func sessions(_ arguments: String...) async throws -> CommandOutput {
      try await runner.run(["sessions", address()] + arguments)
    }
    #expect(try await sessions().output == "There are no sessions.\n")
    _ = try await run("counter.increment() todo.add('milk')", session: "shop")
    _ = try await sessions("--copy", "shop", "copy")
    _ = try await sessions("--rename", "shop", "store")
    let lines = try await sessions().output.split(separator: "\n")
    #expect(lines.map { $0.prefix { $0 != " " } } == ["NAME", "copy", "store"])
    #expect(lines[2].contains("@") && lines[2].hasSuffix("-"))
    let copied = try await runner.run([
      "--state", address("missing"), "--copy-to", "/nowhere/copy.sqlite",
    ])
    #expect(copied.error.hasSuffix("missing: there is no session to copy\n"))
    #expect(try await sessions().output.split(separator: "\n").count == 3)
    #expect(try await run("print(todo.items[1].text)", session: "store").output == "milk\n")
    #expect(try await sessions("--delete", "store").status == .exited(0))
    let refused = try await sessions("--delete", "store")
    #expect(
      refused.error.hasSuffix(": there is no session 'store'\n") && refused.status == .exited(1))
    #expect(try await sessions("--rename", "one").status == .exited(64))
    #expect(try await runner.run(["sessions", "file.sqlite"]).status == .exited(64))
  }
}
