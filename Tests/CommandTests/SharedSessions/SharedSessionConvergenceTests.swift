import Foundation
import Subprocess
import Testing
import TestSupport

/// Two processes reach the server by its Unix socket, and two by TCP.
///
/// Each does 1,000 actions.
@Suite(
  "Four processes on a shared session, at two addresses of the server",
  .enabled(if: DatabaseServer.isInstalled, "\(DatabaseServer.missingReason)"), .serialized)
struct SharedSessionConvergenceTests {
  private static let names = ["a", "b", "c", "d"]

  private let session: SharedSessionFixture
  private let addresses: [String]
  private let folder: TemporaryFolder

  init() async throws {
    let server = try await DatabaseServer(usesTCP: true)
    session = try await SharedSessionFixture(on: server)
    addresses = [session.address, session.address(port: try #require(server.port))]
    folder = try TemporaryFolder()
  }

  @Test(
    "have the same state after edits, undo and resets, also with a long history",
    .timeLimit(.minutes(5)))
  func mixed() async throws {
    // Some of these are forgotten while the four act.
    let result = try await CommandRunner().run([
      "--state", session.address, "-e", "for i = 1, 9900 do counter.increment(i) end",
    ])
    try #require(result.status == .exited(0), "\(result.error)")
    try await expectConvergence { name in
      """
      math.randomseed(\(name.utf8.first ?? 0))
      local random = math.random
      local function item()
        if #todo.items == 0 then todo.add('first') end
        return todo.items[random(#todo.items)]
      end
      local function add(i) todo.add('\(name)-' .. i) end
      local function increment() counter.increment(random(9)) end
      local kinds = {
        add, add, add, increment, increment, increment,
        function() item().text = '\(name)' .. random(100) end,
        function() item().done = random(2) == 1 end,
        function() todo.remove(item().id) end,
        function() favorites.toggle(random(20)) end,
        function() persons.add { name = 'x', age = random(90) } end,
        function() store.undo(random(3)) end,
        function() store.redo() end,
        function() store.jump(store.position - random(10)) end,
      }
      for i = 1, 1000 do
        local act = random(200) == 1 and store.reset or kinds[random(#kinds)]
        local isDone, problem = pcall(act, i)
        -- What others did may make it impossible, which is an error with a code.
        if not (isDone or problem.code) then error(problem) end
        if i % 50 == 0 then store.save() elseif i % 10 == 0 then task.sleep(0) end
      end
      """
    }
    #expect(try await session.query("SELECT min(number) > 1 FROM history") == [["t"]])
  }

  /// Runs code in four processes, and expects that they end with the state of the journal and the tables.
  private func expectConvergence(_ code: (String) -> String) async throws {
    let gate = try Gate()
    let processes = Self.names.enumerated().map { index, name in
      SessionProcess(
        on: addresses[index / 2],
        """
        \(code(name))
        store.save()
        print('saved')
        io.flush()
        \(gate.wait)
        -- The last entry of each process: who has all four has everything.
        persons.add { name = 'done', age = 1 }
        store.save()
        local function count()
          local count = 0
          for _, person in ipairs(persons) do
            if person.name == 'done' then count = count + 1 end
          end
          return count
        end
        while count() < 4 do task.sleep(0.01) end
        store.export('\(folder.path(of: name)).json')
        """)
    }
    try await withThrowingTaskGroup { group in
      for process in processes {
        group.addTask {
          let status = try await process.run()
          #expect(status == .exited(0), "\(process.messages.joined(separator: "\n"))")
        }
      }
      // A process that fails doesn't save.
      try await wait(for: "the saves") { processes.allSatisfy { $0.lines.last == "saved" } }
      try gate.open()
      try await group.waitForAll()
    }
    let reopened = try await session.exportedState()
    for name in Self.names { #expect(try folder.read("\(name).json") == reopened, "\(name)") }
    try await session.expectTables(reopened)
  }
}
