import Testing

@Suite("The command line")
struct OptionTests {
  @Test(
    "shows its version, and Lua's, before the code and the script run",
    arguments: [
      (["--version"], ""), (["-e", "print(1)", "--version"], ""), (["-v"], ""),
      (["-v", "-e", "print(1)", "-"], "1\n2\n"), (["-e", "print(1)", "-v", "-"], "1\n2\n"),
      (["-ve", "print(1)", "-"], "1\n2\n"),
    ] as [([String], String)])
  func version(arguments: [String], output: String) async throws {
    let result = try await CommandRunner().run(arguments, input: "print(2)")
    let version = try #require(
      result.output.prefixMatch(of: /primerepl \d+\.\d+\.\d+ \(Lua 5\.4\.\d+\)\n/))
    #expect(result.output[version.range.upperBound...] == output)
    #expect(result.status == .exited(0))
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

  private static func unknown(_ option: String, nearest: String) -> String {
    "Unknown option '\(option)'. Did you mean '\(nearest)'?"
  }

  private static func wrongSize(_ size: String) -> String {
    "The value '\(size)' is invalid for '--max-memory <size>': write a size as 500K, 64M or 1G"
  }

  /// Arguments, and the messages that refuse them.
  private static let refusals: [([String], String)] = [
    (["-x"], "Unknown option '-x'"), (["--wrong"], "Unknown option '--wrong'"),
    (["-E"], "Unknown option '-E'"), (["--sandbx"], unknown("--sandbx", nearest: "--sandbox")),
    (["--ephemral", "-e", ""], unknown("--ephemral", nearest: "--ephemeral")),
    (["--ap", "shop.lua"], unknown("--ap", nearest: "--app")),
    (["test", "--jbos", "2"], unknown("--jbos", nearest: "--jobs")),
    (["docs", "--fromat", "luals"], unknown("--fromat", nearest: "--format")),
    (["docs", "--bear"], unknown("--bear", nearest: "--bare")),
    (["-e"], "Missing value for '-e'"), (["-l"], "Missing value for '-l'"),
    (["--state", "f", "--ephemeral", "-e", "x = 1"], "--state and --ephemeral exclude each other"),
    (["--state", "", "-e", "x = 1"], "--state needs a file name or an address"),
    (["--allow-network", "-e", "print(1)"], "--allow-network needs --sandbox"),
    (["--max-time=-1"], "--max-time needs a number of seconds above 0, not -1.0"),
    (["--max-time=nan"], "--max-time needs a number of seconds above 0, not nan"),
    (["--max-time=soon"], "The value 'soon' is invalid for '--max-time <seconds>'"),
    (["--max-memory=0"], wrongSize("0")), (["--max-memory=-4M"], wrongSize("-4M")),
    (["--max-memory=4T"], wrongSize("4T")), (["--max-memory=M"], wrongSize("M")),
    (["--max-memory=99999999999G"], wrongSize("99999999999G")),
    (["test", "--jobs", "0"], "--jobs needs 1 or more, not 0"),
    (["test", "--retries=-1"], "--retries needs 0 or more, not -1"),
    (
      ["test", "--timeout", "1e300"],
      "--timeout needs a number of seconds above 0 and below 1000000, not 1e+300"
    ),
    (
      ["test", "--min-coverage", "101"],
      "--min-coverage needs a percentage from 0 to 100, not 101.0"
    ),
    (
      ["test", "--min-coverage", "nan"], "--min-coverage needs a percentage from 0 to 100, not nan"
    ),
    (["test", "--repeat", "0"], "--repeat needs 1 or more, not 0"),
    (["test", "--watch", "--list"], "--watch runs scenarios, and --list doesn't"),
    (["test", "--report", "pdf"], "The value 'pdf' is invalid for '--report <format>'"),
    (["test", "--watch", "--properties"], "--watch needs files, and --properties has none"),
    (
      ["test", "--report", "json=r", "--report", "junit=./r"],
      "two reports go to one place: json=r and junit=./r; give each its own file"
    ),
    (
      ["test", "--report", "json=/dev/stdout", "--report", "tap"],
      "two reports go to one place: json=/dev/stdout and tap; give each its own file"
    ),
    (["serve", "--port", "70000"], "--port takes a number from 0 to 65535, not 70000"),
    (
      ["serve", "--host", "0.0.0.0"], "--host needs --token-file: others can reach the page then"
    ),
    (["serve", "--allow-network"], "--allow-network needs --sandbox"),
  ]

  @Test("refuses wrong options on one line, with status 64", arguments: refusals)
  func refused(arguments: [String], message: String) async throws {
    let result = try await CommandRunner().run(arguments)
    #expect(result.output == "")
    #expect(result.error == "primerepl: \(message)\n")
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

  @Test(
    "in a shell",
    arguments: ShellCase.list(
      """
      # shows a subcommand's usage, and the command's for an unknown one
      $ primerepl help test
      …USAGE: primerepl test [<options>]…
      $ primerepl help nothing > unknown 2>/dev/null; primerepl --help | cmp - unknown
      # leaves -v after the script to the script
      $ echo "print(...)" | primerepl - -v
      -v
      # accepts the code and the module directly after -e and -l
      $ primerepl -lstring "-eprint(string.rep('x', 2))"
      xx
      # loads a module into the variable before an equals sign, as the lua command does
      $ primerepl -l str=string -lm=math -ex=1 -e "print(str == string, m == math, x, ...)"
      true\ttrue\t1
      $ primerepl -l a=b=c
      …module 'b=c' not found…
      [1]
      # takes the argument after -- as the script
      $ echo "print(arg[0], ...)" | primerepl -- - -x
      -\t-x
      """))
  func shell(example: ShellCase) async throws { try await CommandRunner().check(example) }

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
