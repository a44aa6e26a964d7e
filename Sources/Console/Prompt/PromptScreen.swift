import PrimereplFoundation
import PrimereplLineEditing
import PrimereplPlatform
import StateStore

/// The input and output of the prompt: a terminal with a line editor, or plain lines of a pipe, file or dumb terminal.
@MainActor
final class PromptScreen {
  /// Nil for plain lines.
  let editor: LineEditor?

  let hasColors: Bool

  private let plainReader: PlainLineReader?

  /// Whether the cursor may be in the middle of a line.
  private var mayBeInLine = false

  private static let plainSize = ScreenSize(columns: 80, rows: 24)

  init(editor: LineEditor, hasColors: Bool) {
    self.editor = editor
    self.hasColors = hasColors
    plainReader = nil
  }

  init(plainReader: PlainLineReader) {
    editor = nil
    hasColors = false
    self.plainReader = plainReader
  }

  var size: ScreenSize { editor?.screen ?? Self.plainSize }

  // MARK: - Writing

  /// Shows lines on standard output; above the block that is edited, if there is one.
  func show(_ lines: [StyledText]) { write(lines, to: STDOUT_FILENO) }

  /// Shows sentences on standard output, wrapped at words on a terminal.
  func say(_ lines: [StyledText]) { write(wrapped(lines), to: STDOUT_FILENO) }

  /// Shows an error on standard error, without secrets, wrapped at words on a terminal.
  func report(_ lines: [StyledText]) {
    let shown = lines.map { line in
      line.runs.reduce(StyledText()) {
        $0 + StyledText(Secret.hidden(in: $1.text), $1.style)
      }
    }
    write(wrapped(shown), to: STDERR_FILENO)
  }

  func showNote(_ text: String) { say([StyledText(text, .dim)]) }

  private func wrapped(_ lines: [StyledText]) -> [StyledText] {
    guard editor != nil else { return lines }
    let columns = size.columns
    return lines.flatMap { $0.columns > columns ? $0.wrapped(to: columns) : [$0] }
  }

  /// Marks that code has run, which may have left the cursor in the middle of a line.
  func markOutput() { mayBeInLine = editor != nil }

  private func write(_ lines: [StyledText], to descriptor: Int32) {
    guard !lines.isEmpty else { return }
    if let editor, editor.isEditing {
      for line in lines { editor.print(above: line) }
      return
    }
    // Output of scripts comes first.
    CurrentProcess.flush()
    let start = mayBeInLine ? freshLine : ""
    mayBeInLine = false
    let shown = editor == nil ? lines.map { StyledText($0.text) } : lines
    let text = start + shown.map { $0.terminalSequence(usingColors: hasColors) + "\n" }.joined()
    CurrentProcess.write(text.systemBytes, to: descriptor)
  }

  /// Moves to the next line unless the cursor is at the beginning of one: then the spaces fill just this line.
  private var freshLine: String { String(repeating: " ", count: size.columns) + "\r" }

  // MARK: - Reading

  /// Reads a block, for which the user can accept a suggestion; plain lines are read until they can be run.
  func read(
    prompt: StyledText, suggestion: String?, verdict: (String) -> InputVerdict
  ) async throws -> LineEditor.Input {
    if let editor { return await editor.read(prompt: prompt, suggestion: suggestion) }
    var text = ""
    while true {
      let continuation = String(repeating: ">", count: max(prompt.columns - 1, 1)) + "> "
      let shown = text.isEmpty ? prompt.text : continuation
      switch try await plainReader?.readLine(prompt: shown) ?? .endOfInput {
      case .interrupted: return .interrupted
      case .endOfInput: return text.isEmpty ? .endOfInput : .text(text)
      case .text(let line):
        text += text.isEmpty ? line : "\n" + line
        if verdict(text) != .incomplete { return .text(text) }
      }
    }
  }

  /// Discards the text being typed, as Ctrl-C does; on any thread.
  nonisolated func interrupt() {
    editor?.interrupt()
    plainReader?.interrupt()
  }

  /// Asks a question that is answered by y or n; Ctrl-C, like every other answer, means no.
  func ask(_ question: String) async throws -> Bool {
    if let editor { return await editor.ask(question) }
    guard case .text(let line) = try await plainReader?.readLine(prompt: "\(question) (y/n) ")
    else {
      return false
    }
    return ["y", "yes"].contains(line.trimmingWhitespace.lowercased())
  }

  func clear() {
    // ECMA-48: the cursor to the first place, then erase all.
    if editor != nil { CurrentProcess.write(Array("\u{1B}[H\u{1B}[2J".utf8), to: STDOUT_FILENO) }
  }

  /// Restores the terminal.
  func close() { editor?.close() }
}
