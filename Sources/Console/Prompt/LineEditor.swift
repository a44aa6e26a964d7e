import StateStore
import Foundation
import Synchronization

/// Reads lines from a terminal with editing, history and completion.
///
/// libedit blocks while a line is edited, so it works on a queue of its own, and the caller's actor is
/// free meanwhile. A process has one editor, on its standard input and output.
final class LineEditor: LineReader {
  /// Why the history isn't kept in its file, if it isn't; to be told once, when the prompt opens.
  let historyFailure: LineEditorError?

  private let queue = DispatchQueue(label: "line-editor")
  private let mailbox: EditorMailbox
  private let historyFile: HistoryFile?
  private let lastRemembered: Mutex<String?>

  // Safe: after init, only blocks on `queue`, which is serial, use the session.
  private nonisolated(unsafe) let session: EditSession

  /// Sets the terminal up and loads the history.
  ///
  /// - Parameters:
  ///   - programName: The name that lines in the user's `.editrc` may be restricted to.
  ///   - historyFile: Where lines are remembered for the next session; nil for nowhere.
  ///   - complete: Gives what the line up to the cursor could become when Tab is pressed, as
  ///     `Completion` describes; it is called on the editor's own thread.
  /// - Throws: `LineEditorError.terminalUnusable` or `systemCallFailed`. A history file that can't be
  ///   read is no reason to throw; `historyFailure` tells.
  init(
    programName: String, historyFile: String?,
    complete: @escaping @Sendable (_ lineUpToCursor: String) -> [String]
  ) throws(LineEditorError) {
    let mailbox = try EditorMailbox()
    self.mailbox = mailbox
    session = try EditSession(programName: programName, mailbox: mailbox, complete: complete)
    self.historyFile = historyFile.map(HistoryFile.init)
    let lines: [String]
    do throws(LineEditorError) {
      lines = try self.historyFile?.load() ?? []
      historyFailure = nil
    } catch {
      lines = []
      historyFailure = error
    }
    lastRemembered = Mutex(lines.last)
    for line in lines { mailbox.add(historyLine: line) }
  }

  /// Edits a line; the caller's actor is free meanwhile.
  ///
  /// - Parameter prompt: What to show before the line. It may contain ANSI colour sequences, and
  ///   should end in a plain space.
  /// - Returns: The line, or why there is none; after `close`, always `.endOfInput`.
  /// - Throws: `LineEditorError.inputUnreadable`.
  func readLine(prompt: String) async throws -> LineInput {
    mailbox.wakePipe.drain()
    // The editor has a stream of its own; what was printed so far has to come first.
    fflush(nil)
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        continuation.resume(with: Result { try session.readLine(prompt: prompt) })
      }
    }
  }

  func interrupt() {
    mailbox.wakePipe.wake(UInt8(SIGINT))
  }

  /// Adds an entry to the history, line by line if it has several.
  ///
  /// An entry that starts with a space, empty lines and a line equal to the one before aren't kept.
  /// - Throws: `LineEditorError.historyUnwritable`, once; the entry is remembered for this session
  ///   all the same.
  func remember(_ entry: String) throws(LineEditorError) {
    guard entry.utf8.first != UInt8(ascii: " ") else { return }
    let lines = lastRemembered.withLock { last in
      entry.unicodeScalars.split(separator: "\n").map(String.init).filter { line in
        defer { last = line }
        return last.map(line.isExactly) != true
      }
    }
    for line in lines { mailbox.add(historyLine: line) }
    guard !lines.contains(where: Self.mayShowPassword) else { return }
    try historyFile?.append(lines)
  }

  /// Whether a line may hold a password, which isn't written to disk: what sets one shows it, and so does an address with one.
  private static func mayShowPassword(_ line: String) -> Bool {
    line.localizedCaseInsensitiveContains("password") || line.contains(/(?i)(\/\/|https?:).*@/)
  }

  /// Writes text above the line that is being edited, or where the cursor is if none is; on any
  /// thread.
  ///
  /// - Parameter text: What to show; a newline is added if it doesn't end in one.
  func printAbove(_ text: String) {
    mailbox.show(text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n") { text in
      // As everything else is printed while no line is edited, and so in the same order.
      CurrentProcess.print(text, terminator: "")
    }
  }

  /// Gives the terminal back: a `readLine` that waits returns `.endOfInput`, as all later ones do.
  ///
  /// It waits for that, but not for long: the editing thread may be waiting for the caller's actor to
  /// complete a word. The terminal's modes are restored in any case.
  func close() {
    mailbox.close()
    let idle = DispatchSemaphore(value: 0)
    queue.async { idle.signal() }
    if idle.wait(timeout: .now() + .milliseconds(500)) == .timedOut { TerminalModes.restore() }
  }
}
