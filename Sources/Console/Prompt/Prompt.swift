import ArgumentParser
import Lua
@preconcurrency import PrimereplFoundation
import PrimereplLineEditing
import PrimereplPage
import PrimereplPlatform
import PrimereplTerminal
import Scenarios
import Scripting
import StateStore

/// The interactive prompt: reads code and dot commands, runs them, and shows their results and changes.
@MainActor
final class Prompt {
  let interpreter: Interpreter
  let screen: PromptScreen
  let assistant: LuaAssistant
  let formatter: ValueFormatter
  let monitor: ChangeMonitor
  /// Nil without an editor.
  private let history: PromptHistory?
  let environment: [String: String]

  /// For `.save`.
  let transcript: SessionTranscript
  /// The results of the last expression, for `.page`, `.csv` and `.json`.
  var lastValues: [LuaValue] = []
  /// All calls that led to the last error, for `.traceback`; nil if there were none.
  var lastTraceback: String?
  /// The text of the last input that wasn't a dot command, for `.edit`.
  var lastCode = ""
  var inputCount = 0
  /// The code of the input that runs, which a dot command may contain; nil if it has none.
  var currentInput: ErrorReport.Input?
  private var hasFailed = false
  /// The suggestion at the next prompt, such as a corrected input.
  var suggestion: String?
  /// Nil except during `.travel`.
  var travelView: TravelView?
  /// Below the input; nil without watched values.
  var watchRow: WatchRow? { didSet { showWatchedValues() } }
  /// Nil while the prompt runs.
  var exitStatus: Int32?
  /// The values that `.expect` has pinned, for `.scenario`.
  var expectations: [PinnedExpectation] = []
  var recording: RecordingSession?
  var pageServer: PageServer?
  /// The files that `.csv` and `.json` have written, which they may write again.
  var writtenFiles: [String: FileVersion] = [:]

  /// The time between checks for actions of other processes and failures of tasks; a check takes some 50 microseconds.
  private static let checkInterval = Duration.milliseconds(250)

  /// `allowsColors` says whether colors may be used if the terminal has them.
  init(
    interpreter: Interpreter, environment: [String: String], allowsColors: Bool
  ) throws {
    self.interpreter = interpreter
    self.environment = environment
    assistant = LuaAssistant(state: interpreter.state, app: interpreter.app)
    assistant.dotCommands = DotCommand.all.map { ($0.name, $0.help, $0.argument) }
    formatter = try ValueFormatter(app: interpreter.app, state: interpreter.state)
    let secrets = InputSecrets(of: interpreter.app)
    transcript = SessionTranscript(
      of: interpreter.app, in: interpreter.state, without: secrets)
    let files = UserFiles(of: interpreter.console, in: environment)
    (screen, history) = try Self.makeScreen(
      environment, files, allowsColors, assistant, secrets)
    let screen = screen
    monitor = ChangeMonitor(of: interpreter.app, on: screen)
    monitor.whenChanged = { [weak self] in self?.showWatchedValues() }
    monitor.whenReported = { [weak self] in self?.followReport() }
    interpreter.app.help.width = { MainActor.assumeIsolated { screen.size.columns } }
    screen.editor?.editExternally = { [weak self] text in await self?.edited(text) }
    interpreter.termination?.beforeEnd = { screen.close() }
  }

  var store: Store { interpreter.app.store }
  var state: LuaState { interpreter.state }

  // MARK: - The loop

  /// Runs until the input ends or the user leaves; throws `ExitCode` for a status other than 0.
  func run(showsBanner: Bool) async throws {
    interpreter.beginPrompt()
    interpreter.session?.whileReloading = { [monitor, interpreter] reload in
      try monitor.reload(reload) { interpreter.session?.remoteActions ?? RemoteActions() }
    }
    defer {
      pageServer?.stop()
      screen.close()
    }
    if showsBanner { screen.say(banner) }
    do {
      try await monitor.runStartupFile { try await runStartupFile() }
    } catch {
      show(error, of: "")
    }
    while exitStatus == nil {
      switch try await read() {
      case .text(let text): await handle(text)
      case .interrupted: suggestion = nil
      case .endOfInput: if try await confirmsLeaving() { exitStatus = 0 }
      }
    }
    await updateRecording()
    try leave(with: exitStatus ?? 0)
  }

  private func runStartupFile() async throws {
    let path = try UserFiles(of: interpreter.console, in: environment).startupFile
    guard FileSystem.canAccess(path) else { return }
    try await interpreter.runScript(path, arguments: [])
  }

  private func leave(with status: Int32) throws {
    if screen.editor == nil { print() }
    CurrentProcess.flush()
    if status != 0 { throw ExitCode(status) }
  }

  private func handle(_ text: String) async {
    suggestion = nil
    currentInput = nil
    hasFailed = false
    guard text.contains(where: { !$0.isWhitespace }) else { return }
    interpreter.session?.reload()
    let secretCount = Secret.count
    do {
      if let invocation = DotCommand.Invocation(text) {
        try await DotCommand.run(invocation, in: self)
      } else if let question = HelpQuestion(text) {
        try answer(question)
      } else if let name = unknownNameInHelp(text) {
        try showHelp(on: name)
      } else if let advice = advice(on: text) {
        screen.showNote(advice)
      } else {
        await run(text)
      }
    } catch {
      show(error, of: text)
    }
    let outcome = (madeSecret: Secret.count != secretCount, hasFailed: hasFailed)
    showFailures()
    await updateRecording()
    history?.add(text, madeSecret: outcome.madeSecret, hasFailed: outcome.hasFailed)
    interpreter.session?.save()
    CurrentProcess.flush()
  }

  /// Advice on a word that many prompts know and this one doesn't; nil for other texts.
  private func advice(on text: String) -> String? {
    // Without a copy of the text, which may be long.
    let start = text.drop(while: \.isWhitespace)
    let word = start.prefix { !$0.isWhitespace }
    guard start[word.endIndex...].isBlank else { return nil }
    let name = word.hasSuffix("()") ? String(word.dropLast(2)) : String(word)
    switch name {
    case "exit", "quit":
      // A script may have a global of that name.
      return isGlobal(name) ? nil : "Ctrl-D or .quit leaves."
    case "help" where word == "help": return interpreter.app.help.usage
    default: return nil
    }
  }

  /// The name in `help(conter)` if it is no variable: its value, nil, would ask for the list of modules.
  private func unknownNameInHelp(_ text: String) -> String? {
    let call = /\s*help\s*\(\s*(?<name>[A-Za-z_][A-Za-z0-9_]*)\s*\)\s*/
    guard let match = text.wholeMatch(of: call), match.name != "nil",
      !isGlobal(String(match.name))
    else { return nil }
    return String(match.name)
  }

  private func isGlobal(_ name: String) -> Bool {
    do throws(LuaError) {
      return try state.globals().rawGet(name) != .nil
    } catch {
      return false
    }
  }

  private func confirmsLeaving() async throws -> Bool {
    let count = state.tasks.count
    guard count > 0, screen.editor != nil else { return true }
    let tasks = count == 1 ? "1 task still runs" : "\(count) tasks still run"
    return try await screen.ask("\(tasks). Leave?")
  }

  // MARK: - Reading

  /// Reads an input; meanwhile the actions of other processes are reloaded, and failures of tasks shown.
  private func read() async throws -> LineEditor.Input {
    let checking = Task { await checkRepeatedly() }
    defer { checking.cancel() }
    showWatchedValues()
    return try await interpreter.whileReading(screen.interrupt) {
      try await screen.read(
        prompt: promptText, suggestion: suggestion, verdict: assistant.verdict(on:))
    }
  }

  /// The prompt; with the number of undone actions, if there are any: `-2> `.
  private var promptText: StyledText {
    let undone = store.reachable.upperBound - store.position
    return StyledText(undone == 0 ? "> " : "-\(undone)> ", .bold)
  }

  /// Shows where actions that no command sent have left the history.
  private func followReport() {
    reloadTravelView()
    screen.editor?.setPrompt(promptText)
  }

  private func checkRepeatedly() async {
    while true {
      do {
        try await Task.sleep(for: Self.checkInterval)
      } catch {
        // Cancelled: the input is complete.
        return
      }
      reloadChangedApp()
      showFailures()
    }
  }

  // MARK: - Showing

  private func showWatchedValues() {
    screen.editor?.status = watchRow.map { $0.row(of: store, columns: screen.size.columns) }
  }

  /// Shows an error and remembers it; `text` is empty for one that isn't of an input.
  func show(_ error: any Error, of text: String) {
    hasFailed = true
    guard let error = error as? LuaError else {
      lastTraceback = nil
      return screen.report([StyledText(error.userMessage, .error)])
    }
    var input = text.isEmpty ? nil : currentInput
    if error.is(.syntax), let code = input?.text,
      case .fault(let offset, _) = assistant.verdict(on: code)
    {
      input?.fault = offset
    }
    show(ErrorReport(error, in: input, errorContext))
    if let code = input?.text, let correction = suggestion, text.hasSuffix(code) {
      // The dot command before the code.
      suggestion = text.dropLast(code.count) + correction
    }
  }

  /// Shows the failures of tasks and subscribers since the last time.
  private func showFailures() {
    var reports = FailureReports()
    for failure in state.takeTaskFailures() where reports.shouldReportNext() {
      show(ErrorReport(failure, in: nil, errorContext, title: "task failed: "))
    }
    if let rest = reports.rest(of: "task") { screen.report([StyledText(rest, .error)]) }
    interpreter.reportRemainingFailures()
  }

  private func show(_ report: ErrorReport) {
    lastTraceback = report.fullTraceback
    suggestion = report.correction
    screen.report(report.lines)
  }

  private var errorContext: ErrorReport.Context {
    var context = interpreter.errorContext
    context.columns = screen.size.columns
    context.show = { [formatter, screen] value in
      formatter.line(of: value, columns: screen.size.columns)
    }
    return context
  }
}

extension Prompt {
  private static func makeScreen(
    _ environment: [String: String], _ files: UserFiles, _ allowsColors: Bool,
    _ assistant: LuaAssistant, _ secrets: InputSecrets
  ) throws -> (PromptScreen, PromptHistory?) {
    guard LineEditor.canEdit(environment) else {
      return (PromptScreen(plainReader: try PlainLineReader()), nil)
    }
    let history = PromptHistory(in: files, without: secrets)
    let hasColors = allowsColors && TerminalColors.areUsed(in: environment)
    let editor = try LineEditor(
      environment: environment, delegate: assistant, history: history.inputs,
      keyMap: keyMap(in: files), usesColors: hasColors)
    // A script's `io.read` takes no more than it returns: the lines typed after that are for the next input.
    setvbuf(stdin, nil, _IONBF, 0)
    return (PromptScreen(editor: editor, hasColors: hasColors), history)
  }

  /// The keys of the line editor, with those of the user's `.editrc`; reports what is wrong with that.
  private static func keyMap(in files: UserFiles) -> KeyMap {
    var keyMap = KeyMap.emacs
    do {
      let path = try files.keyBindings
      guard FileSystem.canAccess(path, R_OK) else { return keyMap }
      let text = String(systemBytes: try FileSystem.contents(of: path))
      let problems = EditrcFile.apply(text, program: CurrentProcess.name, to: &keyMap)
      for problem in problems {
        Diagnostics.print("\(path):\(problem.line): \(problem.message)")
      }
    } catch {
      Diagnostics.report(error)
    }
    return keyMap
  }

  /// The lines to show first: the program's name and how to begin; in a session that continues, also its last action.
  private var banner: [StyledText] {
    let version = interpreter.console.versionLine
    let title =
      if let app = interpreter.console.appFiles?.name.printable {
        StyledText(app, .bold) + StyledText(" runs in \(version).")
      } else {
        StyledText(version, .bold) + StyledText(" drives an app's state from Lua.")
      }
    var lines = [
      title,
      StyledText(
        "help() lists the modules, .help the commands; Tab completes, Ctrl-D leaves.", .dim),
    ]
    guard let session = interpreter.session else { return lines }
    if session.isRemote {
      lines.append(StyledText("The session is shared: \(session.location.printable)", .dim))
    }
    if let last = store.lastAction {
      let actions = store.reachable.upperBound.counted("action")
      let time = ActionClock().text(last.time)
      let text = interpreter.app.texts.text(of: last.action).onOneLine
      lines.append(
        StyledText(
          "Continuing the session of \(time), \(actions); last: \(text). .history lists them.", .dim
        ))
    }
    return lines
  }
}
