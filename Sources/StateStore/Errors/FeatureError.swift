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
