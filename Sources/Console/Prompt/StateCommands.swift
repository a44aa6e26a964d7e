import PrimereplLineEditing
import PrimereplTerminal
import StateStore

extension DotCommand {
  static let state = [
    DotCommand(
      "state", .statePath, "[path]",
      help:
        "Shows the state, or a part of it, as a tree; with --unused, what the app has no place for."
    ) {
      prompt, path in
      if path == "--unused" { return prompt.showUnusedState() }
      prompt.screen.show(
        try StateTree(path, of: prompt.store).lines(in: prompt.screen.size))
    },
    DotCommand(
      "diff", .none, "k [l]",
      help: "Shows what differs between the states after actions k and l, or now."
    ) {
      prompt, argument in try prompt.showDifference(argument)
    },
    DotCommand(
      "watch", .statePath, "[path]",
      help: "Shows values below the input: .watch counter.count #favorites; off ends."
    ) {
      prompt, argument in try prompt.watch(argument)
    },
    DotCommand(
      "try", .code, "code", help: "Runs code, shows what it changed, and keeps or drops that."
    ) {
      prompt, code in try await prompt.tryOut(code)
    },
  ]
}

extension Prompt {
  /// Shows what the session has of fields that the app doesn't have any more.
  fileprivate func showUnusedState() {
    let unused = store.states.unused.unusedValues
    guard !unused.isEmpty else {
      return screen.showNote("the app has everything that the session has")
    }
    screen.show(
      unused.map { path, json in
        StyledText("\(path) \(json)".printable).fitted(to: screen.size.columns)
      })
  }

  fileprivate func showDifference(_ argument: String) throws {
    let words = argument.split(whereSeparator: \.isWhitespace)
    let numbers = try words.map { try DotCommand.number($0, in: ".diff k [l]") }
    guard numbers.count <= 2 else { throw CommandError(description: "usage: .diff k [l]") }
    screen.show(
      try StateDiff(from: numbers[0], to: numbers.count == 2 ? numbers[1] : nil, in: store)
        .lines(in: screen.size))
  }

  fileprivate func watch(_ argument: String) throws {
    let words = argument.split(whereSeparator: \.isWhitespace).map(String.init)
    switch words {
    case []:
      let row = watchRow?.row(of: store, columns: screen.size.columns)
      screen.show([row ?? StyledText("nothing is watched: .watch counter.count #favorites", .dim)])
    case ["off"]: watchRow = nil
    default:
      watchRow = try WatchRow(expressions: words, store.schema)
      // Without an editor there is no row that follows the values.
      if screen.editor == nil, let watchRow {
        screen.show([watchRow.row(of: store, columns: screen.size.columns)])
      }
    }
  }

  fileprivate func tryOut(_ code: String) async throws {
    interpreter.session?.save()
    let (start, earlier, secretCount) = (store.position, store.states, Secret.count)
    try store.beginTrial()
    monitor.beginCommand()
    var failure: String?
    do {
      if let values = try await values(of: code), !values.isEmpty {
        screen.show(formatter.lines(of: values, in: screen.size))
      }
    } catch {
      failure = error.userMessage
      show(error, of: code)
    }
    let madeSecret = Secret.count != secretCount
    let difference = StateDiff(from: earlier, to: store.states, store.schema)
    screen.show(difference.lines(in: screen.size))
    // From here on, changes of tasks are shown as theirs.
    monitor.endCommandQuietly()
    let end = store.position
    guard !difference.isEmpty, await asksToKeep() else { return try dropTrial(after: end) }
    store.keepTrial()
    interpreter.commands.append(from: start, in: store)
    transcript.add(
      code, from: start, failure: failure, madeSecret: madeSecret, isTaken: assistant.isKnown)
  }

  /// Drops a trial, with all that tasks did while the user was asked.
  private func dropTrial(after end: Int) throws {
    let count = store.position - end
    monitor.beginCommand()
    defer { monitor.endCommandQuietly() }
    try store.dropTrial()
    guard count > 0 else { return }
    screen.showNote("dropped too: \(count.counted("action")) of tasks")
  }

  private func asksToKeep() async -> Bool {
    do {
      return try await interpreter.whileReading(screen.interrupt) {
        try await screen.ask("Keep this?")
      }
    } catch {
      // The input can't be read any more, as the next prompt will say.
      return false
    }
  }
}
