import ArgumentParser
import StateStore
@preconcurrency import Foundation
import Lua

/// Messages about what went wrong, on standard error.
enum Diagnostics {
  /// The status after Ctrl-C: 128 and the number of SIGINT, as shells have it.
  static let interruption = ExitCode(130)

  /// Writes an error's message, and its traceback if it has one.
  static func report(_ error: any Error) {
    note(text(of: error))
  }

  /// An error's message, and its traceback if it has one.
  static func text(of error: any Error) -> String {
    ["\(error)", (error as? LuaError)?.traceback].compactMap(\.self).joined(separator: "\n")
  }

  /// Writes a message that is no error.
  static func note(_ message: String) {
    // What scripts have printed comes first, when both go to one place.
    fflush(nil)
    write(message)
  }

  /// Writes a message that is no error, on another thread than the one that runs code: that may be in the middle of writing,
  /// and what was printed is written only if it isn't.
  static func noteWithoutWaiting(_ message: String) {
    if isWritable(STDOUT_FILENO), ftrylockfile(stdout) == 0 {
      fflush(stdout)
      funlockfile(stdout)
    }
    if isWritable(STDERR_FILENO) { write(message) }
  }

  /// Whether a few thousand bytes can be written without waiting for whoever reads them.
  private static func isWritable(_ descriptor: Int32) -> Bool {
    var waited = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
    return poll(&waited, 1, 100) > 0 && waited[0].revents & Int16(POLLOUT) != 0
  }

  /// A message as it is written: it says who writes it.
  ///
  /// Names, errors and what others did are from outside: their control characters are shown, not obeyed.
  static func line(of message: String) -> String {
    "\(Console.current.name): \(message.shownSystemText.escapingControls)\n"
  }

  private static func write(_ message: String) {
    CurrentProcess.write(Array(line(of: message).utf8), to: STDERR_FILENO)
  }

  /// Runs the command, reports what it throws, and says with which status to exit.
  @MainActor
  static func status(of command: () async throws -> Void) async -> ExitCode {
    do {
      try await command()
      return .success
    } catch let code as ExitCode {
      return code
    } catch {
      report(error)
      return status(of: error)
    }
  }

  /// The status to exit with after an error.
  static func status(of error: any Error) -> ExitCode {
    (error as? LuaError)?.is(.interrupted) == true ? interruption : .failure
  }
}
