import Lua
import PrimereplFoundation
import PrimereplLineEditing
import PrimereplPage
import PrimereplPlatform
import PrimereplTerminal
import Scripting

extension DotCommand {
  static let general = [
    DotCommand(
      "help", .name, "[name]",
      help: "Lists the commands, or describes a module, function or command."
    ) {
      prompt, name in try prompt.showHelp(on: name)
    },
    DotCommand("modules", help: "Lists the modules.") { prompt, _ in
      prompt.showTable(prompt.interpreter.app.modules.map { ($0.name, $0.help) })
    },
    DotCommand("keys", help: "Lists the keys.") { prompt, _ in prompt.showKeys() },
    DotCommand(
      "changes", .words(["on", "off", "full"]), "[on|off|full]",
      help: "Shows what each command changed: in a few lines, not at all, or in full."
    ) { prompt, setting in try prompt.setChanges(setting) },
    DotCommand("page", help: "Shows the last value whole, in $PAGER.") { prompt, _ in
      try await prompt.pageLastValues()
    },
    DotCommand(
      "serve", .none, "[port]", help: "Shows this session in a browser; .serve off ends that."
    ) { prompt, argument in try prompt.serve(argument) },
    DotCommand("traceback", help: "Shows the last error with all its calls.") { prompt, _ in
      let traceback = prompt.lastTraceback?.split(separator: "\n").map { StyledText(String($0)) }
      prompt.screen.report(traceback ?? [StyledText("the last error has no calls", .dim)])
    },
    DotCommand("clear", help: "Clears the screen.") { prompt, _ in prompt.screen.clear() },
    DotCommand("quit", .none, "[status]", help: "Leaves the prompt; so does .exit.") {
      prompt, status in
      guard !status.isEmpty else { return prompt.exitStatus = 0 }
      guard let number = UInt8(status) else {
        throw CommandError.badNumber(status, in: ".quit [status from 0 to 255]")
      }
      prompt.exitStatus = Int32(number)
    },
  ]
}

extension Prompt {
  fileprivate func serve(_ argument: String) throws {
    let isEnding = argument == "off"
    let port =
      isEnding || argument.isEmpty ? nil : try DotCommand.number(argument, in: ".serve [port]")
    pageServer?.stop()
    pageServer = nil
    guard !isEnding else { return }
    let server = try PageServer(of: interpreter, port: port)
    pageServer = server
    screen.showNote(server.address)
  }

  fileprivate func showTable(_ rows: [(name: String, help: String)], minimumWidth: Int = 0) {
    let width = max((rows.map { StyledText($0.name).columns }.max() ?? 0) + 2, minimumWidth)
    let room = screen.size.columns - width
    let isNarrow = room < Self.minimumHelpColumns
    let indentation = StyledText().padded(to: isNarrow ? 2 : width)
    for (name, help) in rows {
      let label = StyledText(name, .bold)
      let lines = StyledText(help).wrapped(to: isNarrow ? screen.size.columns - 2 : room)
      let indented = lines.map { indentation + $0 }
      if isNarrow {
        screen.say([label] + indented)
      } else {
        screen.show(
          [label.padded(to: width) + (lines.first ?? StyledText())] + indented.dropFirst())
      }
    }
  }

  /// The columns that help takes beside a name; where there are fewer, it begins below the name.
  private static let minimumHelpColumns = 24

  private func showCommands() {
    let width = (DotCommand.all.map { StyledText($0.usage).columns }.max() ?? 0) + 2
    for (heading, commands) in DotCommand.groups {
      screen.show([StyledText(heading, Style(underlined: true))])
      showTable(commands.map { ($0.usage, $0.help) }, minimumWidth: width)
      screen.show([StyledText()])
    }
    screen.showNote("help() describes the modules; .help name or name? describes one, or searches.")
  }

  /// Lists the commands if the name is empty.
  func showHelp(on name: String) throws {
    guard !name.isEmpty else { return showCommands() }
    let word = name.hasPrefix(".") ? String(name.dropFirst()) : name
    if let command = DotCommand.all.first(where: { $0.name == word }),
      name.hasPrefix(".") || !isModule(word)
    {
      return showTable([(command.usage, command.help)])
    }
    let text = try interpreter.app.help.text(onName: name)
    screen.show(
      text.split(separator: "\n", omittingEmptySubsequences: false).map { StyledText(String($0)) })
  }

  func answer(_ question: HelpQuestion) throws {
    guard let function = try assistant.function(named: question.name),
      case .lua(let definition) = try function.origin()
    else {
      try showHelp(on: question.name)
      if question.isAboutSource { screen.showNote("Only functions in Lua have a source to show.") }
      return
    }
    screen.show([CallSignature(of: definition, name: question.name).styled()])
    guard question.isAboutSource else {
      return screen.showNote("\(question.name)?? shows its source.")
    }
    // Lua marks the names of files with "@", and those of other chunks with "=".
    guard let text = interpreter.sources[String(definition.chunkName.dropFirst())] else {
      return screen.showNote("Its source isn't known any more.")
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let range = max(definition.firstLine - 1, 0)..<max(definition.lastLine, definition.firstLine)
    screen.show(
      lines[range.clamped(to: lines.indices)].map { StyledText(String($0).printableLines) })
  }

  private func isModule(_ name: String) -> Bool {
    interpreter.app.modules.contains { $0.name == name }
  }

  fileprivate func showKeys() {
    showTable(KeyHelp.all)
    screen.showNote("~/.editrc changes keys: bind -v for vi's, bind \"^X\" command for others.")
  }

  fileprivate func setChanges(_ setting: String) throws {
    switch setting {
    case "on": monitor.detail = .folded
    case "off": monitor.detail = nil
    case "full": monitor.detail = .full
    case "": break
    default: throw CommandError(description: ".changes on|off|full, not \(setting.printable)")
    }
    switch monitor.detail {
    case nil: screen.showNote("changes are not shown")
    case .full?: screen.showNote("changes are shown in full")
    default: screen.showNote("changes are shown")
    }
  }

  fileprivate func pageLastValues() async throws {
    guard !lastValues.isEmpty else { return screen.showNote("no value so far") }
    guard screen.editor != nil else {
      return CurrentProcess.print(formatter.whole(of: lastValues))
    }
    let text = formatter.whole(of: lastValues, columns: screen.size.columns) + "\n"
    let pager = environment["PAGER"].flatMap { $0.isEmpty ? nil : $0 } ?? "less -R"
    let file = try TemporaryText(text, named: "value.txt")
    defer { file.remove() }
    let status = try await interpreter.runForeground(pager, on: file.path)
    if status != 0 { screen.showNote("\(pager.printable) ended with status \(status)") }
  }
}

/// The effects of the keys, for help and the guide.
enum KeyHelp {
  static let all: [(name: String, help: String)] = [
    ("Enter", "Runs the input if it is complete, else adds a line."),
    ("Alt-Enter", "Adds a line."),
    ("Tab", "Completes a name; again, selects among several."),
    ("Right", "At the end, accepts the suggestion in gray."),
    ("Up, Down", "Move between lines, then to earlier and later inputs with the same beginning."),
    ("Ctrl-R, Ctrl-S", "Search the history, backward and forward."),
    ("Ctrl-A, Ctrl-E", "Move to the beginning and the end of the line."),
    ("Ctrl-Left, Ctrl-Right", "Move by words; also Alt-B and Alt-F."),
    ("Ctrl-K, Ctrl-U, Ctrl-W", "Delete to the end of the line, the line, the word before."),
    ("Ctrl-Y, Alt-Y", "Insert what was deleted last, and what was deleted before that."),
    ("Ctrl-_, Alt-_", "Undo and redo an edit."),
    ("Ctrl-V", "Inserts the next key as it is."),
    ("Ctrl-X Ctrl-E", "Edits the input in $EDITOR."),
    ("Ctrl-L", "Clears the screen."),
    ("Ctrl-C", "Discards the input, or stops running code."),
    ("Ctrl-T", "While code waits, lets it continue in the background."),
    ("Ctrl-Z", "Suspends the program; fg continues."),
    ("Ctrl-D", "Without an input, leaves."),
  ]
}
