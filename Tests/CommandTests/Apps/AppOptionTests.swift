import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("--app")
struct AppOptionTests {
  private let app: AppFolder

  init() throws { app = try AppFolder() }

  // MARK: - Commands

  @Test(
    "in a shell",
    arguments: ShellCase.list(
      """
      # adds the features of files to code, scripts and standard input
      $ primerepl --app shop.lua --app=stock.lua -e "print(cart ~= nil, stock ~= nil)"
      true\ttrue
      $ echo "print(app.cart == cart, ...)" > script.lua; primerepl --app shop.lua script.lua a
      true\ta
      $ echo "print(cart ~= nil)" | primerepl --app shop.lua
      true
      # adds them to subcommands, also before their names
      $ echo "scenario('it', function() expect.truthy(cart) end)" > a.scenario.lua
      $ primerepl --app=shop.lua --bare test
      …1 passed…
      # leaves out the built-in modules with --bare, of scenarios and documents as well
      $ primerepl --bare --app shop.lua -e "print(cart ~= nil, counter, prime, store ~= nil)"
      true\tnil\tnil\ttrue
      $ echo "scenario('it', function() expect.equal(_G.counter, nil) end)" > a.scenario.lua
      $ primerepl test --app shop.lua --bare
      …1 passed…
      $ primerepl test --app shop.lua
      …1 failed…
      [1]
      $ primerepl docs --app shop.lua --bare | grep -Ex "## (cart|counter)"
      ## cart
      # documents the features, and writes their definitions for editors
      $ primerepl --app shop.lua docs | grep -x "## cart"
      ## cart
      $ primerepl docs cart --app shop.lua
      cart: …
      $ primerepl init --app shop.lua
      …
      Run `primerepl test --app shop.lua` in the folder.…
      $ grep -x -e "---@class module.cart" .luals/primerepl.lua
      ---@class module.cart
      $ grep -o "primerepl test --app shop.lua. runs" first.scenario.lua
      primerepl test --app shop.lua` runs
      $ grep -o "run: primerepl test --app shop.lua --ci" .github/workflows/scenarios.yml
      run: primerepl test --app shop.lua --ci
      # is an environment variable, too, whose place the option takes
      $ export PRIMEREPL_APP=:shop.lua:stock.lua:
      > primerepl -e "print(cart ~= nil, stock ~= nil, counter ~= nil)"
      > primerepl --bare -e "print(cart ~= nil, stock ~= nil, counter ~= nil)"
      > primerepl --app shop.lua -e "print(cart ~= nil, stock ~= nil, counter ~= nil)"
      true\ttrue\ttrue
      true\ttrue\tfalse
      true\tfalse\ttrue
      $ echo "scenario('it', function() expect.truthy(cart) end)" > a.scenario.lua
      $ PRIMEREPL_APP=shop.lua primerepl test
      …1 passed…
      # is a variable of any program made with the kit
      $ NOTES_APP=stock.lua notes -e "print(notes ~= nil, stock ~= nil)"
      true\ttrue
      # is named by the error of a file with features that runs as a script
      $ primerepl shop.lua
      primerepl: shop.lua:2: features are declared in a file for --app
      …
      [1]
      $ primerepl --app shop.lua -e "feature 'x' {}"
      …features are declared in a file for --app
      …
      [1]
      # is the first line of a program, with scripts and subcommands
      $ echo "print(cart ~= nil, arg[0], ...)" > script.lua; ./shop.lua script.lua -x --app
      true\tscript.lua\t-x\t--app
      $ ./shop.lua -e "print(cart ~= nil)"
      true
      $ echo "scenario('it', function() expect.truthy(cart) end)" > a.scenario.lua
      $ ./shop.lua test
      …1 passed…
      $ ./shop.lua docs cart
      cart: …
      $ ./shop.lua --version
      primerepl …
      $ ./shop.lua help test
      …USAGE: primerepl test…
      $ ./shop.lua new other
      wrote …
      """))
  func shell(example: ShellCase) async throws {
    try app.add("stock", in: "stock.lua")
    try await app.runner.check(example)
  }

  @Test("names the file in the command lines of reports, and for other folders by its full path")
  func commandLines() async throws {
    _ = try app.folder.write("scenario('it', function() error('x') end)", to: "a.scenario.lua")
    let report = try await app("test", "--app", "shop.lua", "--bare").output
    #expect(report.contains("  primerepl test --app shop.lua --bare a.scenario.lua:1  # it\n"))
    let path = app.folder.url.resolvingSymlinksInPath().path
    let result = try await app("--app", "shop.lua", "init", "sub")
    #expect(result.output.contains("`primerepl test --app \(path)/shop.lua`"))
  }

  @Test("has a session of its own for each path, and names that of an earlier version")
  func sessions() async throws {
    let home = app.home
    for folder in ["a", "b"] {
      try home.makeFolder(folder)
      try FileManager.default.copyItem(
        atPath: app.folder.path(of: "shop.lua"), toPath: home.path(of: "\(folder)/shop.lua"))
    }
    let earlier = home.path(of: "data/primerepl/shop/session.sqlite")
    _ = try await app("--app", "shop.lua", "--state", earlier, "-e", "cart.add(5)")
    for (path, count) in [("a/shop.lua", 0), ("b/shop.lua", 0), ("./a/../a/shop.lua", 1)] {
      try await PseudoTerminal.prompt(["-q", "--app", path], home: home, columns: 200) { terminal in
        #expect(
          terminal.transcript.contains("\(earlier) is a session of an earlier version")
            == (count == 0))
        try await terminal.enter("cart.count", "\(count)")
        try await terminal.enter("cart.add(1)", "#\(count + 1)  cart.count \(count) → \(count + 1)")
        _ = try await terminal.expectExit(after: "\u{4}")
      }
    }
  }

  // MARK: - Mistakes

  @Test(
    "refuses what isn't a file with features",
    arguments: [
      (["--app", "none.lua"], "cannot read none.lua: No such file or directory", 1),
      (["--app", "folder"], "cannot read folder: Is a directory", 1),
      (["--app", "/dev/zero"], "cannot read /dev/zero: it isn't a regular file", 1),
      (["--app", "~"], "Is a directory", 1),
      (["--app", "bad.lua"], "bad.lua:1: syntax error near 'x'", 1),
      (
        ["--app", "a.scenario.lua"],
        "a.scenario.lua has scenarios, not features: run primerepl test a.scenario.lua", 1
      ),
      (
        ["--app", "shop.lua", "--app", "again.lua"],
        "cart: two features have this name; rename one", 1
      ),
      (["--app", ""], "--app needs a file name", 64),
      (["--app"], "Missing value for '--app <file>'", 64),
      (["--bare"], "--bare needs --app: it leaves no features but those of files", 64),
    ])
  func refused(options: [String], message: String, status: Int32) async throws {
    for name in ["bad.lua", "a.scenario.lua"] { _ = try app.folder.write("feature x", to: name) }
    try app.folder.makeFolder("folder")
    for name in ["shop.lua", "again.lua"] { try app.add("cart", in: name) }
    try await expectRefusal(of: ["-e", "print(1)"] + options, message, status)
  }

  @Test("refuses it for subcommands, too", arguments: ["test", "docs"])
  func refused(subcommand: String) async throws {
    try await expectRefusal(
      of: [subcommand, "--app", "none.lua"], "cannot read none.lua: No such file or directory", 1)
  }

  private func expectRefusal(
    of arguments: [String], _ message: String, _ status: Int32
  ) async throws {
    let result = try await app.runner.run(arguments)
    #expect(result.output == "")
    #expect(result.error.hasPrefix("primerepl: ") && result.error.hasSuffix("\(message)\n"))
    #expect(result.error.split(separator: "\n").count == 1)
    #expect(result.status == .exited(status))
  }

  @Test("refuses the name of a built-in module, unless those are left out")
  func builtIn() async throws {
    for name in ["counter", "prime"] {
      try app.add(name, in: "\(name).lua")
      let result = try await app("--app", "\(name).lua", "-e", "print(1)")
      #expect(
        result.error
          == "primerepl: \(name).lua:2: the feature \(name) has the name of a built-in module; rename it, or leave those out with --bare\n"
      )
      #expect(result.status == .exited(1))
      let bare = try await app(
        "--app", "\(name).lua", "--bare", "-e", "print(\(name) ~= nil)")
      #expect(bare.output == "true\n")
    }
  }

  // MARK: - Programs

  @Test("opens a prompt with the app's name, and a session and an input history of its own")
  func prompt() async throws {
    let file = app.folder.path(of: "shop.lua")
    try await PseudoTerminal.run(
      [], environment: ["PATH": CommandRunner.path], home: app.home, program: file
    ) { terminal in
      try await terminal.expect("> ")
      #expect(terminal.screen.rows.first?.hasPrefix("shop runs in primerepl ") == true)
      try await terminal.enter("cart ~= nil", "true")
      try await terminal.send("counter.increment(5)\n", showing: "0 → 5\n> ")
      _ = try await terminal.expectExit(after: "\u{04}")
    }
    let sessions = app.home.files("data").filter { $0.hasSuffix("/session.sqlite") }
    #expect(sessions.count == 1 && sessions[0].hasPrefix("primerepl/shop-"))
    let histories = app.home.files("state").filter { $0.hasSuffix(".history") }
    #expect(histories.count == 1 && histories[0].hasPrefix("primerepl/shop-"))
    try app.add("stock", in: "stock.lua")
    let stock = app.folder.path(of: "stock.lua")
    try await PseudoTerminal.prompt(["--app", file, "--app", stock], home: app.home) { terminal in
      #expect(terminal.transcript.contains("1 action; last: counter.increment(5)."))
      try await terminal.enter("stock ~= nil", "true")
    }
  }

  @Test("runs scenarios that the prompt writes with the same app")
  func recorded() async throws {
    let file = app.folder.path(of: "shop.lua")
    let arguments = ["--app", file, "--bare", "--ephemeral", "-q"]
    try await PseudoTerminal.prompt(arguments, home: app.home) { terminal in
      try await terminal.enter(".scenario a.scenario.lua", "0 actions: passed")
    }
  }
}
