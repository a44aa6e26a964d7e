import Foundation

/// A call of the system that failed.
package enum SystemFailure {
  /// What the system says about the last one of this thread.
  package static var reason: String { String(cString: strerror(errno)) }
}
