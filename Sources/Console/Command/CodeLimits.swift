import ArgumentParser
import PrimereplFoundation
import PrimereplLoading
import PrimereplPlatform
import Scripting
import Synchronization

/// The access of Lua code to files and the network, by `--sandbox` and `--allow-network`.
struct CodeSandbox {
  let isOn: Bool
  let allowsNetwork: Bool

  func validate() throws {
    if allowsNetwork, !isOn { throw ValidationError("--allow-network needs --sandbox") }
  }

  func documents(within memory: @escaping MemoryAllowance) -> DocumentAccess {
    DocumentAccess(
      allowsFiles: !isOn, network: isOn && !allowsNetwork ? .refusedInSandbox : .allowed,
      memory: memory)
  }
}

/// The limits of Lua code that `--max-memory` and `--max-time` give.
struct CodeLimits {
  let memory: MemorySize?
  /// In seconds.
  let time: Double?

  func validate() throws {
    if let time, !(time > 0 && time < Double(Int.max)) {
      throw ValidationError("--max-time needs a number of seconds above 0, not \(time)")
    }
  }

  var ofApp: DeclaredApp.Limits {
    DeclaredApp.Limits(
      memory: memory?.bytes, time: time.map { .seconds($0) }, unaskedTime: .seconds(2))
  }
}

extension CodeLimits {
  /// The milliseconds between two checks.
  private static let interval: useconds_t = 5

  /// Opens a session within the limits; ends the process if that exceeds them.
  ///
  /// A stranger's file can take any time and memory. Ending is safe at any time, as a session is only changed by whole
  /// transactions.
  func enforced<Result>(_ open: () throws -> Result) throws -> Result {
    guard time != nil || memory != nil else { return try open() }
    let isOpen = Opened()
    let (start, used) = (ContinuousClock.now, ProcessMemory.used)
    try SystemThread.start {
      while !isOpen.value.load(ordering: .relaxed) {
        if let time, .now - start > .seconds(time) {
          Self.end("stopped: opening the session exceeded its limit of \(time) seconds")
        }
        if let memory = memory?.bytes, ProcessMemory.used - used > memory {
          Self.end("not enough memory to open the session: it exceeded the limit")
        }
        usleep(Self.interval * 1_000)
      }
    }
    defer { isOpen.value.store(true, ordering: .relaxed) }
    return try open()
  }

  /// Whether the session is open, or can't be opened.
  private final class Opened: Sendable {
    let value = Atomic<Bool>(false)
  }

  private static func end(_ message: String) -> Never {
    Diagnostics.printWithoutWaiting(message)
    _exit(EXIT_FAILURE)
  }
}

/// A number of bytes on the command line: 65536, 512K, 64M, 2G.
struct MemorySize {
  let bytes: Int

  /// The argument is a whole number above 0, with K, M or G for powers of 1024.
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
