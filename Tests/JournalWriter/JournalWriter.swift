import Foundation
import SampleFeatures
import StateFile
import StateStore

/// A process that writes to a journal, for the tests, which limit or kill it.
///
/// Its arguments are the path of a file and steps, each of which prints a line: its result, or the code of the error.
///
/// - `append=N`: Adds `N` notes, and saves after every 10. Prints the number of the last action then.
/// - `load=1`: Loads the journal. Prints the number of its entries.
/// - `limit=BYTES`: Limits the size of the files that it writes; 0 for no limit.
/// - `user=ID`: Continues with the rights of another user.
@main
struct JournalWriter {
  private let path: String
  private var session: JournaledSession?

  static func main() throws {
    // By default, exceeding the limit of a file's size ends the process.
    signal(SIGXFSZ, SIG_IGN)
    var writer = try JournalWriter(path: CommandLine.arguments[1])
    for step in CommandLine.arguments.dropFirst(2) {
      do {
        try writer.run(step)
      } catch let error as any CodedError {
        announce("\(error.code)")
      }
    }
  }

  private init(path: String) throws { self.path = path }

  private mutating func run(_ step: String) throws {
    let parts = step.split(separator: "=")
    guard parts.count == 2, let number = Int(parts[1]) else { throw UnknownStep(step: step) }
    switch parts[0] {
    case "append":
      for start in stride(from: 0, to: number, by: 10) {
        try append(count: min(10, number - start))
        Self.announce("\(session?.store.position ?? 0)")
      }
    case "load":
      Self.announce("\(try openJournal().load().entries.count)")
    case "limit":
      try limitFileSize(to: number)
    case "user":
      guard setuid(uid_t(number)) == 0 else { throw UnknownStep(step: step) }
    default:
      throw UnknownStep(step: step)
    }
  }

  private struct UnknownStep: Error {
    let step: String
  }

  private func openJournal() throws -> SQLiteJournal {
    try SQLiteJournal(of: Sample.schema, program: Program("sample"), path: path, busyTimeout: 60)
  }

  private mutating func append(count: Int) throws {
    let session = try session ?? JournaledSession(Sample.schema, in: openJournal())
    self.session = session
    // Actions that couldn't be saved are saved with the next ones.
    for _ in 0..<count {
      let id = session.store.identifiers.next(.note)
      try session.store.send(.add(id: id, text: "entry"), to: Notes.self)
    }
    try session.save()
  }

  private func limitFileSize(to bytes: Int) throws {
    var limit = rlimit()
    getrlimit(JournalWriter.fileSize, &limit)
    limit.rlim_cur = bytes == 0 ? limit.rlim_max : rlim_t(bytes)
    guard setrlimit(JournalWriter.fileSize, &limit) == 0 else {
      throw UnknownStep(step: "limit=\(bytes)")
    }
  }

  #if canImport(Glibc)
    private static let fileSize = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
  #else
    private static let fileSize = RLIMIT_FSIZE
  #endif

  /// Prints a line at once, as the process may be killed.
  private static func announce(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }
}
