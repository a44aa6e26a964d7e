import Testing
import TestSupport

/// Names of files, arguments and code whose bytes aren't UTF-8, as the shell gives them.
@Suite("Bytes that aren't UTF-8")
struct ByteNamesTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Runs the command with arguments that the shell sets.
  private func run(
    _ preparation: String, environment: [String: String?] = [:], input: [UInt8] = []
  ) async throws -> CommandOutput {
    var runner = CommandRunner(home: home)
    runner.preparation = preparation
    runner.environment = environment
    return try await runner.run(input: input)
  }

  @Test("are valid in code")
  func code() async throws {
    let result = try await run(#"set -- -e "$(printf 'print(#"\377", ("\303"):byte())')""#)
    #expect(result.output == "1\t195\n")
  }

  @Test("name a script, and are its arguments and its name in tracebacks")
  func script() async throws {
    let result = try await run(
      #"""
      f="$(printf 's\377.lua')"
      echo 'print(arg[0]:byte(2), (...):byte(), arg[1]:byte()) function f() error("x") end f()' > "$f"
      set -- "$f" "$(printf '\376')"
      """#)
    #expect(result.output == "255\t254\t254\n")
    #expect(result.error.contains("s\\xff.lua:1: x\n"))
    #expect(result.error.contains("\n  in function 'f' (s\\xff.lua:1)\n"))
  }

  @Test("name a state file, by the option and by the environment, and are shown in messages")
  func stateFile() async throws {
    for preparation in [
      #"set -- --state "$(printf 'bad\377')" -e 'counter.increment() print(counter.count)'"#,
      #"export PRIMEREPL_STATE="$(printf 'bad\377')"; set -- -e 'counter.increment() print(counter.count)'"#,
    ] {
      let result = try await run(preparation)
      #expect(result.error == "")
      #expect(result.output == (preparation.hasPrefix("set") ? "1\n" : "2\n"))
    }
    let list = try await run(
      #"LC_ALL=C ls -b > list; set -- -e "print(io.open('list'):read('a'))""#)
    #expect(list.output.contains("bad\\377\n"))
    let refused = try await run(
      #"f="$(printf 'text\377')"; echo text > "$f"; set -- --state "$f" -e 'print(1)'"#)
    #expect(refused.error.contains("text\\xff: not a state file"))
    #expect(refused.output == "")
  }

  @Test("name an unknown option, a missing script and a bad module")
  func messages() async throws {
    #expect(try await run(#"set -- "$(printf -- '--\377')""#).error.contains(#"'--\xff'"#))
    #expect(
      try await run(#"set -- "$(printf 'no\377.lua')""#).error
        == "primerepl: cannot read no\\xff.lua: No such file or directory\n")
    #expect(
      try await run(#"set -- -l "$(printf 'no\377')""#).error.contains(
        #"module 'no\xff' not found"#))
  }

  @Test("arrive unchanged from standard input, as a script and at the prompt")
  func input() async throws {
    let code = Array("print(#\"".utf8) + [0xFF, 0xC3] + Array("\")\n".utf8)
    #expect(try await run("set -- -", input: code).output == "2\n")
    let prompt = try await run(
      "set -- --ephemeral -i", input: code + Array("\"".utf8) + [0xFE] + Array("\"\n".utf8))
    #expect(prompt.output.contains("> 2\n"))
    // A value is shown with escapes.
    #expect(prompt.output.contains(#"> "\xfe""#))
  }
}
