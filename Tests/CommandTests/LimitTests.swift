import Foundation
import Testing
import TestSupport

@Suite("The command's limits")
struct LimitTests {
  @Test(
    "--max-time stops what runs or waits longer, even in pcall and finalizers, with status 1",
    arguments: [
      "while true do pcall(function() while true do end end) end",
      "while true do pcall(task.sleep, 3600) end", "task.spawn(task.sleep, 3600)",
      endlessFinalizer, endlessFinalizer + " os.exit(0, true)",
      endlessFinalizer + " os.exit(true, true)",
    ])
  func time(code: String) async throws {
    let result = try await CommandRunner().run(["--max-time", "0.1", "-e", code])
    #expect(
      result.error.hasPrefix("primerepl: stopped: it exceeded its limit of 0.1 seconds"))
    #expect(result.status == .exited(1))
  }

  private static let endlessFinalizer =
    "kept = setmetatable({}, {__gc = function() while true do end end})"

  @Test("--max-time stops subscribers that endlessly change what they observe, and says so once")
  func timeOfSubscribers() async throws {
    let result = try await CommandRunner().run([
      "--max-time", "0.3", "-e",
      """
      store.subscribe("counter.count", function() counter.increment() counter.increment() end)
      counter.increment()
      """,
    ])
    #expect(
      result.error.hasPrefix("primerepl: stopped: it exceeded its limit of 0.3 seconds"))
    #expect(result.error.components(separatedBy: "primerepl: ").count == 2)
    #expect(result.status == .exited(1))
  }

  @Test(
    "--max-time and --max-memory hold for opening a session, also for copying it",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")),
    arguments: [["-e", "print(counter.count)"], ["--copy-to", "copy.sqlite"]])
  func opening(arguments: [String]) async throws {
    let folder = try TemporaryFolder()
    let runner = CommandRunner(workingDirectory: folder.path)
    let state = ["--state", "session.sqlite"]
    _ = try await runner.run(state + ["-e", "counter.increment()"])
    func addTodos(_ count: Int, length: Int) async throws {
      var runner = runner
      runner.program = "/usr/bin/sqlite3"
      let result = try await runner.run([
        "session.sqlite",
        """
        WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT \(count))
        INSERT INTO records SELECT 'todo.items', n, n,
          '{"id":' || n || ',"text":"' || hex(zeroblob(\(length / 2))) || '","done":false}'
        FROM numbers WHERE true
        ON CONFLICT DO NOTHING;
        UPDATE lists SET count = (SELECT count(*) FROM records WHERE list = path)
        """,
      ])
      #expect(result.error == "")
    }
    try await addTodos(100, length: 1_000_000)
    let large = try await runner.run(state + ["--max-memory", "64M"] + arguments)
    #expect(
      large.error == "primerepl: not enough memory to open the session: it exceeded the limit\n")
    #expect(large.status == .exited(1))
    try await addTodos(1_000_000, length: 0)
    let long = try await runner.run(state + ["--max-time", "0.5"] + arguments)
    #expect(
      long.error == "primerepl: stopped: opening the session exceeded its limit of 0.5 seconds\n")
    #expect(long.status == .exited(1))
  }

  @Test(
    "of thousands of tasks that fail or are stopped, ten are reported and the others counted",
    arguments: [
      ("error, 'x'", "60", "x"),
      ("task.sleep, 3600", "1", "stopped: it exceeded its limit of 1.0 seconds"),
    ])
  func manyTasks(call: String, limit: String, message: String) async throws {
    let result = try await CommandRunner().run([
      "--max-time", limit, "-e", "for i = 1, 200 do task.spawn(\(call)) end",
    ])
    let lines = result.error.split(separator: "\n").filter { $0.hasPrefix("primerepl: ") }
    #expect(
      lines.map { String($0.dropFirst("primerepl: ".count)) }
        == Array(repeating: message, count: 10) + ["190 more tasks failed"])
    #expect(result.status == .exited(1))
  }

  @Test(
    "of thousands of failing calls of subscribers, ten are reported and the others counted",
    arguments: [
      "for i = 1, 2000 do store.on_action(error) end counter.increment()",
      "store.on_action(error) for i = 1, 2000 do counter.increment() end",
    ])
  func manySubscribers(code: String) async throws {
    let result = try await CommandRunner().run(["-e", code])
    let lines = result.error.split(separator: "\n").filter { $0.hasPrefix("primerepl: ") }
    #expect(lines.count == 11)
    #expect(lines.last == "primerepl: 1,990 more subscriber calls failed")
    #expect(result.status == .exited(1))
  }

  @Test(
    "--max-time ends code that writes to a pipe which nobody reads, and saves the session",
    arguments: [
      (1, "while true do print(('x'):rep(1e5)) end"),
      (1, "while true do pcall(io.write, ('x'):rep(1e5)) end"),
      (1, "io.write(('x'):rep(65536)) while true do end"),
      (2, "warn('@on') while true do pcall(warn, ('x'):rep(1e5)) end"),
      (2, "while true do io.stderr:write(('x'):rep(1e5)) end"),
      (2, "io.stderr:write(('x'):rep(65536)) task.sleep(3600)"),
      (2, "io.stderr:write(('x'):rep(65536)) error('failed')"),
      (2, "io.stderr:write(('x'):rep(65536)) for i = 1, 100 do task.spawn(error, 'failed') end"),
      (2, "io.stderr:write(('x'):rep(65536)) store.on_action(error) counter.increment()"),
    ])
  func timeOfUnreadOutput(descriptor: Int, code: String) async throws {
    let home = try TemporaryFolder()
    let runner = CommandRunner(home: home, preparation: Self.unreadPipe(at: descriptor))
    let state = home.path + "/session.sqlite"
    let result = try await runner.run([
      "--state", state, "--max-time", "0.5", "-e", "todo.add('kept') " + code,
    ])
    #expect(result.status == .exited(1))
    let next = try await CommandRunner(home: home).run([
      "--state", state, "-e", "print(#todo.items)",
    ])
    #expect(next.output == "1\n")
  }

  @Test(
    "Ctrl-C ends code that writes to a pipe which nobody reads, with status 130",
    arguments: [
      (1, "while true do print(('x'):rep(1e5)) end"),
      (1, "io.write(('x'):rep(65536)) print('x') while true do end"),
      (2, "while true do io.stderr:write(('x'):rep(1e5)) end"),
      (2, "io.stderr:write(('x'):rep(65536)) error('failed')"),
    ])
  func interruptOfUnreadOutput(descriptor: Int, code: String) async throws {
    let runner = CommandRunner(preparation: Self.unreadPipe(at: descriptor))
    // The shell's parent is the command, which is at its output when the signal comes, or about to be.
    let interrupt = "os.execute('(sleep 0.3; kill -INT $PPID) &') "
    #expect(try await runner.run(["-e", interrupt + code]).status == .exited(130))
  }

  /// Shell commands that put a pipe without another reader in place of a standard stream.
  private static func unreadPipe(at descriptor: Int) -> String {
    "mkfifo unread && exec \(descriptor)<>unread"
  }

  @Test(
    "a script that has opened as many files as it can still waits, fetches and saves, or says why not",
    arguments: [
      "task.sleep(0.01)", "todo.fetch()", "pcall(todo.fetch, 'http://127.0.0.1:1/')",
      "pcall(todo.fetch, 'missing.json')", "pcall(landmarks.load)", "prime.nth(10 ^ 9)",
      "pcall(task.timeout, 0.01, function() task.sleep(9) end)", "pcall(require, 'missing')",
      "pcall(http.get, 'http://127.0.0.1:1/')", "store.export('out.json')",
      "pcall(io.lines, 'missing')", "io.popen('true')",
    ])
  func openFiles(call: String) async throws {
    let runner = CommandRunner(preparation: "ulimit -n 24")
    let fill = """
      local files, problem = {}
      repeat files[#files + 1], problem = io.open('/dev/null') until problem
      print(problem)
      """
    let script = fill + " todo.add('x') \(call) print('done')"
    let result = try await runner.run([
      "--max-time", "60", "--state", "session.sqlite", "-e", script,
    ])
    #expect(result.output == "/dev/null: Too many open files\ndone\n")
    #expect(result.error == "")
    #expect(result.status == .exited(0))
  }

  @Test(
    "a file that can't be opened needs a name even if no more can be open",
    arguments: ["io.open", "io.popen"])
  func nameWithoutRoom(function: String) async throws {
    let script = """
      local files = {}
      repeat files[#files + 1] = io.open('/dev/null') until not io.open('/dev/null')
      print(pcall(\(function)))
      """
    let result = try await CommandRunner(preparation: "ulimit -n 24").run(["-e", script])
    #expect(
      result.output == "false\tbad argument #1 to '\(function)' (string expected, got no value)\n")
  }

  @Test("a limit of open files that is too low is an error", arguments: [4, 5, 8, 12, 15])
  func lowFileLimit(limit: Int) async throws {
    let result = try await CommandRunner(preparation: "ulimit -n \(limit)").run(["-e", "print(1)"])
    #expect(
      result.error
        == "primerepl: at most \(limit) files can be open: raise the limit (ulimit -n)\n")
    #expect(result.status == .exited(1))
  }

  @Test(
    "--max-time ends the command in a function that can't be stopped, and the session is saved",
    arguments: [
      unstoppable, "setmetatable({}, {__gc = function() \(unstoppable) end})",
    ])
  func timeOfUnstoppable(code: String) async throws {
    let folder = try TemporaryFolder()
    let state = folder.path + "/session.sqlite"
    let result = try await CommandRunner().run([
      "--state", state, "--max-time", "1", "-e",
      "todo.add('kept') print('printed') ; \(code)",
    ])
    #expect(result.output == "printed\n")
    #expect(
      result.error
        == "primerepl: stopped: it exceeded its limit in a function that can't be stopped, so "
        + "primerepl ends; the session is saved\n")
    #expect(result.status == .exited(1))
    let next = try await CommandRunner().run(["--state", state, "-e", "print(#todo.items)"])
    #expect(next.output == "1\n")
  }

  private static let unstoppable = "('a'):rep(40):find(('a*'):rep(40) .. 'b')"

  @Test(
    "--max-time stops thousands of tasks and observers at once",
    arguments: [
      "for i = 1, 20000 do task.spawn(task.sleep, 1000) end",
      "for i = 1, 5000 do task.spawn(function() while true do pcall(task.sleep, 1000) end end) end",
      """
      local t = {}
      for i = 1, 2e5 do t[i] = {} end
      local function nest() pcall(nest) while true do end end
      nest()
      """,
      """
      for i = 1, 20000 do store.subscribe("counter.count", function() while true do end end) end
      counter.increment()
      """,
      """
      for i = 1, 20000 do store.subscribe("counter.count", function() counter.increment() end) end
      counter.increment()
      """,
      """
      local loops = {}
      for i = 1, 20000 do loops[i] = function() while true do end end end
      pcall(task.all, loops)
      """,
    ])
  func timeOfMany(code: String) async throws {
    // The time limit kills a run of minutes, as these took.
    let result = try await CommandRunner().run(["--max-time", "0.5", "-e", code])
    #expect(result.error.contains("stopped: it exceeded its limit of 0.5 seconds"))
    #expect(result.status == .exited(1))
  }

  @Test(
    "--max-memory makes code that needs more fail with status 1",
    arguments: ["4M", "4096K", "4194304"])
  func memory(size: String) async throws {
    let result = try await CommandRunner().run([
      "--max-memory", size, "-e", "local t = {} for i = 1, 1e7 do t[i] = {} end",
    ])
    #expect(result.error.hasPrefix("primerepl: not enough memory"))
    #expect(result.status == .exited(1))
  }

  #if os(Linux)
    /// A function of Lua that returns a number of `/proc/self/status`.
    private static let kibibytes = """
      local function kibibytes(name)
        for line in io.lines("/proc/self/status") do
          if line:find(name) then return tonumber(line:match("%d+")) end
        end
      end
      """

    @Test(
      "--max-memory includes the app's memory for a script, and freed memory can be used again",
      arguments: [
        "for i = 1, 1e4 do todo.query = text .. i end",
        "for i = 1, 1e5 do todo.add(text:sub(1, 5000) .. i) end",
        "for i = 1, 1e5 do persons.add { name = text:sub(1, 5000) .. i, age = 1 } end",
        "for i = 1, 1e6 do kept[i] = store.subscribe('counter.count', print) end",
        "for i = 1, 1e6 do kept[i] = task.spawn(task.sleep, 1000) end",
        "local all = {} for i = 1, 1e6 do all[i] = task.sleep end task.all(all)",
        "for i = 1, 1e6 do kept[i] = store.new() end",
        "for i = 1, 1e6 do kept[i] = store.new() kept[i].counter.increment() end",
        #"json.decode("[" .. ('{"a":1},'):rep(1e6) .. "1]")"#,
        "for i = 1, 4e5 do kept[i] = {i} end json.encode(kept)",
        "for i = 1, 4e5 do kept[i] = {i} end inspect(kept)",
      ])
    func keptMemory(code: String) async throws {
      let script = """
        text, kept = ("x"):rep(1e6), {}
        \(Self.kibibytes)
        local before = kibibytes("VmRSS")
        local ok, message = pcall(function() \(code) end)
        -- The rest needs a little memory, too.
        text = nil
        print(ok, message, kibibytes("VmHWM") - before < 1.5 * 64 * 1024)
        store.history_limit = 0
        store.reset()
        os.exit()
        """
      let result = try await CommandRunner().run(["--max-memory", "64M", "-"], input: script)
      #expect(result.output == "false\tnot enough memory\ttrue\n", "\(result.error)")
    }

    @Test(
      "a call that exceeds --max-memory by much, as a table of the app grew, leaves room to continue",
      arguments: [66_720_000, 66_780_000, 66_960_000, 67_140_000, 67_200_000, 67_740_000])
    func exceedingCall(limit: Int) async throws {
      let script = """
        local kept = {}
        print(pcall(function() for i = 1, 1e6 do kept[i] = store.subscribe('counter.count', print) end end))
        print(pcall(string.rep, "x", 1000) and #store.history())
        os.exit()
        """
      let result = try await CommandRunner().run(["--max-memory", "\(limit)", "-"], input: script)
      #expect(result.output == "false\tnot enough memory\n0\n", "\(result.error)")
    }

    @Test(
      "--max-memory includes what is read from documents",
      arguments: [
        ("todo.fetch", #"'"x",'"#, 2_400_000), ("todo.fetch", "'[],'", 3_000_000),
        ("persons.fetch", #"'{"name":"x","age":1},'"#, 450_000),
        ("store.import", "'[[],[]],'", 1_000_000),
      ])
    func documents(function: String, part: String, count: Int) async throws {
      let folder = try TemporaryFolder()
      let script = """
        local path = "\(folder.path(of: "a.json"))"
        local file <close> = assert(io.open(path, "w"))
        file:write("[", (\(part)):rep(\(count)), "1]")
        file:close()
        \(Self.kibibytes)
        collectgarbage()
        local before = kibibytes("VmHWM")
        local _, failure = pcall(\(function), path)
        print(failure.code, kibibytes("VmHWM") - before < 1.5 * 64 * 1024)
        """
      let result = try await CommandRunner().run(["--max-memory", "64M", "-"], input: script)
      #expect(result.output == "out_of_memory\ttrue\n", "\(result.error)")
    }

    @Test("garbage is collected before --max-memory refuses memory")
    func garbage() async throws {
      let result = try await CommandRunner().run([
        "--max-memory", "32M", "-e", "for i = 1, 2000 do store.new() end print('done')",
      ])
      #expect(result.output == "done\n")
    }
  #endif

  @Test(
    "--max-memory is there for other code once an error was caught or memory was released",
    arguments: [
      (
        "4M", "print(pcall(string.rep, 'x', 1e8)) print(counter.increment())",
        "false\tnot enough memory\n1\n"
      ),
      (
        "32M",
        """
        local text = ("x"):rep(1e6)
        print(pcall(function() for i = 1, 1e4 do todo.query = text .. i end end))
        store.history_limit = 0
        todo.query = ""
        for i = 1, 200 do todo.query = "x" .. i end
        local t = {} for i = 1, 1e5 do t[i] = i end
        print(#t)
        """, "false\tnot enough memory\n100000\n"
      ),
      (
        "32M",
        "store.history_limit = 0 for i = 1, 99 do todo.query = ('x'):rep(1e6) .. i end print(1)",
        "1\n"
      ),
    ])
  func freeMemory(size: String, code: String, output: String) async throws {
    let result = try await CommandRunner().run(["--max-memory", size, "-e", code])
    #expect(result.output == output)
    #expect(result.status == .exited(0))
  }

  @Test(
    "a script that catches every error of --max-memory and continues is stopped",
    arguments: [
      "local text = ('x'):rep(60000) while true do pcall(todo.add, text) end",
      "local t = {} for i = 1, 1e7 do t[i] = select(2, pcall(favorites.add, 4)) end",
    ])
  func ignoredMemory(code: String) async throws {
    let result = try await CommandRunner().run(["--max-memory", "32M", "-e", code])
    #expect(
      result.error.hasPrefix("primerepl: stopped: it exceeded its limit of memory")
        || result.error.hasPrefix("primerepl: not enough memory"))
    #expect(result.status == .exited(1))
  }

  @Test("an error whose text isn't valid is reported in linear time")
  func invalidError() async throws {
    // The time limit kills a run of minutes, as this took.
    let result = try await CommandRunner().run(["-e", "error(('\\xff'):rep(500000), 0)"])
    #expect(result.error.hasPrefix("primerepl: \\xff\\xff"))
  }
}
