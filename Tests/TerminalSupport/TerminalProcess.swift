import Foundation
import Subprocess
import Synchronization

/// The process on a terminal.
final class TerminalProcess: Sendable {
  private struct State {
    var identifier: pid_t?
    var result: Result<TerminationStatus, any Error>?
  }

  private let state = Mutex(State())

  /// Its number while it runs.
  var identifier: pid_t? { state.withLock(\.identifier) }

  /// Its exit status once it has ended; an error if it couldn't be started.
  var result: Result<TerminationStatus, any Error>? { state.withLock(\.result) }

  /// Runs it to its end; it is killed when the task is cancelled.
  func run(_ configuration: Configuration) async {
    let result: Result<TerminationStatus, any Error>
    do {
      let ended = try await Subprocess.run(
        configuration, input: .none, output: .discarded, error: .discarded
      ) { execution in
        state.withLock { $0.identifier = execution.processIdentifier.value }
      }
      result = .success(ended.terminationStatus)
    } catch {
      result = .failure(error)
    }
    state.withLock { $0 = State(result: result) }
  }
}
