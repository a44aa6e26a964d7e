import StateStore
import Foundation

/// What a helper process is to do, and within which limits: its side of `PrimeHelper`.
public struct PrimeHelperTask: Equatable, Sendable {
  let computation: PrimeComputation
  /// How many cores it may use.
  let cores: Int
  /// How many bytes of memory it may use; nil for any number.
  let memoryLimit: Int?

  init(computation: PrimeComputation, cores: Int, memoryLimit: Int?) {
    self.computation = computation
    self.cores = cores
    self.memoryLimit = memoryLimit
  }

  /// Reads the form that `arguments` writes.
  ///
  /// - Throws: `PrimeError.invalidHelperArguments` or `PrimeError.ordinalOutOfRange`.
  public init(arguments: [String]) throws {
    guard [4, 6].contains(arguments.count), arguments[2] == "cores", let cores = Int(arguments[3]),
      cores >= 1
    else { throw PrimeError.invalidHelperArguments(arguments) }
    var memoryLimit: Int?
    if arguments.count == 6 {
      guard arguments[4] == "memory", let limit = Int(arguments[5]), limit >= 0 else {
        throw PrimeError.invalidHelperArguments(arguments)
      }
      memoryLimit = limit
    }
    self.init(
      computation: try PrimeComputation(arguments: Array(arguments.prefix(2))), cores: cores,
      memoryLimit: memoryLimit)
  }

  /// The task as arguments of a command: `nth 17 cores 2`, and `memory 67108864` where that is limited.
  var arguments: [String] {
    computation.arguments + ["cores", "\(cores)"] + (memoryLimit.map { ["memory", "\($0)"] } ?? [])
  }

  /// Does the computation, and gives the line to print.
  ///
  /// It blocks the thread, and is for a process of its own: its standard input ends it, and it stays within its limits
  /// from then on.
  ///
  /// - Returns: The answer in decimal digits.
  /// - Throws: `PrimeError`, or an error with the code `no_threads`.
  public func run() throws -> String {
    // Ctrl-C at a terminal comes to all processes there. What it is to stop, the one that asked knows.
    signal(SIGINT, SIG_IGN)
    try Lifeline.follow(STDIN_FILENO)
    if let memoryLimit { limitMemory(to: memoryLimit) }
    try PrimecountLibrary.loaded().setThreadCount(Int32(clamping: cores))
    return "\(try computation.run())"
  }

  /// Whether it was the limit of memory that ended a helper, by what it said.
  func isOutOfMemory(_ diagnostics: some StringProtocol) -> Bool {
    // The first is C++'s, of libprimecount; the others are those of OpenMP, and of our own code.
    ["bad_alloc", "Thread creation failed", "no thread", "ulimit -v"].contains {
      diagnostics.contains($0)
    }
  }

  /// Limits what the process may use besides what it uses now.
  ///
  /// Its data, not its address space: that counts what is reserved and never used, too. It is no failure where the system
  /// knows no such limit, as macOS.
  private func limitMemory(to bytes: Int) {
    #if os(Linux)
      let total = rlim_t(clamping: bytes.addingReportingOverflow(Self.usedMemory).partialValue)
      var limit = rlimit(rlim_cur: total, rlim_max: total)
      setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    #endif
  }

  #if os(Linux)
    /// The bytes of data that the process has, as its limit counts them.
    private static var usedMemory: Int {
      guard let file = fopen("/proc/self/statm", "r") else { return 0 }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
      let numbers = line.split(separator: CChar(bitPattern: UInt8(ascii: " ")))
      // proc(5): the sixth number is that of the pages of data and stack.
      guard numbers.count > 5 else { return 0 }
      let pages = Int(String(decoding: numbers[5].map(UInt8.init(bitPattern:)), as: UTF8.self))
      return (pages ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
  #endif
}

/// The socket that ends a process with the one that has its other end.
private enum Lifeline {
  /// Ends this process when a socket's other end is closed; what isn't a socket, such as a terminal, ends nothing.
  static func follow(_ descriptor: Int32) throws(Threads.Unavailable) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    try Threads.start { _ in
      var byte: UInt8 = 0
      while true {
        let count = read(STDIN_FILENO, &byte, 1)
        guard count > 0 || (count < 0 && errno == EINTR) else { _exit(EXIT_FAILURE) }
      }
    }
  }
}
