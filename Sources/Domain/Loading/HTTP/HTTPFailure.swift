import StateStore
/// Why a fetch has no reply at all; a reply with an error status is not a failure here.
///
/// Nothing of libcurl's own text is kept, because it can hold the address, and addresses hold secrets.
enum HTTPFailure: Error, Equatable {
  /// What keeps this process from making requests.
  enum Obstacle: Equatable, Sendable {
    /// The library can't be used; the text says why.
    case library(String)

    /// No more files or connections can be opened.
    case tooManyOpenFiles

    /// No thread can be started.
    case noThread

    /// The obstacle, and what to do about it.
    var reason: String {
      switch self {
      case .library(let reason):
        "the library libcurl can't be used (\(reason)): install it with \"apt install libcurl4\" "
          + "(Debian, Ubuntu)"
      case .tooManyOpenFiles:
        "too many files are open: close some, or raise the limit (ulimit -n)"
      case .noThread:
        "no thread can be started: end other processes, or raise the limit (ulimit -u)"
      }
    }
  }

  /// The whole fetch, retries included, took longer than it may.
  case timedOut

  /// The task was cancelled.
  case cancelled

  /// The body passed the size limit, and the transfer was stopped.
  case tooLarge

  /// No request can be made.
  case unavailable(Obstacle)

  /// No reply came over the wire.
  case connection(ConnectionProblem)

  /// Whether the same request may well succeed a moment later.
  var isTransient: Bool {
    switch self {
    case .connection(let problem): problem.isTransient
    case .timedOut, .cancelled, .tooLarge, .unavailable: false
    }
  }
}
