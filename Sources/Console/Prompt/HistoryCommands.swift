import PrimereplLineEditing
import PrimereplTerminal
import Scripting
import StateStore

extension DotCommand {
  static let history = [
    DotCommand(
      "history", .none, "[n|text]", help: "Lists the actions: the last n, or those with a text."
    ) {
      prompt, filter in
      prompt.screen.show(
        try HistoryListing(prompt.store, prompt.interpreter.app.texts)
          .lines(.init(filter), in: prompt.screen.size))
    },
    DotCommand(
      "undo", .none, "[n|--mine]",
      help: "Undoes the last command, or n; --mine: your own last one, whoever has acted since."
    ) {
      prompt, count in
      guard count != "--mine" else { return try prompt.undoOwnCommand() }
      try prompt.travel(count, in: ".undo [n from 1]") { store, log in
        guard let position = log.positionBeforeLastCommand(in: store) else {
          return try store.undo()
        }
        try store.jump(to: position)
      }
    },
    DotCommand("redo", .none, "[n]", help: "Redoes what .undo undid, or what n of them undid.") {
      prompt, count in
      try prompt.travel(count, in: ".redo [n from 1]") { store, log in
        guard let position = log.positionAfterNextCommand(in: store) else {
          return try store.redo()
        }
        try store.jump(to: position)
      }
    },
    DotCommand(
      "jump", .none, "k", help: "Goes to the state after action k; 0 is the initial state."
    ) {
      prompt, argument in
      let number = try DotCommand.number(argument, in: ".jump k")
      try prompt.travel { store, _ in try store.jump(to: number) }
    },
    DotCommand("travel", help: "Shows the states over time, by the arrow keys; Enter goes there.") {
      prompt, _ in try await prompt.travelByKeys()
    },
  ]
}

extension Prompt {
  /// Goes to another position, and shows what that changed.
  func travel(_ body: (Store, CommandLog) throws -> Void) throws {
    let start = store.position
    monitor.beginCommand()
    defer { monitor.endCommand() }
    try body(store, interpreter.commands)
    showHistoryLimit(since: start)
    showRemoteActions(since: start)
    transcript.addTravel(from: start)
  }

  /// Takes back the last command of this process, while what others did since stays.
  fileprivate func undoOwnCommand() throws {
    guard let numbers = interpreter.commands.lastOwnCommand(in: store) else {
      throw CommandError(description: "you have done nothing here that could be undone")
    }
    let start = store.position
    monitor.beginCommand()
    defer { monitor.endCommand() }
    try interpreter.commands.takeBack(numbers, in: store)
    transcript.addTakingBack(from: start)
  }

  /// Says that the history has lost actions if it ends where somebody has gone back to.
  private func showHistoryLimit(since start: Int) {
    guard store.hasLostActions, store.position < start,
      store.position == store.reachable.lowerBound
    else { return }
    screen.showNote(
      store.migration.map { "action \($0) migrated the app's state: undo doesn't go before it" }
        ?? "the history keeps the last \(store.historyLimit.grouped) actions")
  }

  /// Says whose actions were undone, if others did them.
  private func showRemoteActions(since start: Int) {
    guard store.position < start else { return }
    let actions = store.remoteActions(in: store.position + 1...start)
    guard let first = actions.first, let last = actions.last else { return }
    let numbers =
      first == last ? "action \(first.number)" : "actions \(first.number) to \(last.number)"
    screen.showNote("undid \(numbers) of \(RemoteActions(by: actions.map(\.author)).name)")
  }

  /// Takes steps through the history, until an end of it, and shows what they changed together.
  ///
  /// An empty argument means one step.
  fileprivate func travel(
    _ argument: String, in usage: String, _ step: (Store, CommandLog) throws -> Void
  ) throws {
    let count = try argument.isEmpty ? 1 : DotCommand.number(argument, in: usage)
    guard count > 0 else { throw CommandError.badNumber(argument, in: usage) }
    try travel { store, log in
      for number in 1...count {
        let ends = [store.reachable.lowerBound, store.reachable.upperBound]
        if number > 1, ends.contains(store.position) { break }
        try step(store, log)
      }
    }
  }

  fileprivate func travelByKeys() async throws {
    guard let editor = screen.editor else {
      throw CommandError(description: ".travel needs a terminal; .jump k goes to a state")
    }
    travelView = try TravelView(
      store, interpreter.app.texts, watched: watchRow?.expressions.map(\.text) ?? [])
    defer { travelView = nil }
    while true {
      showTravelView()
      guard
        let key = await interpreter.whileReading(
          screen.interrupt, await: { await editor.readKey() }),
        let outcome = travelView?.handle(key)
      else { return editor.erase() }
      switch outcome {
      case .moved: continue
      case .returns: return editor.erase()
      case .stays(let position):
        editor.erase()
        return try travel { store, _ in try store.jump(to: position) }
      }
    }
  }

  private func showTravelView() {
    if let travelView { screen.editor?.draw(travelView.rows(in: screen.size)) }
  }

  /// Shows actions that tasks have sent meanwhile.
  func reloadTravelView() {
    guard travelView != nil else { return }
    do {
      try travelView?.reload()
    } catch {
      show(error, of: "")
    }
    showTravelView()
  }
}
