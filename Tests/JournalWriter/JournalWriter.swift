import Foundation
import SampleFeatures
import StateFile
import StateStore

/// A process that writes to a journal, for the tests, which limit or kill it.
///
/// Its arguments are the path of a file and steps, each of which prints a line: its result, or the code of the error.
///
/// - `append=N`: Appends `N` entries, 10 at a time, each of which adds a note; reloads before.
///   Prints the journal's head after every batch.
/// - `load=1`: Loads the journal. Prints its head.
/// - `limit=BYTES`: Limits the size of the files that it writes; 0 for no limit.
/// - `user=ID`: Continues with the rights of another user.
@main
struct JournalWriter {
  private let path: String
  private var journal: SQLiteJournal?
  private let store = Store()
  private let changes = Changes()
  private let id = UUID()
  private var head = 0

  private final class Changes {
    var fields: [FieldChange] = []
  }

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

  private init(path: String) throws {
    self.path = path
    let changes = changes
    try store.observe("") { changes.fields += $0.fields }
  }

  private mutating func run(_ step: String) throws {
    let parts = step.split(separator: "=")
    guard parts.count == 2, let number = Int(parts[1]) else { throw UnknownStep(step: step) }
    switch parts[0] {
    case "append":
      for start in stride(from: 0, to: number, by: 10) {
        try append(count: min(10, number - start))
        Self.announce("\(head)")
      }
    case "load":
      Self.announce("\(try openJournal().load().head)")
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

  private mutating func openJournal() throws -> SQLiteJournal {
    let journal =
      try journal
      ?? SQLiteJournal(of: Sample.schema, program: Program("sample"), path: path, busyTimeout: 60)
    self.journal = journal
    return journal
  }

  private mutating func append(count: Int) throws {
    let journal = try openJournal()
    while true {
      try apply(journal.changes(since: head))
      changes.fields = []
      let start = store.states
      let ids = try journal.reserveIdentifiers(count, of: .note)
      let entries = try ids.map { id in
        let action = try Sample.schema.action(.add(id: id, text: "entry"), of: Notes.self)
        try store.send(action)
        return JournalEntry(.action(action), time: Date(), writer: self.id)
      }
      do {
        let batch = JournalBatch(entries: entries, changes: changes.fields)
        head = try journal.append(batch, expecting: head)
        return
      } catch {
        try store.undo(count)
        precondition(store.states == start, "The entries that weren't appended were undone.")
        guard (error as? JournalError)?.kind == .conflict else { throw error }
      }
    }
  }

  private mutating func apply(_ entries: [JournalEntry]) throws {
    for entry in entries {
      guard case .action(let action) = entry.event else { continue }
      try store.send(action)
    }
    head += entries.count
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
