import PrimereplFoundation
import PrimereplPlatform
import StateStore
import Synchronization

/// Ends the process if opening a session exceeds the limits of code: a stranger's file can take any time and memory.
///
/// That is safe at any time, as a session is only changed by whole transactions.
struct OpeningLimits {
  /// In seconds; nil for any.
  let time: Double?
  /// In bytes; nil for any.
  let memory: Int?

  /// The milliseconds between two checks.
  private static let interval: useconds_t = 5

  /// Opens a session within the limits.
  func enforced<Result>(_ open: () throws -> Result) throws -> Result {
    guard time != nil || memory != nil else { return try open() }
    let isOpen = Opened()
    let (start, used) = (ContinuousClock.now, ProcessMemory.used)
    try SystemThread.start {
      while !isOpen.value.load(ordering: .relaxed) {
        if let time, .now - start > .seconds(time) {
          Self.end("stopped: opening the session exceeded its limit of \(time) seconds")
        }
        if let memory, ProcessMemory.used - used > memory {
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
