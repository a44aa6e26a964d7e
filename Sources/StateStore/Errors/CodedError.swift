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
