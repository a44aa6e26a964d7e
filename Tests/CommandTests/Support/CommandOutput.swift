import Subprocess

/// The result of a run of the command.
struct CommandOutput: Sendable {
  let status: TerminationStatus
  let outputBytes: [UInt8]
  let errorBytes: [UInt8]

  /// Its standard output as text; what isn't UTF-8 becomes U+FFFD.
  var output: String { String(decoding: outputBytes, as: UTF8.self) }

  /// Its standard error as text; what isn't UTF-8 becomes U+FFFD.
  var error: String { String(decoding: errorBytes, as: UTF8.self) }
}
