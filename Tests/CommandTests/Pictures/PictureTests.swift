import Foundation
import TerminalSupport
import Testing

/// The documents' pictures of the prompt, which `make pictures` retakes by these tests.
@Suite("The pictures of the prompt")
struct PictureTests {
  /// `RETAKE_PICTURES` says to write the pictures, in place of comparing them.
  private static let isRetaking = ProcessInfo.processInfo.environment["RETAKE_PICTURES"] != nil

  @Test("show what the program shows", arguments: PictureSession.all)
  func current(session: PictureSession) async throws {
    let path = Document.repository.appendingPathComponent(
      "Documentation/images/\(session.name).svg")
    if Self.isRetaking {
      return try await session.picture { $0 == $1 }.write(
        to: path, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: path, encoding: .utf8)
    let shown = try await session.picture { $1 == expected }
    let changes = shown.split(separator: "\n").difference(from: expected.split(separator: "\n"))
    let differences = changes.map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
    #expect(
      differences.isEmpty,
      """
      Documentation/images/\(session.name).svg is stale: if the program is right, retake it by make pictures.
      \(differences.joined(separator: "\n"))
      """)
  }
}

/// What is typed for a picture.
struct PictureSession: CustomTestStringConvertible {
  /// Keys that are typed, and the last part of what they show, so that the next ones aren't too early.
  struct Step {
    let keys: String
    let shown: String
    /// Whether the picture shows the input after this step, too.
    let isPictured: Bool

    init(_ keys: String, shows shown: String, isPictured: Bool = false) {
      (self.keys, self.shown, self.isPictured) = (keys, shown, isPictured)
    }
  }

  /// The name of the file without its ending.
  let name: String
  let title: String
  /// The files of the repository that declare the app.
  var apps: [String] = []
  let rows: UInt16
  let steps: [Step]

  private static let columns: UInt16 = 88

  var testDescription: String { name }

  /// Types the session.
  ///
  /// - Parameter isFinal: Whether a picture of the screen after the last step is the one to return, given the one before
  ///   it. Pictures are taken every 150 ms; the last one after 10 s.
  /// - Returns: The picture as SVG.
  /// - Throws: `TimeLimitExceeded` if the screen doesn't show what a step says.
  func picture(until isFinal: (_ last: String, _ next: String) -> Bool) async throws -> String {
    let options = apps.flatMap {
      ["--app", Document.repository.appendingPathComponent($0).path]
    }
    return try await PseudoTerminal.run(
      options + ["--ephemeral"], environment: PseudoTerminal.colors.merging(["TZ": "UTC"]) { $1 },
      columns: Self.columns, rows: rows
    ) { terminal in
      try await terminal.expectScreen("the prompt") { $0.rows.contains(">") }
      var screens: [TerminalScreen] = []
      for step in steps {
        try await terminal.send(step.keys)
        try await terminal.expectScreen("«\(step.shown)»") { $0.text.contains(step.shown) }
        if step.isPictured { screens.append(terminal.screen) }
      }
      let deadline = ContinuousClock.now + .seconds(10)
      var (last, next) = ("", picture(of: screens + [terminal.screen]))
      while !isFinal(last, next), ContinuousClock.now < deadline {
        try await Task.sleep(for: .milliseconds(150))
        try await terminal.expectScreen("any") { _ in true }
        (last, next) = (next, picture(of: screens + [terminal.screen]))
      }
      return next
    }
  }

  /// A picture in which the time and Lua's version are always the same ones.
  private func picture(of screens: [TerminalScreen]) -> String {
    ScreenPicture(of: screens, title: title).svg
      .replacing(/\d\d:\d\d:\d\d/, with: "12:00:00")
      .replacing(/Lua\u{A0}5\.4\.\d/, with: "Lua\u{A0}5.4.4")
  }

  static let all = [
    PictureSession(
      name: "prompt", title: "A session at the prompt", rows: 29,
      steps: [
        Step("counter.count = 17\r", shows: "0 → 17\n>"),
        Step("counter.ask_is_prime().text\r", shows: "17 is prime 🎉\"\n>"),
        Step("counter.press_modal_button(); todo.add(\"buy milk\")\r", shows: "\"buy milk\"\n>"),
        Step("counter.ask_nth_prime()\r", shows: "is 59\"\n>"),
        Step("persons.fetch()\r", shows: "\"Fred\"\n>"),
        Step("persons\r", shows: "help(persons)\n>"),
        Step(".undo\r", shows: "\n-2>"),
      ]),
    PictureSession(
      name: "app", title: "An app in Lua at the prompt", apps: ["Examples/shop/shop.lua"], rows: 26,
      steps: [
        Step("cart.add(\"pen\", 120, 2); cart.add(\"ink\", 450)\r", shows: "690\n>"),
        Step("cart.items[1].quantity = 3\r", shows: "810\n>"),
        Step("cart.items\r", shows: "2 rows\n>"),
        Step("cart.redeem(\"TENTH\")\r", shows: "729\n>"),
        Step("cart.add(\"cap\", -5)\r", shows: "[bad_price]\n>"),
        Step(".undo\r", shows: "\n-1>"),
        Step("cart.add(", shows: "cart.add(name: string"),
      ]),
    PictureSession(
      name: "typing", title: "Completion, hints and highlighting", rows: 16,
      steps: [
        Step("for i = 1, 3 do\rfavorites.add(prime.next(i * 10))\rend\r", shows: "+31\n>"),
        Step("counter.\t", shows: "loading boolean", isPictured: true),
        Step("increment(prime.nth(", shows: "prime.nth(n: integer)"),
      ]),
    PictureSession(
      name: "errors", title: "An error with its correction", rows: 12,
      steps: [
        Step("favorites.add(8)\r", shows: "[not_prime]\n>"),
        Step(
          "cuonter.increment()\r", shows: "did you mean 'counter'?\n> counter.increment()",
          isPictured: true),
        Step("if counter.count > 3 print('yes') end\r", shows: "near 'print'"),
      ]),
    PictureSession(
      name: "travel", title: "Traveling through the history", rows: 20,
      steps: [
        Step("for i = 1, 12 do counter.increment(i) end\r", shows: "78\n>"),
        Step("for i = 1, 5 do favorites.add(prime.nth(i)) end\r", shows: "+5 elements\n>"),
        Step(".travel\r", shows: "Esc: go back"),
        Step("\u{1B}[D\u{1B}[D\u{1B}[D\u{1B}[D", shows: "13 of 17"),
      ]),
  ]
}
