import Testing

@Suite("The command line")
struct OptionTests {
  @Test(
    "shows its version, and Lua's", arguments: [["--version"], ["-e", "print(1)", "--version"]])
  func version(arguments: [String]) async throws {
    let result = try await CommandRunner().run(arguments)
    #expect(result.output.wholeMatch(of: /primerepl \d+\.\d+\.\d+ \(Lua 5\.4\.\d+\)\n/) != nil)
    #expect(result.status == .exited(0))
  }

  @Test(
    "-v anywhere prints the version before the code and the script run",
    arguments: [
      ["-v", "-e", "print(1)", "-"], ["-e", "print(1)", "-v", "-"], ["-ve", "print(1)", "-"],
    ])
  func versionFirst(arguments: [String]) async throws {
    let result = try await CommandRunner().run(arguments, input: "print(2)")
    #expect(
      result.output.wholeMatch(of: /primerepl \d+\.\d+\.\d+ \(Lua 5\.4\.\d+\)\n1\n2\n/) != nil)
    #expect(result.status == .exited(0))
  }

  @Test("-v alone ends without reading standard input")
  func versionOnly() async throws {
    let result = try await CommandRunner().run(["-v"], input: "print(2)")
    #expect(result.output.wholeMatch(of: /primerepl \d+\.\d+\.\d+ \(Lua 5\.4\.\d+\)\n/) != nil)
    #expect(result.status == .exited(0))
  }

  @Test("-v after the script is the script's own argument")
  func versionForScript() async throws {
    let result = try await CommandRunner().run(["-", "-v"], input: "print(...)")
    #expect(result.output == "-v\n")
  }

  @Test("shows its usage", arguments: ["--help", "-h"])
  func help(option: String) async throws {
    let result = try await CommandRunner().run([option])
    for word in [
      "USAGE: primerepl", "-e <code>", "-l <module>", "-i ", "-v ", "--allow-network",
      "--app <file>", "--bare", "new ", "PRIMEREPL_APP", "WOLFRAM_APP_ID",
    ] {
      #expect(result.output.contains(word))
    }
    #expect(!result.output.contains("prime-helper") && !result.output.contains("scenario-worker"))
    #expect(result.status == .exited(0))
  }

  @Test("refuses unknown options with status 64", arguments: ["-x", "--wrong", "-E"])
  func unknownOption(option: String) async throws {
    let result = try await CommandRunner().run([option])
    #expect(result.output == "")
    #expect(result.error == "primerepl: Unknown option '\(option)'\n")
    #expect(result.status == .exited(64))
  }

  @Test(
    "names the nearest option of the command on one line",
    arguments: [
      (["--sandbx"], "--sandbox"), (["--ephemral", "-e", ""], "--ephemeral"),
      (["test", "--jbos", "2"], "--jobs"), (["docs", "--fromat", "luals"], "--format"),
      (["--ap", "shop.lua"], "--app"), (["docs", "--bear"], "--bare"),
    ])
  func nearestOption(arguments: [String], option: String) async throws {
    let result = try await CommandRunner().run(arguments)
    let unknown = try #require(arguments.first { $0.hasPrefix("--") })
    #expect(result.error == "primerepl: Unknown option '\(unknown)'. Did you mean '\(option)'?\n")
    #expect(result.status == .exited(64))
  }

  @Test(
    "shows only the beginning of what is too long",
    arguments: [
      [""], ["--"], ["-x"], ["--max-time="], ["test", ""], ["docs", ""], ["docs", "x", ""],
    ])
  func longNames(arguments: [String]) async throws {
    let long = (arguments.last ?? "") + String(repeating: "a", count: 50_000)
    let result = try await CommandRunner().run(arguments.dropLast() + [long])
    let message = result.error + result.output
    #expect(message.contains("aaaa…") && message.utf8.count < 500)
    #expect(result.status != .exited(0))
  }

  @Test("shows a subcommand's usage, and the command's for an unknown one")
  func subcommandHelp() async throws {
    let help = try await CommandRunner().run(["help", "test"])
    #expect(help.output.contains("USAGE: primerepl test [<options>]"))
    let unknown = try await CommandRunner().run(["help", "nothing"])
    #expect(unknown.output == (try await CommandRunner().run(["--help"])).output)
  }

  @Test("refuses an option without its value with status 64", arguments: ["-e", "-l"])
  func missingValue(option: String) async throws {
    let result = try await CommandRunner().run([option])
    #expect(result.error.contains("Missing value for '\(option)"))
    #expect(result.status == .exited(64))
  }

  @Test("accepts the code and the module directly after -e and -l")
  func joined() async throws {
    let result = try await CommandRunner().run(["-lstring", "-eprint(string.rep('x', 2))"])
    #expect(result.output == "xx\n")
  }

  @Test("-l loads a module into the variable before an equals sign, as with the lua command")
  func namedModule() async throws {
    let result = try await CommandRunner().run([
      "-l", "str=string", "-lm=math", "-ex=1", "-e", "print(str == string, m == math, x, ...)",
    ])
    #expect(result.output == "true\ttrue\t1\n")
    #expect(result.error == "")
    let failure = try await CommandRunner().run(["-l", "a=b=c"])
    #expect(failure.error.contains("module 'b=c' not found"))
    #expect(failure.status == .exited(1))
  }

  @Test("takes the argument after -- as the script")
  func terminator() async throws {
    let result = try await CommandRunner().run(["--", "-", "-x"], input: "print(arg[0], ...)")
    #expect(result.output == "-\t-x\n")
  }

  @Test("reports an invalid Wolfram|Alpha address when it is used, not before")
  func malformedAddress() async throws {
    let runner = CommandRunner(environment: ["PRIMEREPL_WOLFRAM_URL": "http://u:SECRET@:x"])
    let result = try await runner.run([
      "-e", "print(1)", "-e", "print(select(2, pcall(wolfram.query, 'x')).code)",
      "-e", "wolfram.nth_prime(3)",
    ])
    #expect(result.output == "1\ninvalid_base_url\n")
    #expect(result.error.hasPrefix("primerepl: "))
    #expect(result.error.contains("PRIMEREPL_WOLFRAM_URL"))
    #expect(!result.error.contains("SECRET"))
    #expect(result.status == .exited(1))
  }
}
