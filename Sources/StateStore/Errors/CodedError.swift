public import PrimereplFoundation

/// An error of the app, which every front end can show and test for.
///
/// Each feature has its own conforming type; callers that only report errors need no more than this protocol.
public protocol CodedError: LocalizedError, CustomStringConvertible {
  /// A stable word for the kind of error, in snake case, which scripts and tests compare.
  var code: String { get }

  /// The problem, its place, and the remedy, in one or two plain sentences.
  var message: String { get }
}

extension CodedError {
  /// The message.
  public var description: String { message }

  /// The message, as `localizedDescription` has it.
  public var errorDescription: String? { message }
}

extension Error {
  /// The message of an error of any type for people: its own, without its type and values.
  package var userMessage: String {
    switch self {
    case let error as any CodedError: return error.message
    case is CancellationError: return "cancelled"
    case is DecodingError: return DocumentError(describing: self).message
    case is EncodingError: return DocumentError(encoding: self).message
    default:
      return localizedMessage ?? (self as? any CustomStringConvertible)?.description
        ?? "an error without a description"
    }
  }
}

/// An error with only a code and a message.
///
/// The subject is what the error is about. Its only effect is to give the errors of each subject a separate type:
///
///     typealias NotesError = PlainError<Notes>
///
///     extension NotesError {
///       static var emptyText: Self { Self("empty_text", "A note needs a text.") }
///     }
public struct PlainError<Subject>: CodedError, Equatable {
  /// A stable word for the kind of error.
  public let code: String
  /// The problem and the remedy.
  public let message: String

  /// Makes an error.
  public init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }
}
