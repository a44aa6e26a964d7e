import Foundation
import TerminalSupport
import Testing
import TestSupport

/// The examples of a document, tried as a reader tries them: in order, in a new home.
///
/// A `lua` block whose first line names it is written to that file; one that begins with `-- name.lua, in table` adds its
/// lines to a table of the file. A `console` block has commands for the shell, each with its output; `cd` holds for all
/// blocks that follow. A `text` block that begins with `$ primerepl` or `$ ./` opens a prompt; one that begins with `> `
/// continues there, as does one that begins with an action of another process or with news of a server, for which the
/// test waits.
struct DocumentExamples {
  /// Something that the reader writes or types, and the output that follows.
  private struct Step {
    enum Kind: Equatable {
      case file(Document.Block)
      case command, opening, input, action
    }

    let kind: Kind
    var prompt: Substring = ""
    var typed: [Substring] = []
    var output: [Substring] = []
  }

  /// Commands that aren't run by the shell, but by the test, such as those that stop a server.
  var ownCommands: [String: @Sendable () async throws -> Void] = [:]

  /// Makes outputs equal that differ only by what varies, such as the names of users.
  var normalized: @Sendable (String) -> String = { $0 }

  private let steps: [Step]
  private let folder: TemporaryFolder
  private var runner: CommandRunner

  /// The environment of a user who has set nothing.
  private static let environment: [String: String?] = [
    "CI": nil, "XDG_DATA_HOME": nil, "XDG_CONFIG_HOME": nil, "XDG_STATE_HOME": nil,
  ]

  init(_ blocks: [Document.Block]) throws {
    folder = try TemporaryFolder()
    // Readers copy examples of the repository, which is in their home.
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "primerepl"), withDestinationURL: Document.repository)
    runner = CommandRunner(
      program: "/bin/sh", environment: Self.environment, workingDirectory: folder.path,
      home: folder)
    let steps = blocks.flatMap(Self.steps)
    let isOpened = steps.first { $0.kind == .opening || $0.kind == .input }?.kind != .input
    let opening = Step(kind: .opening, prompt: "$ ", typed: ["primerepl --ephemeral -q"])
    self.steps = isOpened ? steps : [opening] + steps
  }

  /// Whether there is nothing to try.
  var isEmpty: Bool { steps.isEmpty }

  // MARK: - Reading

  private static func steps(of block: Document.Block) -> [Step] {
    if block.fileName != nil || block.addition != nil { return [Step(kind: .file(block))] }
    let first = block.kind == "text" ? block.lines.first : nil
    let isSession =
      first?.prefixMatch(
        of: #/\$ (primerepl|\./)|(another process|\S+@\S+)  \#|primerepl: postgresql:/#) != nil
      || first?.prompt?.hasSuffix("> ") == true
    guard isSession || block.kind == "console" else { return [] }
    return block.lines.reduce(into: []) { steps, line in
      if let prompt = line.prompt, isSession || prompt == "$ " {
        let kind: Step.Kind = !isSession ? .command : prompt == "$ " ? .opening : .input
        steps.append(Step(kind: kind, prompt: prompt, typed: [line.dropFirst(prompt.count)]))
      } else if isSession, steps.isEmpty {
        steps.append(Step(kind: .action, output: [line[...]]))
      } else if var last = steps.popLast() {
        if last.kind == .input, last.output.isEmpty, line.hasPrefix(". ") {
          last.typed.append(line.dropFirst(2))
        } else {
          last.output.append(line[...])
        }
        steps.append(last)
      }
    }
  }

  // MARK: - Trying

  /// Writes and types everything, and compares what is shown.
  mutating func check() async throws {
    var rest = steps[...]
    while let step = rest.popFirst() {
      if step.kind == .opening {
        // The prompt is open until the next one is.
        let session = rest.prefix { $0.kind != .opening }
        rest = rest.dropFirst(session.count)
        try await check(session, openedBy: step)
      } else {
        try await run(step)
      }
    }
  }

  /// Writes a file, or runs a command of the shell.
  private mutating func run(_ step: Step) async throws {
    if case .file(let block) = step.kind { return try write(block) }
    let command = step.typed.joined()
    if let name = command.wholeMatch(of: /cd (\S+)/)?.1 {
      runner.workingDirectory = workingFolder.appendingPathComponent(String(name)).path
      return
    }
    if let ownCommand = ownCommands[command] { return try await ownCommand() }
    let expected = normalized(Self.withoutTimes(step.output.joined(separator: "\n")))
    let code = "\(try Self.path) { \(command)\n} 2>&1"
    var output = normalized(Self.withoutTimes(try await runner.run(["-c", code]).output))
    // A server shows a process that has ended for another moment.
    for _ in 0..<20 where output != expected && command.contains(" sessions ") {
      try await Task.sleep(for: .milliseconds(100))
      output = normalized(Self.withoutTimes(try await runner.run(["-c", code]).output))
    }
    #expect(output == expected, "$ \(command)")
  }

  private var workingFolder: URL {
    URL(fileURLWithPath: runner.workingDirectory ?? folder.path)
  }

  /// The shell's code that makes the programs known which are built with the tests.
  private static var path: String {
    get throws {
      let program = URL(fileURLWithPath: try BuiltExecutable.path(of: "primerepl"))
      return "PATH=\(program.deletingLastPathComponent().path):$PATH;"
    }
  }

  private func write(_ block: Document.Block) throws {
    if let name = block.fileName {
      let isInHome = name.hasPrefix("~/")
      let file = (isInHome ? folder.url : workingFolder)
        .appendingPathComponent(isInHome ? String(name.dropFirst(2)) : name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(block.text.utf8).write(to: file)
    } else if let (name, table) = block.addition {
      let file = workingFolder.appendingPathComponent(name)
      var lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
      let start = try #require(
        lines.firstIndex { $0.trimmingCharacters(in: .whitespaces) == "\(table) = {" },
        "\(name) has no table \(table)")
      let indentation = lines[start].prefix { $0 == " " } + "  "
      lines.insert(contentsOf: block.lines.dropFirst().map { indentation + $0 }, at: start + 1)
      // In place: the file stays a program.
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: Data(lines.joined(separator: "\n").utf8))
      try handle.close()
    }
  }

  /// The output with the same time everywhere, and none behind the names of scenarios.
  private static func withoutTimes(_ output: String) -> String {
    output.replacing(/\s\(\d+(\.\d+)? m?s\)/, with: "")
      .replacing(/\d+(\.\d+)? m?s\b/, with: "0 s").trimmingCharacters(in: .newlines)
  }

  /// Opens a prompt and types a session; commands in between run in another terminal.
  private mutating func check(
    _ session: ArraySlice<Step>, openedBy opening: Step
  ) async throws {
    let command = "\(try Self.path) cd '\(workingFolder.path)'; exec \(opening.typed.joined())"
    // The versions in the first line differ between machines.
    let banner = opening.output.map { $0.replacing(#/^.*primerepl .* \(Lua .*\)/#, with: "") }
    try await PseudoTerminal.run(
      ["-c", command], environment: Self.environment, home: folder, columns: 120,
      program: "/bin/sh"
    ) { terminal in
      try await terminal.expect((banner + [">"]).joined(separator: "\n"))
      let inputs = session.filter { $0.kind == .input }
      var next = inputs.dropFirst()
      for step in session {
        switch step.kind {
        case .input: try await type(step, before: next.popFirst()?.prompt, on: terminal)
        // It takes the row of the prompt, which moves down.
        case .action:
          for row in step.output.map({ normalized(String($0)) }) {
            try await terminal.expectScreen("a row with «\(row)»") { screen in
              screen.rows.contains { normalized($0).contains(row) }
            }
          }
        case .file, .command, .opening: try await run(step)
        }
      }
      try await terminal.send(KeyCode.control("D"))
      #expect(try await terminal.expectExit() == .exited(0))
    }
  }

  /// Types an input, and waits for exactly its output, followed by the next prompt.
  private func type(
    _ step: Step, before next: Substring?, on terminal: PseudoTerminal
  ) async throws {
    // A time of the day is never the same.
    let output = (step.output + [next ?? ""]).joined(separator: "\n")
      .trimmingCharacters(in: .whitespaces)
    guard output.firstMatch(of: #/\d\d:\d\d:\d\d/#) == nil else {
      try await terminal.send("\(step.typed.joined(separator: "\n"))\n")
      return try await terminal.expectScreen("«\(output)»") { screen in
        normalized(screen.rows.joined(separator: "\n")).contains(normalized(output))
      }
    }
    for (index, line) in step.typed.enumerated() {
      // The prompt indents the lines of a block.
      try await terminal.send("\(line.drop { $0 == " " })\n")
      let rest = index < step.typed.count - 1 ? ["."] : step.output + [next ?? ""]
      try await terminal.expect(([line] + rest).joined(separator: "\n"))
    }
  }
}

extension String {
  /// The prompt of a line that somebody typed; nil for output, and for further lines of an input.
  fileprivate var prompt: Substring? {
    firstMatch(of: #/^(\$|(-\d+)?>) /#).map { $0.output.0 }
  }
}
