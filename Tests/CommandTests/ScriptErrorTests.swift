import Testing
import TestSupport

@Suite("Errors at the end of scripts")
struct ScriptErrorTests {
  private func failure(ofCode code: String, _ options: [String] = []) async throws -> String {
    let result = try await CommandRunner().run(options + ["-e", code])
    #expect(result.status == .exited(1))
    return result.error
  }

  @Test(
    "in a shell",
    arguments: ShellCase.list(
      """
      # name what was probably meant, and mark it in its line
      $ printf 'local x = 1\\nconter.increment(x)\\n' > s.lua; primerepl s.lua
      primerepl: s.lua:2: attempt to index a nil value (global 'conter'); did you mean 'counter'?
        conter.increment(x)
        ^^^^^^
      [1]
      $ primerepl -e "print(counter.cuont)"
      primerepl: (command line):1: counter has no field 'cuont'; did you mean 'count'?
        print(counter.cuont)
                      ^^^^^
      [1]
      # name a local variable that was meant
      $ printf 'local config = {}\\nprint(confg.x)' > s.lua; primerepl s.lua
      …(global 'confg'); did you mean 'config'?
      …
      [1]
      # show the calls of the script's own functions only
      $ cat > s.lua <<'END'; primerepl s.lua
      > local function add(n)
      >   favorites.add(n)
      > end
      > function both() pcall(add, 8); add(8) end
      > both()
      > END
      primerepl: s.lua:2: 8 is not prime  [not_prime]
          favorites.add(n)
                    ^^^
        in function 'add' (s.lua:2)
        in function 'both' (s.lua:4)
        in the main chunk (s.lua:5)
      [1]
      # show the line of an error without a place
      $ printf "local x\\nerror('no place', 0)" > s.lua; primerepl s.lua
      primerepl: no place
        error('no place', 0)
        ^^^^^
        in the main chunk (s.lua:2)
      [1]
      # mark a syntax error, and say what Lua writes instead of another language's operator
      $ printf '#!/usr/bin/env primerepl\\nlocal x = 1\\nx += 1\\n' > s.lua; primerepl s.lua
      primerepl: s.lua:3: Lua has no +=: write x = x + y
        x += 1
          ^
      [1]
      # that are caught are Lua's own
      $ primerepl --sandbox -e "print(select(2, pcall(function() return io.open end)))"
      (command line):1: attempt to index a nil value (global 'io')
      """))
  func shell(example: ShellCase) async throws { try await CommandRunner().check(example) }

  @Test(
    "say how to print an expression that is run as a statement",
    arguments: [
      ("counter.count", "counter.count"), ("1 + 1;", "1 + 1"),
      ("{\n}", "..."), (String(repeating: "x + ", count: 20) + "x", "..."),
    ])
  func expression(code: String, argument: String) async throws {
    #expect(
      try await failure(ofCode: code) == """
        primerepl: (command line):1: an expression isn't a statement; print(\(argument)) shows its value

        """)
  }

  @Test(
    "say what the sandbox leaves out",
    arguments: [
      ("io.open('x')", "io"), ("print(debug.traceback())", "debug"), ("dofile('x')", "dofile"),
      ("os.execute('x')", "os.execute"), ("local f = string.dump(print)", "string.dump"),
    ])
  func sandbox(code: String, name: String) async throws {
    let message = try await failure(ofCode: code, ["--sandbox"])
    #expect(
      message.hasPrefix("primerepl: (command line):1: \(name) isn't available in the sandbox\n"))
  }

  @Test(
    "show no line with a password", arguments: ["signup.pasword = 'PW'", "x.y = 'http://u:PW@h/'"])
  func password(code: String) async throws {
    let line = code + " -- password"
    #expect(try await !failure(ofCode: line).contains("PW"))
  }

  @Test("in the sandbox show no line of a file that only the chunk's name names")
  func unreadFile() async throws {
    let message = try await failure(
      ofCode: "load('error(1)', '@/etc/passwd')()", ["--sandbox"])
    #expect(!message.contains("root"))
  }
}
