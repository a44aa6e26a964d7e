import Foundation
import TerminalSupport
import TestSupport
import Testing

/// The examples of a document, tried as a reader tries them: in order, and in a new home with the document's files.
///
/// A `console` block has commands for the shell, each with its output. A `text` block that begins with `$ primerepl`
/// opens the prompt; one that begins with `> ` continues there.
struct DocumentExamples {
  /// Something that the reader types, and the output that follows.
  private struct Step {
    enum Kind { case command, opening, input }

    let kind: Kind
    let prompt: Substring
    var typed: [Substring]
    var output: [Substring] = []
  }

  private let steps: [Step]
  private let folder: TemporaryFolder
  private let runner: CommandRunner

  /// The environment of a user who has set nothing.
  private static let environment: [String: String?] = [
    "CI": nil, "XDG_DATA_HOME": nil, "XDG_CONFIG_HOME": nil, "XDG_STATE_HOME": nil,
  ]

  init(_ blocks: [Document.Block]) throws {
    folder = try TemporaryFolder()
    for block in blocks {
      guard let name = block.fileName?.replacing("~/", with: "") else { continue }
      let file = folder.url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      _ = try folder.write(block.text, to: name)
    }
    runner = CommandRunner(
      program: "/bin/sh", environment: Self.environment, workingDirectory: folder.path,
      home: folder)
    let steps = blocks.flatMap(Self.steps)
    let isOpened = steps.first { $0.kind != .command }?.kind != .input
    let opening = Step(kind: .opening, prompt: "$ ", typed: ["primerepl --ephemeral -q"])
    self.steps = isOpened ? steps : [opening] + steps
  }

  /// Whether there is nothing to try.
  var isEmpty: Bool { steps.isEmpty }

  // MARK: - Reading

  private static func steps(of block: Document.Block) -> [Step] {
    let first = block.kind == "text" ? block.lines.first : nil
    let isSession =
      first?.hasPrefix("$ primerepl") == true || first?.prompt?.hasSuffix("> ") == true
    guard isSession || block.kind == "console" else { return [] }
    return block.lines.reduce(into: []) { steps, line in
      if let prompt = line.prompt, isSession || prompt == "$ " {
        let kind: Step.Kind = !isSession ? .command : prompt == "$ " ? .opening : .input
        steps.append(Step(kind: kind, prompt: prompt, typed: [line.dropFirst(prompt.count)]))
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

  /// Types everything, and compares what is shown.
  func check() async throws {
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

  /// Runs a command of the shell.
  private func run(_ step: Step) async throws {
    let command = step.typed.joined()
    let programs = URL(fileURLWithPath: try BuiltExecutable.path(of: "primerepl"))
      .deletingLastPathComponent().path
    let result = try await runner.run(["-c", "PATH=\(programs):$PATH; { \(command)\n} 2>&1"])
    #expect(
      Self.withoutTimes(result.output)
        == Self.withoutTimes(step.output.joined(separator: "\n")), "$ \(command)")
  }

  /// The output with the same time everywhere, and none behind the names of scenarios.
  private static func withoutTimes(_ output: String) -> String {
    output.replacing(/\s\(\d+(\.\d+)? m?s\)/, with: "")
      .replacing(/\d+(\.\d+)? m?s\b/, with: "0 s").trimmingCharacters(in: .newlines)
  }

  /// Opens a prompt and types a session; commands in between run in another terminal.
  private func check(_ session: ArraySlice<Step>, openedBy opening: Step) async throws {
    let arguments = opening.typed.joined().split(separator: " ").dropFirst().map(String.init)
    // The versions in the first line differ between machines.
    let banner = opening.output.map { $0.replacing(#/^primerepl .* \(Lua .*\) /#, with: "") }
    try await PseudoTerminal.run(
      arguments, environment: Self.environment, home: folder, columns: 120
    ) { terminal in
      try await terminal.expect((banner + [">"]).joined(separator: "\n"))
      let inputs = session.filter { $0.kind == .input }
      var next = inputs.dropFirst()
      for step in session {
        guard step.kind == .input else {
          try await run(step)
          continue
        }
        try await type(step, before: next.popFirst()?.prompt, on: terminal)
      }
      try await terminal.send(KeyCode.control("D"))
      #expect(try await terminal.expectExit() == .exited(0))
    }
  }

  /// Types an input, and waits for exactly its output, followed by the next prompt.
  private func type(
    _ step: Step, before next: Substring?, on terminal: PseudoTerminal
  ) async throws {
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
