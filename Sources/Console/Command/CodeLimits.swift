import ArgumentParser
import Scripting

/// The limits of Lua code that `--max-memory` and `--max-time` give.
struct CodeLimits {
  let memory: MemorySize?
  /// The time in seconds.
  let time: Double?

  /// Checks the time.
  ///
  /// - Throws: `ValidationError`.
  func validate() throws {
    if let time, !(time > 0 && time < Double(Int.max)) {
      throw ValidationError("--max-time needs a number of seconds above 0, not \(time)")
    }
  }

  /// The limits of the code of the app's files.
  var ofApp: DeclaredApp.Limits {
    DeclaredApp.Limits(
      memory: memory?.bytes, time: time.map { .seconds($0) }, unaskedTime: .seconds(2))
  }

  /// The limits of opening a session.
  var ofOpening: OpeningLimits { OpeningLimits(time: time, memory: memory?.bytes) }
}

/// A number of bytes on the command line: 65536, 512K, 64M, 2G.
struct MemorySize {
  let bytes: Int

  /// - Parameter argument: A whole number above 0, with K, M or G for powers of 1024.
  /// - Throws: `ValidationError` for anything else.
  init(_ argument: String) throws {
    let units = ["K": 10, "M": 20, "G": 30]
    let unit = argument.last.flatMap { units[$0.uppercased()] }
    let digits = unit == nil ? argument[...] : argument.dropLast()
    guard let count = Int(digits), count > 0 else { throw Self.malformed }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: 1 << (unit ?? 0))
    guard !overflow else { throw Self.malformed }
    self.bytes = bytes
  }

  private static var malformed: ValidationError {
    ValidationError("write a size as 500K, 64M or 1G")
  }
}
