import Lua
@preconcurrency import PrimereplFoundation
import PrimereplPlatform
import StateStore
import Synchronization

/// The process's command line, environment and standard streams, as texts that keep all bytes
/// (see `String.init(systemBytes:)`).
package enum CurrentProcess {
  static var arguments: [String] {
    let arguments = UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return arguments.compactMap { argument in argument.map(text) }
  }

  /// Replaces an argument, also in the memory from which the system shows the command line; as much of
  /// the other as there is room for.
  static func replaceArgument(_ argument: String, by other: String) {
    for case let start? in UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    where text(start) == argument {
      let size = strlen(start)
      let bytes = other.systemBytes.prefix(size)
      memset(start, 0, size)
      for (offset, byte) in bytes.enumerated() { start[offset] = CChar(bitPattern: byte) }
    }
  }

  /// The name that the program was started by, for help and messages.
  static let name = FilePath.name(of: arguments.first ?? "")

  static var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    // U+FFFD, which stands for invalid bytes, begins with this byte.
    for (name, value) in environment where value.utf8.contains(0xEF) {
      environment[name] = getenv(name).map(text)
    }
    return environment
  }

  static func variable(_ name: String) -> String? { getenv(name).map(text) }

  private static func text(_ start: UnsafeMutablePointer<CChar>) -> String {
    String(systemBytes: UnsafeRawBufferPointer(start: start, count: strlen(start)))
  }

  package static var executable: String {
    #if os(Linux)
      // Bundle.main would make starting 10 % slower.
      "/proc/self/exe"
    #else
      Bundle.main.executablePath ?? arguments.first ?? ""
    #endif
  }

  /// Nil if standard output isn't a terminal.
  static var terminalWidth: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Opens `/dev/null` for each standard stream that is closed, so that no file opened later takes its descriptor.
  ///
  /// Call it before anything opens a file, which includes Dispatch.
  static func occupyClosedStreams() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      // `open` gives the lowest free descriptor, this one. With the wrong mode, using the stream still fails.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes text of any bytes, from Lua or a user, to standard output.
  static func print(_ text: String, terminator: String = "\n") {
    // Buffered output comes first.
    flush()
    write((text + terminator).systemBytes, to: STDOUT_FILENO)
  }

  /// Writes as much as can be written; a failure of standard output is reported when the process exits.
  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    do throws(SystemCallError) {
      try OutputWait.around { () throws(SystemCallError) in
        try FileDescriptor.write(bytes, to: descriptor)
      }
    } catch {
      if descriptor == STDOUT_FILENO { outputFailure.store(error.errorNumber, ordering: .relaxed) }
    }
  }

  /// Writes what is buffered, by code as well.
  static func flush() {
    OutputWait.around {
      if fflush(stdout) != 0 {
        // A signal is no failure of the file.
        if errno == EINTR {
          clearerr(stdout)
        } else {
          outputFailure.store(errno, ordering: .relaxed)
        }
      }
      fflush(nil)
    }
  }

  /// The number of the last error of standard output, other than scripts had; 0 if there was none.
  private static let outputFailure = Atomic<Int32>(0)

  /// When the process exits, reports that its standard output couldn't be written, unless its reader is gone.
  ///
  /// It runs last if it is registered first.
  static func checkOutputAtExit() { atexit { CurrentProcess.checkOutput() } }

  private static func checkOutput() {
    flush()
    let failures = [outputFailure.load(ordering: .relaxed), LuaState.outputFailure]
    let failure = failures.first { $0 != 0 }
    guard failure != nil || ferror(stdout) != 0, failure != EPIPE else { return }
    let reason = failure.map { ": \(String(cString: strerror($0)))" } ?? ""
    Diagnostics.print("cannot write standard output\(reason)")
    _exit(EXIT_FAILURE)
  }
}
