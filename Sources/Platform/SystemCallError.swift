import PrimereplFoundation

package struct SystemCallError: Error, Equatable, CustomStringConvertible {
  package let call: String
  package let errorNumber: Int32
  package let reason: String

  /// The error of the call that has just failed.
  package init(_ call: String) { self.init(call, errno) }

  /// Without a reason, the error has the system's description of the number.
  package init(_ call: String, _ errorNumber: Int32, reason: String? = nil) {
    self.call = call
    self.errorNumber = errorNumber
    self.reason = reason ?? String(cString: strerror(errorNumber))
  }

  /// A pipe or a device stands where a file is expected.
  package static var notRegularFile: Self {
    Self("open", EINVAL, reason: "it isn't a regular file")
  }

  package var isMissingFile: Bool { errorNumber == ENOENT || errorNumber == ENOTDIR }

  package var description: String { "\(call) failed: \(reason)" }
}
