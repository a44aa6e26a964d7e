import Foundation

/// A call of the system that failed.
enum SystemFailure {
  /// What the system says about the last one of this thread.
  static var reason: String { String(cString: strerror(errno)) }
}
