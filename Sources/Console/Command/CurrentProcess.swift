import StateStore
import Foundation

/// What the process was started with, as texts that keep all bytes (see `String.init(systemBytes:)`).
enum CurrentProcess {
  /// The command line.
  static var arguments: [String] {
    let arguments = UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return arguments.compactMap { argument in argument.map(text) }
  }

  /// The environment.
  static var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    for (name, value) in environment where value.unicodeScalars.contains("\u{FFFD}") {
      environment[name] = getenv(name).map(text)
    }
    return environment
  }

  /// Writes to standard output what Lua or a user gave, whatever its bytes.
  static func print(_ text: String, terminator: String = "\n") {
    let text = text + terminator
    guard text.hasSystemByte else { return Swift.print(text, terminator: "") }
    // What was printed before comes first.
    fflush(nil)
    write(text.systemBytes, to: STDOUT_FILENO)
  }

  /// Writes as far as that can be done, as `print` does: where nobody can be told, there is nothing left to do.
  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  private static func text(_ start: UnsafeMutablePointer<CChar>) -> String {
    String(systemBytes: UnsafeRawBufferPointer(start: start, count: strlen(start)))
  }
}
