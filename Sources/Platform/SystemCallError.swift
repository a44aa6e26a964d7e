import PrimereplFoundation

/// The failure of a system call.
package struct SystemCallError: Error, Equatable, CustomStringConvertible {
  package let call: String
  package let errorNumber: Int32
  package let reason: String

  /// The error of the call that has just failed.
  package init(_ call: String) { self.init(call, errno) }

  /// An error of a call.
  ///
  /// - Parameters:
  ///   - call: The name of the function.
  ///   - errorNumber: The error's number, as in `errno`.
  ///   - reason: Why it failed; nil for the system's description of the number.
  package init(_ call: String, _ errorNumber: Int32, reason: String? = nil) {
    self.call = call
    self.errorNumber = errorNumber
    self.reason = reason ?? String(cString: strerror(errorNumber))
  }

  /// A pipe or a device stands where a file is expected.
  package static var notRegularFile: Self {
    Self("open", EINVAL, reason: "it isn't a regular file")
  }

  /// Whether nothing is at the path.
  package var isMissingFile: Bool { errorNumber == ENOENT || errorNumber == ENOTDIR }

  package var description: String { "\(call) failed: \(reason)" }
}
