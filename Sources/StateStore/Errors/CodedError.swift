/// An error of the app, which every front end can show and test for.
///
/// Each feature has its own type that conforms; callers that only report need no more than this.
public protocol CodedError: Error, CustomStringConvertible {
  /// A stable word for the kind of error, in snake case, which scripts and tests compare.
  var code: String { get }

  /// What was wrong, where, and what to do about it, in one plain sentence or two.
  var message: String { get }
}

extension CodedError {
  /// The message.
  public var description: String { message }
}

/// An error that is no more than a code and a message.
///
/// The subject is what the error is about. It has no effect but to make the errors of each subject a type of their own:
///
///     typealias NotesError = PlainError<Notes>
///
///     extension NotesError {
///       static var emptyText: Self { Self("empty_text", "A note needs a text.") }
///     }
public struct PlainError<Subject>: CodedError, Equatable {
  /// A stable word for the kind of error.
  public let code: String
  /// What was wrong and what to do.
  public let message: String

  /// Makes an error.
  public init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }
}
