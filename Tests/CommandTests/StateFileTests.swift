import Testing
import TestSupport

@Suite("A session in a state file")
struct StateFileTests {
  private let home: TemporaryFolder
  private let runner: CommandRunner

  init() throws {
    home = try TemporaryFolder()
    runner = CommandRunner(home: home)
  }

  private var file: String { home.path(of: "folder/session.sqlite") }

  /// Runs Lua text on the file, and returns what it prints.
  private func run(_ code: String) async throws -> String {
    let result = try await runner.run(["--state", file, "-e", code])
    #expect(result.error == "")
    #expect(result.status == .exited(0))
    return result.output
  }

  private static let finalizer =
    "kept = setmetatable({}, {__gc = function() todo.add('late') end})"

  @Test(
    "includes all actions of a script, however it ends",
    arguments: [
      ("todo.add('x') os.exit(0)", 0), ("todo.add('x') os.exit(true, true)", 0),
      ("todo.add('x') error('x')", 1), (finalizer, 0), (finalizer + " os.exit(0, true)", 0),
      (finalizer + " task.spawn(function() os.exit(0, true) end)", 0),
    ] as [(String, Int32)])
  func ends(code: String, status: Int32) async throws {
    #expect(try await runner.run(["--state", file, "-e", code]).status == .exited(status))
    #expect(try await run("print(#todo.items)") == "1\n")
  }

  @Test("includes the actions before a wait, even if the script is killed")
  func waiting() async throws {
    let command = try BuiltExecutable.path(of: "primerepl")
    let code = """
      counter.increment()
      repeat
        task.sleep(0.05)
        local reader = io.popen("'\(command)' --state '\(file)' -e 'print(counter.count)'")
        local isSaved = reader:read() == "1"
        reader:close()
      until isSaved
      os.execute("kill -9 $PPID")
      """
    #expect(try await runner.run(["--state", file, "-e", code]).status == .signaled(9))
    #expect(try await run("print(counter.count)") == "1\n")
  }

  @Test("is followed by a script that waits, which calls its subscribers")
  func following() async throws {
    // Each waits for the other: neither ends if it doesn't hear of it.
    async let first = run(
      """
      store.subscribe('counter.count', function(new) print('count', new) end)
      todo.add('ready')
      while counter.count < 3 do task.sleep(0.01) end
      """)
    async let second = run(
      """
      while #todo.items == 0 do task.sleep(0.01) end
      for i = 1, 3 do counter.increment() store.save() end
      """)
    let (output, other) = try await (first, second)
    #expect(output.hasSuffix("count\t3\n"))
    #expect(other == "")
  }

  @Test("makes os.exit fail if it can't be saved")
  func failingExit() async throws {
    _ = try home.write("a file, and no folder", to: "folder")
    for code in ["os.exit()", "os.exit(0)", "os.exit(true)", "os.exit(1)"] {
      let result = try await runner.run(["--state", file, "-e", "counter.increment() \(code)"])
      #expect(result.status == .exited(1), "\(code)")
      #expect(result.error.contains("changes since the last save are lost"))
    }
    let status = try await runner.run(["--state", file, "-e", "counter.increment() os.exit(7)"])
    #expect(status.status == .exited(7))
  }

  @Test("loses nothing when a script names its file as another one")
  func namedFile() async throws {
    _ = try await run("counter.count = 10")
    let other = "'\(try BuiltExecutable.path(of: "primerepl"))' --state '\(file)'"
    for code in [
      "store.export(FILE)", "store.import(FILE)", "todo.fetch(FILE)",
      "store.export(FILE .. '-journal')",
    ] {
      let script = """
        FILE = "\(file)"
        local other = [[\(other) -e 'counter.increment()']]
        print(pcall(function() \(code) end))
        os.execute(other)
        counter.increment()
        store.save()
        os.execute(other)
        """
      let result = try await runner.run(["--state", file, "-e", script])
      #expect(result.output.hasPrefix("false"), "\(code)")
    }
    #expect(try await run("print(counter.count)") == "22\n")
  }

  @Test("takes the state of a backup that is moved over it while it is in use, and says so")
  func movedBackup() async throws {
    _ = try await run("counter.count = 1")
    let code = """
      os.execute("cp FILE FILE.backup")
      for i = 1, 50 do todo.add(("x"):rep(100)) end
      store.save()
      os.execute("mv FILE.backup FILE")
      counter.count = 2
      """.replacing("FILE", with: file)
    let moved = try await runner.run(["--state", file, "-e", code])
    #expect(moved.status == .exited(0))
    #expect(moved.error.contains("session.sqlite: it was replaced by an earlier copy"))
    #expect(try await run("print(counter.count, #todo.items)") == "2\t0\n")
  }

  @Test(
    "in a shell",
    arguments: ShellCase.list(
      """
      # is named by PRIMEREPL_STATE, unless --ephemeral is given
      $ PRIMEREPL_STATE=f primerepl -e "counter.increment()"
      $ PRIMEREPL_STATE=f primerepl -e "print(counter.count)"
      1
      $ PRIMEREPL_STATE=f primerepl --ephemeral -e "print(counter.count)"
      0
      # isn't saved without an option: the app is in memory only
      $ primerepl -e "print(select(2, pcall(store.save)).code)"
      no_state_file
      $ primerepl --state f -e "print(select(2, pcall(store.new().store.save)).code)"
      no_state_file
      # isn't called :memory:, which people know from SQLite
      $ primerepl --state :memory: -e "x = 1"
      primerepl: :memory: names no file; --ephemeral opens a prompt that saves nothing
      [1]
      """))
  func shell(example: ShellCase) async throws { try await runner.check(example) }

  #if os(Linux)
    @Test("needs SQLite, which other sessions don't load")
    func missingLibrary() async throws {
      var runner = runner
      // The loader takes the first file with the name of a library, and refuses an empty one.
      runner.preparation = """
        mkdir -p libraries && touch libraries/libsqlite3.so.0 libraries/libsqlite3.so && \
        export LD_LIBRARY_PATH="$PWD/libraries:$LD_LIBRARY_PATH"
        """
      #expect(try await runner.run(["-e", "print(1)"]).output == "1\n")
      let result = try await runner.run(["--state", file, "-e", "print(1)"])
      #expect(
        result.error.contains(
          "session.sqlite: can't be read: the library SQLite can't be loaded ("))
      #expect(result.error.contains("apt install libsqlite3-0"))
      #expect(result.output == "")
      #expect(home.files("folder") == [])
    }
  #endif
}
