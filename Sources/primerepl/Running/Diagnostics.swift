import ArgumentParser
import Foundation
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
    write(Array(line(of: message).utf8)[...])
  }

  /// A message as it is written: it says who writes it.
  static func line(of message: String) -> String { "primerepl: \(message)\n" }

  /// Writes to standard error as far as that can be done: where nobody can be told, there is nothing left to do, and
  /// FileHandle would end the process.
  private static func write(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return
      }
    }
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
      return isInterruption(error) ? interruption : .failure
    }
  }

  /// Whether Ctrl-C is what ended the work.
  static func isInterruption(_ error: any Error) -> Bool {
    (error as? LuaError)?.is(.interrupted) == true
  }

  /// Whether the work was ended from outside: by Ctrl-C or by the limit of time.
  static func isStop(_ error: any Error) -> Bool {
    isInterruption(error) || (error as? LuaError)?.is(.timeLimit) == true
  }
}
