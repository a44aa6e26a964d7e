import PrimereplFoundation
import PrimereplPlatform
import StateStore
import Subprocess

/// The runner's side of a worker process: a connection for requests and replies, and a file for its output.
@MainActor
final class WorkerProcess {
  /// The end of the connection for requests; replies are read from a duplicate, which is closed at their end.
  private let socket: Int32
  private let output: Int32
  private let replies: AsyncStream<Result<WorkerReply, any Error>>
  private let process: Task<String, Never>
  private let stepFile: String?

  /// The deadline of the next reply; nil if the process is idle.
  var deadline: ContinuousClock.Instant?
  /// Whether it was ended because it didn't reply in time.
  private(set) var isOverdue = false
  private var ending: Task<Void, Never>?

  /// The time in which a process that is asked to end does so by itself.
  private static let patience = Duration.seconds(1)

  /// Starts a process by the path of the program and the arguments that make it a worker.
  ///
  /// If it `describesCrashes`, its output has the calls that led to a crash of Swift code.
  init(
    _ command: [String], describesCrashes: Bool, stepFile: String?
  ) throws(WorkerError) {
    self.stepFile = stepFile
    let environment = Self.environment(describesCrashes: describesCrashes)
    let given: Int32
    do throws(SystemCallError) {
      (socket, given) = try OpenDescriptors.makeSocketPair()
    } catch {
      throw .failed(reason: error.reason)
    }
    let outputFile = try Self.makeOutputFile()
    output = outputFile
    let duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    let ending = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    guard duplicate >= 0, ending >= 0 else {
      throw .failed(reason: SystemCallError("fcntl").reason)
    }
    do throws(SystemThread.Unavailable) {
      replies = try Self.replies(on: duplicate)
    } catch {
      throw .failed(reason: "\(error)")
    }
    process = Task {
      var group: pid_t?
      defer {
        // Replies end after those that were sent, even if a process that the worker left has its end of the connection.
        shutdown(ending, Int32(SHUT_RD))
        close(ending)
        // Processes that the scenarios left running; the worker itself has ended.
        if let group { kill(-group, SIGKILL) }
      }
      var options = PlatformOptions()
      options.processGroupID = 0
      do {
        let result = try await Subprocess.run(
          .path(.init(command.first ?? "")), arguments: .init(Array(command.dropFirst())),
          environment: environment, platformOptions: options,
          input: .fileDescriptor(.init(rawValue: given), closeAfterSpawningProcess: true),
          output: .fileDescriptor(.init(rawValue: outputFile), closeAfterSpawningProcess: false),
          error: .fileDescriptor(.init(rawValue: outputFile), closeAfterSpawningProcess: false)
        ) { group = $0.processIdentifier.value }
        switch result.terminationStatus {
        case .exited(let status): return "it exited with status \(status)"
        case .signaled(let signal):
          return "signal \(signal), \(String(cString: strsignal(signal)))"
        }
      } catch {
        return error.userMessage
      }
    }
  }

  isolated deinit {
    ending?.cancel()
    process.cancel()
    // The thread that reads replies has a duplicate.
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
    close(output)
  }

  /// The environment, with the user's settings of how Swift describes crashes, if there are any.
  private static func environment(describesCrashes: Bool) -> Environment {
    let name = "SWIFT_BACKTRACE"
    guard getenv(name) == nil else { return .inherit }
    let setting = describesCrashes ? "color=no,registers=none,images=none" : "enable=no"
    return .inherit.updating([Environment.Key(stringLiteral: name): setting])
  }

  /// A file without a name that is opened for appending, since two streams write to it.
  private static func makeOutputFile() throws(WorkerError) -> Int32 {
    let folder = FileManager.default.temporaryDirectory.path
    var path = Array("\(folder)/output-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else {
      throw .noOutputFile(in: folder, reason: SystemCallError("mkstemp").reason)
    }
    unlink(path)
    _ = fcntl(descriptor, F_SETFL, O_APPEND)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  /// The replies that arrive on a socket, which is closed at their end.
  ///
  /// A thread waits for them: a source of Dispatch now and then misses that the other end was closed.
  private nonisolated static func replies(
    on socket: Int32
  ) throws(SystemThread.Unavailable) -> AsyncStream<Result<WorkerReply, any Error>> {
    let (replies, continuation) = AsyncStream<Result<WorkerReply, any Error>>.makeStream()
    try SystemThread.start {
      var lines = LineBuffer()
      // Kept, since most replies are short.
      var piece = [UInt8](repeating: 0, count: 256 * 1024)
      while true {
        let count = recv(socket, &piece, piece.count, 0)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        for line in lines.append(piece.prefix(count)) {
          continuation.yield(Result { try MessageCoding.decode(line) })
        }
      }
      continuation.finish()
      close(socket)
    }
    return replies
  }

  func send(_ request: WorkerRequest) throws {
    var rest = try MessageCoding.encode(request)[...]
    while !rest.isEmpty {
      #if os(Linux)
        let flags = Int32(MSG_NOSIGNAL)
      #else
        let flags: Int32 = 0
      #endif
      let count = rest.withUnsafeBytes {
        PrimereplFoundation.send(socket, $0.baseAddress, $0.count, flags)
      }
      guard count > 0 || (count < 0 && errno == EINTR) else {
        throw WorkerError.failed(reason: SystemCallError("send").reason)
      }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  /// Waits for the next reply; nil if the process has ended.
  func nextReply() async throws -> WorkerReply? {
    for await reply in replies { return try reply.get() }
    return nil
  }

  func endIfOverdue(at now: ContinuousClock.Instant) {
    guard let deadline, now > deadline else { return }
    isOverdue = true
    self.deadline = nil
    end()
  }

  /// Ends the process and what it started, whatever it does now.
  func end() {
    guard ending == nil else { return }
    // It sees that the connection ends, and knows best what it started.
    shutdown(socket, Int32(SHUT_WR))
    ending = Task { [process] in
      do {
        try await Task.sleep(for: Self.patience)
      } catch {
        // The process has ended.
        return
      }
      process.cancel()
    }
  }

  /// The steps of the property that it ran last.
  func steps() -> [String] { stepFile.map { StepRecord.steps(in: $0) } ?? [] }

  /// Waits for the end of the process; returns how it ended, and the output that it didn't report.
  func ended() async -> (status: String, output: String) {
    (await process.value, CapturedOutput.text(of: output))
  }
}
