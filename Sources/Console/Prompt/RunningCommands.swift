import Lua
import PrimereplFoundation
import PrimereplLineEditing
import PrimereplPlatform

extension DotCommand {
  static let running = [
    DotCommand(
      "tasks", help: "Lists the tasks, with the time they have run and what they wait for."
    ) {
      prompt, _ in prompt.showTasks()
    },
    DotCommand("cancel", .task, "n", help: "Cancels a task by its number.") { prompt, argument in
      let number = try DotCommand.number(argument, in: ".cancel n")
      guard let task = prompt.state.tasks.first(where: { $0.number == number }) else {
        throw CommandError(description: "no task \(number) runs; .tasks lists them")
      }
      task.cancel()
      // Most tasks end at once, so that .tasks doesn't list them any more; others handle it in their own time.
      let end = ContinuousClock.now + .seconds(1)
      while prompt.state.tasks.contains(where: { $0.number == number }), .now < end {
        try await Task.sleep(for: .milliseconds(2))
      }
    },
    DotCommand(
      "time", .code, "[-n 1000] code",
      help: "Runs code, and shows how long it took; or n times, with the median."
    ) { prompt, argument in try await prompt.time(argument) },
    DotCommand("load", .file, "file", help: "Runs a file in this session.") { prompt, argument in
      let path = try UserFiles.expanding(path(argument))
      await prompt.load(path)
    },
    DotCommand(
      "edit", .code, "[code]", help: "Edits the last input, or code, in $EDITOR, and runs it."
    ) {
      prompt, code in try await prompt.edit(code)
    },
  ]
}

extension Prompt {
  fileprivate func time(_ argument: String) async throws {
    if let request = try TimedRuns(argument) { return try await run(request) }
    let start = ContinuousClock.now
    await run(argument)
    screen.showNote("took \(TimeText.duration(ContinuousClock.now - start))")
  }

  fileprivate func showTasks() {
    let tasks = state.tasks
    guard !tasks.isEmpty else { return screen.showNote("no task runs") }
    screen.show(
      tasks.map { task in
        let awaited = TaskText.awaited(by: task).map { "waits for \($0)" } ?? "runs"
        return StyledText("\(task.number)  ", .bold)
          + StyledText("\(TaskText.elapsed(since: task.startTime))  \(awaited)")
      })
    screen.showNote(".cancel n cancels one")
  }

  fileprivate func edit(_ code: String) async throws {
    guard screen.editor != nil else { throw CommandError(description: ".edit needs a terminal") }
    guard let text = try await editExternally(code.isEmpty ? lastCode : code) else { return }
    guard text.contains(where: { !$0.isWhitespace }) else { return }
    screen.show(
      text.split(separator: "\n", omittingEmptySubsequences: false).map {
        StyledText(String($0), .dim)
      })
    await run(text)
  }

  /// Nil after an error, which is shown.
  func edited(_ text: String) async -> String? {
    do {
      return try await editExternally(text)
    } catch {
      show(error, of: "")
      return nil
    }
  }

  /// The text after the user has edited it, without a newline at its end; nil if the editor failed.
  private func editExternally(_ text: String) async throws -> String? {
    let names = ["VISUAL", "EDITOR"]
    let program = names.lazy.compactMap { self.environment[$0] }.first { !$0.isEmpty } ?? "vi"
    let file = try TemporaryText(text + "\n", named: "input.lua")
    defer { file.remove() }
    guard try await interpreter.runForeground(program, on: file.path) == 0 else {
      screen.showNote("the editor failed, so nothing has changed: \(program.printable)")
      return nil
    }
    let edited = try file.read()
    return edited.hasSuffix("\n") ? String(edited.dropLast()) : edited
  }
}
