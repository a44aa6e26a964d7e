import Foundation
import TerminalSupport

/// Makes the README's pictures: types into real prompts, and writes what their screens show as SVG.
///
/// Its arguments are the path of the program and the folder for the pictures.
@main
enum PromptPictures {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      print("usage: \(arguments[0]) <program> <folder>")
      exit(64)
    }
    for session in PictureSession.all {
      let screen = try await session.screen(of: arguments[1])
      let path = "\(arguments[2])/\(session.name).svg"
      try ScreenPicture(of: screen, title: session.title).svg
        .write(toFile: path, atomically: true, encoding: .utf8)
      print(path)
    }
  }
}

/// What is typed for a picture.
struct PictureSession {
  /// A key or a text that is typed, and what the screen shows before the next one.
  struct Step {
    let keys: String
    let shown: String

    init(_ keys: String, shows shown: String) { (self.keys, self.shown) = (keys, shown) }
  }

  /// The name of the file without its ending.
  let name: String
  let title: String
  let rows: UInt16
  let steps: [Step]

  private static let columns: UInt16 = 88

  /// Types the session.
  ///
  /// - Parameter program: The path of the program.
  /// - Returns: The screen after the last step.
  /// - Throws: `PseudoTerminal.TimeLimitExceeded` if the screen doesn't show what a step says.
  func screen(of program: String) async throws -> TerminalScreen {
    try await PseudoTerminal.run(
      ["--ephemeral"], environment: ["TERM": "xterm-256color", "NO_COLOR": nil, "TZ": "UTC"],
      columns: Self.columns, rows: rows, program: program, timeLimit: .seconds(20)
    ) { terminal in
      try await terminal.expectRow("Ctrl-D")
      try await terminal.expectScreen("the prompt") { $0.rows.contains(">") }
      for step in steps {
        try await terminal.send(step.keys)
        try await terminal.expectRow(step.shown)
        try await settle(terminal)
      }
      return terminal.screen
    }
  }

  /// Waits until the screen has been the same for some time.
  private func settle(_ terminal: PseudoTerminal) async throws {
    var last: TerminalScreen?
    while last != terminal.screen {
      last = terminal.screen
      try await Task.sleep(for: .milliseconds(150))
      try await terminal.expectScreen("any") { _ in true }
    }
  }

  static let all = [
    PictureSession(
      name: "prompt", title: "A session at the prompt", rows: 29,
      steps: [
        Step("counter.count = 17\r", shows: "0 → 17"),
        Step("counter.ask_is_prime().text\r", shows: "🎉"),
        Step("counter.press_modal_button(); todo.add(\"buy milk\")\r", shows: "favorites"),
        Step("counter.ask_nth_prime()\r", shows: "59"),
        Step("persons.fetch()\r", shows: "persons"),
        Step("persons\r", shows: "│"),
        Step(".undo\r", shows: "-2>"),
      ]),
    PictureSession(
      name: "typing", title: "Completion, hints and highlighting", rows: 16,
      steps: [
        Step("function double(n) return n * 2 end\r", shows: ">"),
        Step("for i = 1, 3 do\rfavorites.add(prime.next(i * 10))\rend\r", shows: "favorites"),
        Step("counter.\t", shows: "increment"),
      ]),
    PictureSession(
      name: "errors", title: "An error with its correction", rows: 12,
      steps: [
        Step("cuonter.increment()\r", shows: "counter"),
        Step("favorites.add(8)\r", shows: "prime"),
        Step("if counter.count > 3 print('yes') end\r", shows: "then"),
      ]),
    PictureSession(
      name: "travel", title: "Traveling through the history", rows: 20,
      steps: [
        Step("for i = 1, 12 do counter.increment(i) end\r", shows: "78"),
        Step("for i = 1, 5 do favorites.add(prime.nth(i)) end\r", shows: "favorites"),
        Step(".timeline\r", shows: "counter.count"),
        Step(".travel\r", shows: "17"),
        Step("\u{1B}[D\u{1B}[D\u{1B}[D\u{1B}[D", shows: "13"),
      ]),
  ]
}
