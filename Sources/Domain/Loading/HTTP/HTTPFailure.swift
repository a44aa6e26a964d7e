/// Why a fetch has no reply at all; a reply with an error status is not a failure here.
///
/// Nothing of Foundation's own error is kept, because its text and its user info hold the address,
/// and addresses hold secrets.
enum HTTPFailure: Error, Equatable {
  /// The whole fetch, retries included, took longer than it may.
  case timedOut

  /// The task was cancelled.
  case cancelled

  /// The body passed the size limit, and the transfer was stopped.
  case tooLarge

  /// No reply came over the wire.
  case connection(ConnectionProblem)

  /// Whether the same request may well succeed a moment later.
  var isTransient: Bool {
    switch self {
    case .connection(let problem): problem.isTransient
    case .timedOut, .cancelled, .tooLarge: false
    }
  }
}
