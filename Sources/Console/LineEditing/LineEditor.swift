import Foundation
import StateStore
import Synchronization
import Platform

/// Reads lines from a terminal with editing, history and completion.
///
/// libedit blocks while a line is edited, so it runs on its own queue. A process has one editor, on its standard
/// input and output.
final class LineEditor: LineReader {
  /// Why the line history can't be saved, if it can't; the prompt reports it when it opens.
  let historyFailure: LineHistoryError?

  private let queue = DispatchQueue(label: "line-editor")
  private let mailbox: EditorMailbox
  private let historyFile: LineHistoryFile?
  private let lastLine: Mutex<String?>

  // Safe: after init, it is used only on `queue`, which is serial.
  private nonisolated(unsafe) let libedit: Libedit

  /// Sets the terminal up and loads the line history.
  ///
  /// - Parameters:
  ///   - programName: The name that lines in the user's `.editrc` may be restricted to.
  ///   - historyFile: The path of the line history; nil for none.
  ///   - complete: Returns the candidates for `Completion` when Tab is pressed; it is called on the editor's thread.
  /// - Throws: `LineEditorError.terminalUnusable` or `SystemCallError`. An unusable history isn't thrown: see
  ///   `historyFailure`.
  init(
    programName: String, historyFile: String?,
    complete: @escaping @Sendable (_ lineUpToCursor: String) -> [String]
  ) throws {
    let mailbox = try EditorMailbox()
    self.mailbox = mailbox
    libedit = try Libedit(programName: programName, mailbox: mailbox, complete: complete)
    self.historyFile = historyFile.map(LineHistoryFile.init)
    let lines: [String]
    do throws(LineHistoryError) {
      lines = try self.historyFile?.load() ?? []
      historyFailure = nil
    } catch {
      lines = []
      historyFailure = error
    }
    lastLine = Mutex(lines.last)
    for line in lines { mailbox.add(historyLine: line) }
  }

  /// Edits a line; after `close`, returns `.endOfInput`.
  func readLine(prompt: String) async throws -> LineInput {
    mailbox.wakePipe.drain()
    // The editor has its own stream; what was printed so far comes first.
    fflush(nil)
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        continuation.resume(with: Result { try libedit.readLine(prompt: prompt) })
      }
    }
  }

  func interrupt() {
    mailbox.wakePipe.wake(UInt8(SIGINT))
  }

  /// Adds an entry to the line history, line by line.
  ///
  /// It ignores entries that start with a space, empty lines, and repetitions of the last line.
  ///
  /// - Throws: `LineHistoryError` if the line can't be saved, once; the line is kept in memory all the same.
  func remember(_ entry: String) throws(LineHistoryError) {
    guard entry.utf8.first != UInt8(ascii: " ") else { return }
    let lines = lastLine.withLock { last in
      entry.unicodeScalars.split(separator: "\n").map(String.init).filter { line in
        defer { last = line }
        return last.map(line.isExactly) != true
      }
    }
    for line in lines { mailbox.add(historyLine: line) }
    guard !lines.contains(where: Self.mayShowPassword) else { return }
    try historyFile?.append(lines)
  }

  /// Whether a line may contain a password, which is never written to disk: in code that sets it, or in an address.
  private static func mayShowPassword(_ line: String) -> Bool {
    line.localizedCaseInsensitiveContains("password") || line.contains(/(?i)(\/\/|https?:).*@/)
  }

  /// Writes text above the line being edited, or at the cursor if there is no such line; on any thread.
  ///
  /// - Parameter text: The text; a newline is added if it doesn't end in one.
  func printAbove(_ text: String) {
    mailbox.show(text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n") { text in
      // Like everything printed while no line is edited, and so in the same order.
      CurrentProcess.print(text, terminator: "")
    }
  }

  /// Restores the terminal; a waiting `readLine` returns `.endOfInput`, and so do all later calls.
  ///
  /// It waits for that only briefly: the editing thread may be waiting for the caller's actor to complete a word. The
  /// terminal's modes are restored in any case.
  func close() {
    mailbox.close()
    let idle = DispatchSemaphore(value: 0)
    queue.async { idle.signal() }
    if idle.wait(timeout: .now() + .milliseconds(500)) == .timedOut { TerminalModes.restore() }
  }
}

/// Text and history lines from other threads for the thread that edits lines.
final class EditorMailbox: Sendable {
  private struct Contents {
    var isEditing = false
    var isClosed = false
    var texts: [String] = []
    var historyLines: [String] = []
  }

  let wakePipe: WakePipe

  private let contents = Mutex(Contents())

  init() throws(SystemCallError) {
    wakePipe = try WakePipe()
  }

  var isClosed: Bool { contents.withLock(\.isClosed) }

  /// Makes the editor read no more lines.
  func close() {
    contents.withLock { $0.isClosed = true }
    wakePipe.wake(WakePipe.look)
  }

  func add(historyLine: String) {
    contents.withLock { $0.historyLines.append(historyLine) }
  }

  func takeHistoryLines() -> [String] {
    contents.withLock { contents in
      defer { contents.historyLines = [] }
      return contents.historyLines
    }
  }

  /// Leaves text to be shown above the line, or shows it at once if no line is being edited.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - show: Writes text to the terminal; no line begins or ends meanwhile.
  func show(_ text: String, directly show: (String) -> Void) {
    let isLeft = contents.withLock { contents in
      if contents.isEditing { contents.texts.append(text) } else { show(text) }
      return contents.isEditing
    }
    if isLeft { wakePipe.wake(WakePipe.look) }
  }

  func takeTexts() -> [String] {
    contents.withLock { contents in
      defer { contents.texts = [] }
      return contents.texts
    }
  }

  func beginLine() {
    contents.withLock { $0.isEditing = true }
  }

  /// Ends the line, and takes the texts that weren't shown.
  func endLine() -> [String] {
    contents.withLock { contents in
      contents.isEditing = false
      defer { contents.texts = [] }
      return contents.texts
    }
  }
}
