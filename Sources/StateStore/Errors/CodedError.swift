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

// MARK: - Features

/// The codes of a feature's errors: an enum whose cases name them.
///
/// ```swift
/// enum ErrorCode: String, FeatureErrorCode { case emptyText, notFound }
/// ```
public protocol FeatureErrorCode: RawRepresentable<String>, CaseIterable, Equatable, Sendable {}

extension FeatureErrorCode {
  /// The code that scripts see: the case's name in snake case, such as "empty_text".
  public var code: String { rawValue.inSnakeCase }
}

/// The codes of a feature that raises no errors of its own.
public enum NoErrorCode: FeatureErrorCode {
  /// Makes none.
  public init?(rawValue: String) { nil }

  /// There is none.
  public var rawValue: String { switch self {} }
}

/// An error of a feature.
///
/// ```swift
/// throw FeatureError<Cart>(.badQuantity, "A quantity is 1 or more, not \(quantity).")
/// ```
public struct FeatureError<F: Feature>: CodedError, Equatable {
  /// The kind of error.
  public let kind: F.ErrorCode
  /// The problem and the remedy.
  public let message: String

  /// Makes an error.
  public init(_ kind: F.ErrorCode, _ message: String) {
    (self.kind, self.message) = (kind, message)
  }

  /// The code that scripts see.
  public var code: String { kind.code }
}

// MARK: - Messages

extension String {
  /// The text, shortened for an error message; whoever shows the message makes it printable.
  ///
  /// - Complexity: O(1), apart from copying the result.
  package var shortenedForMessage: String {
    let beginning = unicodeScalars.prefix(200)
    return beginning.endIndex == endIndex ? self : String(beginning) + "…"
  }

  /// The text of a message with names and values that users chose shortened, however long they are.
  package func shorteningLongWords(separatedBy separator: Character) -> String {
    // Most messages are short.
    guard utf8.count > 200 else { return self }
    let words = split(separator: separator, omittingEmptySubsequences: false)
      .map { String($0).shortenedForMessage }
    let text = words.joined(separator: String(separator)).unicodeScalars
    let limit = 2000
    return text.count > limit ? String(text.prefix(limit)) + "…" : String(text)
  }
}
