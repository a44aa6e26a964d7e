import PrimereplFoundation
import PrimereplPlatform
import StateStore

/// A worker's end of the connection to the runner: a socket, which it gets as its standard input.
final class WorkerConnection {
  private let descriptor: Int32
  private var lines = LineBuffer()
  private var requests: [[UInt8]] = []

  /// Moves the connection away from standard input, so that scenarios neither read from it nor pass it on.
  init() throws(WorkerError) {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
      throw .notStartedByRunner
    }
    descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    let nothing = open("/dev/null", O_RDONLY)
    guard descriptor >= 0, nothing >= 0, dup2(nothing, STDIN_FILENO) >= 0 else {
      throw .failed(reason: SystemCallError("dup").reason)
    }
    close(nothing)
    try endWithRunner()
  }

  /// Ends the process when the runner ends, even if a scenario never does, and the processes that scenarios started.
  private func endWithRunner() throws(WorkerError) {
    do throws(SystemThread.Unavailable) {
      try SystemThread.start { [descriptor] in
        #if os(Linux)
          let hangup = Int16(0x2000)  // POLLRDHUP
        #else
          let hangup = Int16(POLLHUP)
        #endif
        var waited = pollfd(fd: descriptor, events: hangup, revents: 0)
        while poll(&waited, 1, -1) < 0, errno == EINTR {}
        WorkerConnection.endGroup()
        _exit(EXIT_FAILURE)
      }
    } catch {
      throw .failed(reason: "\(error)")
    }
  }

  /// Ends the processes that scenarios started, and this one; unless it was started by hand, in another's group.
  private static func endGroup() {
    ChildProcesses.endAll()
    if getpgrp() == getpid() { kill(0, SIGKILL) }
  }

  /// Waits for the next request; nil if the runner closed the connection.
  func nextRequest() throws -> WorkerRequest? {
    while requests.isEmpty {
      var piece = [UInt8](repeating: 0, count: 64 * 1024)
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        Self.endGroup()
        return nil
      }
      requests = lines.append(piece.prefix(count))
    }
    return try MessageCoding.decode(requests.removeFirst())
  }

  func reply(_ reply: WorkerReply) throws {
    let message = try MessageCoding.encode(reply)
    do throws(SystemCallError) {
      try FileDescriptor.write(message, to: descriptor)
    } catch {
      throw WorkerError.failed(reason: error.reason)
    }
  }
}

typealias WorkerError = PlainError<WorkerConnection>

extension WorkerError {
  static var notStartedByRunner: Self {
    Self("not_started_by_runner", "This command is used by \"test\" only, which starts it.")
  }

  static func noOutputFile(in folder: String, reason: String) -> Self {
    Self(
      "no_output_file", "No file for the output of scenarios can be made in \(folder): \(reason).")
  }

  static func failed(reason: String) -> Self {
    Self("worker_failed", "The process that runs scenarios failed: \(reason).")
  }
}
