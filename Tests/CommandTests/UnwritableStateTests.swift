import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("A session whose file can't be written")
struct UnwritableStateTests {
  private let home: TemporaryFolder
  private let runner: CommandRunner

  init() throws {
    home = try TemporaryFolder()
    runner = CommandRunner(home: home)
  }

  private var file: String { home.path(of: "folder/session.sqlite") }

  @Test("continues in memory, says so once, and reports the loss at the end")
  func unmakeable() async throws {
    _ = try home.write("a file, and no folder", to: "folder")
    let result = try await runner.run([
      "--state", file, "-e", "for i = 1, 5000 do todo.add('item') end print(#todo.items)",
    ])
    #expect(result.output == "5000\n")
    #expect(result.status == .exited(1))
    #expect(result.error.components(separatedBy: "can't be written").count == 2)
    #expect(result.error.contains("the session continues in memory"))
    #expect(result.error.hasSuffix("changes since the last save are lost\n"))
  }

  @Test(
    "isn't created if a limit of file sizes is too low, and its script runs", arguments: [8, 32])
  func unmadeForSize(kilobytes: Int) async throws {
    var limited = runner
    limited.preparation = "ulimit -f \(kilobytes)"
    let result = try await limited.run([
      "--state", file, "-e", "counter.increment() print(counter.count)",
    ])
    #expect(result.output == "1\n")
    #expect(result.status == .exited(1))
    #expect(result.error.contains("can't be written: there is no room for it"))
    #expect(home.files("folder") == [])
    let nothing = try await limited.run(["--state", file, "-e", "print(counter.count)"])
    #expect(nothing.status == .exited(0))
  }

  @Test("saves everything once the file can be written")
  func later() async throws {
    _ = try home.write("a file, and no folder", to: "folder")
    let code = """
      counter.count = 16
      print(select(2, pcall(store.save)).code)
      os.remove("folder")
      counter.increment()
      store.save()
      """
    let result = try await runner.run(["--state", file, "-e", code])
    #expect(result.output == "state_unwritable\n")
    #expect(result.status == .exited(0))
    #expect(result.error.contains("the session is saved again"))
    let reopened = try await runner.run([
      "--state", file, "-e", "print(counter.count, #store.history())",
    ])
    #expect(reopened.output == "17\t2\n")
  }

  @Test(
    "on a full disk has everything at the prompt once there is room",
    .enabled(if: FullFileSystem.canBeMade))
  func full() async throws {
    let fileSystem = try FullFileSystem(size: "256k")
    let path = fileSystem.path + "/session.sqlite"
    try await PseudoTerminal.prompt(["--state", path], home: home) { terminal in
      try await terminal.send("todo.add(('x'):rep(300000)).id\n", showing: "\n1\n")
      try await terminal.expect("primerepl: \(path): can't be written: ")
      try await terminal.expect("> ")
      try await terminal.send("todo.add('second').id\n")
      try await terminal.expect("\n2\n#2  todo.items +\"second\"\n")
      try fileSystem.resize(to: "16m")
      try await terminal.expect("primerepl: the session is saved again")
      #expect(terminal.transcript.components(separatedBy: "can't be written").count == 2)
      #expect(try await terminal.expectExit(after: "\u{04}") == .exited(0))
    }
    let code = "print(#todo.items, #todo.items[2].text)"
    #expect(try await runner.run(["--state", path, "-e", code]).output == "2\t300000\n")
  }
}
