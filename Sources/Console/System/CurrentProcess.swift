import Foundation
import StateStore
import Platform

/// The process's command line, environment and standard streams, as texts that keep all bytes
/// (see `String.init(systemBytes:)`).
package enum CurrentProcess {
  static var arguments: [String] {
    let arguments = UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return arguments.compactMap { argument in argument.map(text) }
  }

  static var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    for (name, value) in environment where value.unicodeScalars.contains("\u{FFFD}") {
      environment[name] = getenv(name).map(text)
    }
    return environment
  }

  private static func text(_ start: UnsafeMutablePointer<CChar>) -> String {
    String(systemBytes: UnsafeRawBufferPointer(start: start, count: strlen(start)))
  }

  /// The path of the program's file.
  package static var executable: String {
    #if os(Linux)
      // Bundle.main would make starting 10 % slower.
      "/proc/self/exe"
    #else
      Bundle.main.executablePath ?? arguments.first ?? ""
    #endif
  }

  /// The number of columns of the terminal on standard output; nil if there is none.
  static var terminalWidth: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Opens `/dev/null` for each standard stream that is closed, so that no file opened later takes its descriptor.
  static func occupyClosedStreams() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      // `open` gives the lowest free descriptor, this one. With the wrong mode, using the stream still fails.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes text from Lua or a user to standard output, whatever its bytes.
  static func print(_ text: String, terminator: String = "\n") {
    let text = text + terminator
    guard text.hasSystemByte else { return Swift.print(text, terminator: "") }
    // What was printed before comes first.
    fflush(nil)
    write(text.systemBytes, to: STDOUT_FILENO)
  }

  /// Writes as much as can be written, as `print` does: an error here couldn't be reported anywhere.
  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    do throws(SystemCallError) {
      try FileDescriptor.write(bytes, to: descriptor)
    } catch {}
  }
}
