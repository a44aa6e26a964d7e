public import StateStore
/// Why a source's records can't be had; each case begins with the source's name.
public enum SourceError: CodedError, Equatable {
  /// The text is neither a file path nor an address that can be read.
  case badAddress(String)

  /// Nothing may be read here.
  case notAllowed(String)

  /// Files may not be read here, but addresses may.
  case fileNotAllowed(String)

  /// There is no such file.
  case notFound(String)

  /// The file is there but can't be read; the reason says why.
  case unreadable(String, reason: String)

  /// The content isn't JSON; the reason says where.
  case notJSON(String, reason: String)

  /// The content is JSON, but not a list of such records; the reason says which record and field.
  case wrongShape(String, reason: String)

  /// The content has more bytes than are accepted.
  case tooLarge(String, maximumSize: Int)

  /// The server answered with an HTTP error.
  case httpStatus(String, status: Int)

  /// The server took longer than the timeout.
  case timedOut(String, timeout: Duration)

  /// There was no connection, or not for long enough; the reason says why.
  case connectionFailed(String, reason: String)

  /// No request can be made at all; the reason says why, and what to do.
  case httpUnavailable(String, reason: String)

  /// Loading was cancelled.
  case cancelled(String)

  /// The word for the kind of error.
  public var code: String {
    switch self {
    case .badAddress: "source_bad_address"
    case .notAllowed, .fileNotAllowed: "source_not_allowed"
    case .notFound: "source_not_found"
    case .unreadable: "source_unreadable"
    case .notJSON: "source_not_json"
    case .wrongShape: "source_wrong_shape"
    case .tooLarge: "source_too_large"
    case .httpStatus: "source_http_status"
    case .timedOut: "source_timed_out"
    case .connectionFailed: "source_connection_failed"
    case .httpUnavailable: "source_http_unavailable"
    case .cancelled: "cancelled"
    }
  }

  /// The source, what is wrong with it and where, and what to do.
  public var message: String {
    switch self {
    case .badAddress(let source):
      "\(source): not something that can be read: give a file's path, or an http:// or https:// "
        + "address"
    case .notAllowed(let source):
      "\(source): files and addresses can't be read here: leave out the source for the built-in "
        + "one; in primerepl's sandbox, --allow-network allows addresses"
    case .fileNotAllowed(let source):
      "\(source): files can't be read here: give an http:// or https:// address, or leave out the "
        + "source for the built-in one"
    case .notFound(let source):
      "\(source): there is no such file: check the path and the working directory"
    case .unreadable(let source, let reason):
      "\(source): \(reason): give a file that can be read"
    case .notJSON(let source, let reason):
      "\(source): \(reason)"
    case .wrongShape(let source, let reason):
      "\(source): \(reason)"
    case .tooLarge(let source, let maximumSize):
      "\(source): larger than \(maximumSize) bytes: split it, or remove what isn't needed"
    case .httpStatus(let source, let status):
      "\(source): the server answered with HTTP status \(status): \(HTTPStatusAdvice.advice(status))"
    case .timedOut(let source, let timeout):
      "\(source): no complete answer within \(timeout.formattedSeconds): try again"
    case .connectionFailed(let source, let reason):
      "\(source): the connection failed (\(reason)): check the address and the network"
    case .httpUnavailable(let source, let reason):
      "\(source): no request can be made: \(reason)"
    case .cancelled(let source):
      "\(source): loading was cancelled"
    }
  }

  /// The HTTP status, for an error that is one.
  public var status: Int? {
    if case .httpStatus(_, let status) = self { status } else { nil }
  }
}
