import PrimereplFoundation
import PrimereplPlatform
import StateStore
import Subprocess
import SystemPackage

/// A command that does a single computation with primes, so that it can be killed.
///
/// It ends with the process that started it, however that ends: its standard input is a socket whose other end only
/// that process has, so it then reads the end of the input. (Linux could also send a signal when a parent ends, but
/// it does so when the parent's thread ends, and not if the parent ended before the signal was requested.)
public struct PrimeHelper: Sendable {
  /// An answer is a single number; output longer than this is something else.
  private static let outputLimit = 1024
  private static let diagnosticLimit = 64 * 1024

  private let executable: String
  private let arguments: [String]
  private let memoryLimit: Int?

  /// Makes a helper.
  ///
  /// - Parameters:
  ///   - executable: The path of the command.
  ///   - arguments: Its first arguments. The arguments of `PrimeHelperTask` follow them. It prints the answer on one
  ///     line, as `PrimeHelperTask.run()` returns it.
  ///   - memoryLimit: The number of bytes that a computation may use; nil for no limit.
  public init(executable: String, arguments: [String] = [], memoryLimit: Int? = nil) {
    self.executable = executable
    self.arguments = arguments
    self.memoryLimit = memoryLimit
  }

  /// Runs the command for a computation; cancelling the task kills it.
  ///
  /// It throws `PrimeError.helperFailed`, `PrimeError.outOfMemory` or `CancellationError`.
  func answer(to computation: PrimeComputation) async throws -> Int {
    let task = PrimeHelperTask(computation: computation, memoryLimit: memoryLimit)
    let result = try await run(task)
    // A killed command can end in several ways; all of them mean cancellation.
    try Task.checkCancellation()
    let output = result.standardOutput.trimmingWhitespace
    guard result.terminationStatus.isSuccess else {
      let diagnostics = result.standardError.trimmingWhitespace
      if let memoryLimit, task.isOutOfMemory(diagnostics) {
        throw PrimeError.outOfMemory(limit: memoryLimit)
      }
      throw failure(
        "ended with \(result.terminationStatus)"
          + (diagnostics.isEmpty ? "" : ": \(diagnostics.printable(limit: 200))"))
    }
    guard let answer = Int(output) else {
      throw failure("answered \"\(output.printable(limit: 200))\", which is not a number")
    }
    return answer
  }

  private func run(
    _ task: PrimeHelperTask
  ) async throws -> ExecutionResult<Void, StringOutput<UTF8>, StringOutput<UTF8>> {
    let lifeline: (kept: Int32, given: Int32)
    do throws(SystemCallError) {
      lifeline = try OpenDescriptors.makeSocketPair()
    } catch {
      throw failure(error.reason)
    }
    // The child stays connected as long as this process keeps its end.
    defer { close(lifeline.kept) }
    var options = PlatformOptions()
    // Ctrl-C at a terminal doesn't reach another process group: this process decides what it stops.
    options.processGroupID = 0
    do {
      return try await Subprocess.run(
        .path(.init(executable)), arguments: .init(arguments + task.arguments),
        platformOptions: options,
        input: .fileDescriptor(
          FileDescriptor(rawValue: lifeline.given), closeAfterSpawningProcess: true),
        output: .string(limit: Self.outputLimit), error: .string(limit: Self.diagnosticLimit))
    } catch {
      try Task.checkCancellation()
      throw failure("\(error)")
    }
  }

  private func failure(_ reason: String) -> PrimeError {
    PrimeError.helperFailed(reason: "\(executable): \(reason)")
  }
}

// MARK: - The helper's side

/// The computation of a helper process, and its limits: the helper's side of `PrimeHelper`.
package struct PrimeHelperTask: Equatable, Sendable {
  let computation: PrimeComputation
  /// In bytes; nil for no limit.
  let memoryLimit: Int?
}

extension PrimeHelperTask {
  /// Parses the form that `arguments` writes.
  ///
  /// - Throws: `PrimeError.invalidHelperArguments` or `PrimeError.ordinalOutOfRange`.
  package init(arguments: [String]) throws {
    guard arguments.count == 3, let number = Int(arguments[1]), let limit = Int(arguments[2]),
      limit >= 0
    else { throw PrimeError.invalidHelperArguments(arguments) }
    switch arguments[0] {
    case "nth": computation = try .nth(checking: number)
    case "count": computation = .count(upTo: number)
    default: throw PrimeError.invalidHelperArguments(arguments)
    }
    memoryLimit = limit == 0 ? nil : limit
  }

  /// The task as the command's arguments: `nth 17 67108864`, or `nth 17 0` without a limit.
  var arguments: [String] {
    "\(computation) \(memoryLimit ?? 0)".split(separator: " ").map(String.init)
  }

  /// Does the computation, and returns the line to print.
  ///
  /// It blocks the thread, and needs a dedicated process: the end of standard input ends the process, and the limits
  /// apply from then on.
  ///
  /// - Throws: `PrimeError`, or `SystemThread.Unavailable`.
  package func run() throws -> String {
    try Lifeline.follow(STDIN_FILENO)
    if let memoryLimit { limitMemory(to: memoryLimit) }
    return "\(try computation.run())"
  }

  /// Whether the memory limit ended a helper, judging by its error output.
  func isOutOfMemory(_ diagnostics: String) -> Bool {
    // The first is C++'s, from libprimecount; the others are from OpenMP and our own code.
    ["bad_alloc", "Thread creation failed", "ulimit -v"].contains {
      diagnostics.contains($0)
    }
  }

  /// Limits the memory that the process may use beyond what it uses now.
  ///
  /// The limit is on data, not on address space, which includes memory that is reserved but never used. On a system
  /// without such a limit, such as macOS, this does nothing.
  private func limitMemory(to bytes: Int) {
    #if os(Linux)
      let total = rlim_t(clamping: bytes.addingReportingOverflow(ProcessMemory.data).partialValue)
      var limit = rlimit(rlim_cur: total, rlim_max: total)
      setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    #endif
  }
}

/// The socket that makes a process end with the process at its other end.
private enum Lifeline {
  /// Ends this process when a socket's other end is closed; ignores a descriptor that isn't a socket, such as a
  /// terminal.
  static func follow(_ descriptor: Int32) throws(SystemThread.Unavailable) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    try SystemThread.start {
      var byte: UInt8 = 0
      while true {
        let count = read(STDIN_FILENO, &byte, 1)
        guard count > 0 || (count < 0 && errno == EINTR) else { _exit(EXIT_FAILURE) }
      }
    }
  }
}
