import ArgumentParser
import Lua
@preconcurrency import PrimereplFoundation
import PrimereplPlatform
import StateStore
import Synchronization

/// Messages on standard error, and the exit status that goes with them.
enum Diagnostics {
  /// The status after Ctrl-C: 128 plus the number of SIGINT, as in shells.
  static let interruption = ExitCode(130)

  static func report(_ error: any Error) {
    print(text(of: error))
  }

  static func text(of error: any Error) -> String {
    [error.userMessage, (error as? LuaError)?.traceback].compactMap(\.self).joined(separator: "\n")
  }

  static func print(_ message: String) {
    // Output of scripts comes first if both go to the same place.
    CurrentProcess.flush()
    write(message)
  }

  /// Writes a message from a thread other than the one that runs code.
  ///
  /// The code may be in the middle of writing: what it has printed comes first only if that needs no waiting.
  static func printWithoutWaiting(_ message: String) {
    if isWritable(STDOUT_FILENO), ftrylockfile(stdout) == 0 {
      fflush(stdout)
      funlockfile(stdout)
    }
    if isWritable(STDERR_FILENO) { write(message) }
  }

  /// Whether a few thousand bytes can be written without waiting for the reader.
  private static func isWritable(_ descriptor: Int32) -> Bool {
    var waited = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
    return poll(&waited, 1, 100) > 0 && waited[0].revents & Int16(POLLOUT) != 0
  }

  /// The line of a message, which begins with the name of the command, without secrets.
  static func line(of message: String) -> String {
    let shown = hiddenAddresses.withLock { addresses in
      addresses.reduce(message) { $0.replacing($1.address, with: $1.shown) }
    }
    return "\(CurrentProcess.name): \(Secret.hidden(in: shown).printableLines)\n"
  }

  private static let hiddenAddresses = Mutex<[(address: String, shown: String)]>([])

  /// Replaces a server's address in all later messages.
  static func hide(_ address: String, showing shown: String) {
    hiddenAddresses.withLock { $0.append((address, shown)) }
  }

  private static func write(_ message: String) {
    CurrentProcess.write(Array(line(of: message).utf8), to: STDERR_FILENO)
  }

  /// Runs a command, and reports its error.
  @MainActor
  static func status(
    describing text: (any Error) -> String = text, of command: () async throws -> Void
  ) async -> ExitCode {
    do {
      try await command()
      return .success
    } catch let code as ExitCode {
      return code
    } catch let error as ValidationError {
      print(error.message)
      return .validationFailure
    } catch {
      print(text(error))
      return status(of: error)
    }
  }

  static func status(of error: any Error) -> ExitCode {
    (error as? LuaError)?.is(.interrupted) == true ? interruption : .failure
  }
}

/// An error of the command itself.
struct CommandError: Error, Equatable, CustomStringConvertible {
  let description: String

  static func scriptUnreadable(_ path: String, reason: String) -> Self {
    Self(description: "cannot read \(FilePath.shown(path)): \(reason)")
  }

  static func badPath(_ path: String, _ problem: FilePath.Problem) -> Self {
    Self(description: "\(path.printable(limit: 100)): \(problem.reason)")
  }

  static func notStarted(_ program: String, reason: String) -> Self {
    Self(description: "cannot start \(program): \(reason)")
  }

  /// Ctrl-C was pressed while a script was read.
  static let interrupted = Self(description: "interrupted")
}
