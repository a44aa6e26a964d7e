public import Foundation

/// A log of a session's events, from which it can be continued; several processes can write to it.
///
/// Entries are numbered from 1; the number of the last is the journal's head. Writers pass the head that they know, so
/// their entries never follow entries that they haven't seen.
///
/// Every function except `restart` throws `JournalError.replaced` if the journal has lost what this object has loaded
/// or written before. ``JournalConformance`` checks an implementation.
public protocol Journal: Sendable {
  /// The name of the program whose sessions the journal has, for messages.
  var programName: String { get }

  /// The journal's contents.
  ///
  /// - Throws: `JournalError`.
  func load() throws -> JournalContents

  /// The user and host that the entries of this process name; nil for a journal of one machine.
  var author: String? { get }

  /// Appends entries: all of them, or none.
  ///
  /// When it returns, the entries are in storage that outlives the process and the machine, if the journal has any. After
  /// `JournalError.unreachable` they may be there or not: append the same batch again, which isn't repeated if it is there.
  ///
  /// - Parameters:
  ///   - batch: The entries.
  ///   - head: The number of the last entry that the writer knows.
  /// - Returns: The number of the last appended entry.
  /// - Throws: `JournalError.conflict` if there are later entries; any other `JournalError`.
  func append(_ batch: JournalBatch, expecting head: Int) throws -> Int

  /// The entries after a known one.
  ///
  /// - Parameter head: The number of the last known entry.
  /// - Returns: The later entries, in order.
  /// - Throws: `JournalError.gone` if the journal begins with a later checkpoint, or doesn't have that entry; any other
  ///   `JournalError`.
  func changes(since head: Int) throws -> [JournalEntry]

  /// Replaces the entries up to the checkpoint's head with the resulting history, so that the journal doesn't grow
  /// forever.
  ///
  /// - Parameter checkpoint: The history after the entry with that number.
  /// - Throws: `JournalError`.
  func checkpoint(_ checkpoint: JournalCheckpoint) throws

  /// Replaces the entries up to the checkpoint's head by a history that they don't lead to, because the features have
  /// other reducers now.
  ///
  /// - Parameter checkpoint: The history.
  /// - Throws: `JournalError`.
  func rewrite(_ checkpoint: JournalCheckpoint) throws

  /// Reserves identifiers, each only once across all processes.
  ///
  /// - Parameters:
  ///   - count: The number of identifiers, at least 1.
  ///   - kind: The kind of identifier.
  /// - Returns: The identifiers.
  /// - Throws: `JournalError`.
  func reserveIdentifiers(_ count: Int, of kind: IdentifierKind) throws -> ClosedRange<Int>

  /// Writes a whole session again, because the journal was lost or replaced by another one.
  ///
  /// It is called after `JournalError.replaced`. What is there now isn't lost: the session may get a new place beside it.
  ///
  /// - Parameter checkpoint: The session's history.
  /// - Throws: `JournalError`.
  func restart(from checkpoint: JournalCheckpoint) throws

  /// Replaces a session that can't be loaded, because earlier versions of its app's declarations wrote it, by its last
  /// states, which the declarations convert; what was there before is kept.
  ///
  /// It is called after `JournalError.otherVersion`. It changes nothing if the declarations can't convert the states, or
  /// another process has migrated the session meanwhile.
  ///
  /// - Throws: `JournalError`, or why the states can't be converted; then nothing was changed.
  func migrate() throws

  /// Whether the journal is open elsewhere, so that its pending requests may still be answered; true if that can't be
  /// determined.
  var isOpenElsewhere: Bool { get }
}

extension Journal {
  /// "this program".
  public var programName: String { "this program" }

  /// Nil.
  public var author: String? { nil }

  /// Replaces the entries, in a journal that doesn't show the current state.
  public func rewrite(_ checkpoint: JournalCheckpoint) throws { try self.checkpoint(checkpoint) }

  /// Converts nothing.
  public func migrate() throws {}
}

/// The contents of a journal.
public struct JournalContents: Equatable, Sendable {
  /// Where the journal begins; nil if nothing came before the entries.
  public let checkpoint: JournalCheckpoint?

  /// The entries since the checkpoint, in order.
  public let entries: [JournalEntry]

  /// Makes contents.
  public init(checkpoint: JournalCheckpoint?, entries: [JournalEntry]) {
    self.checkpoint = checkpoint
    self.entries = entries
  }

  /// The number of the last entry.
  public var head: Int { (checkpoint?.head ?? 0) + entries.count }
}

/// The history after an entry of a journal, which replaces that entry and all before it.
public struct JournalCheckpoint: Equatable, Sendable {
  /// The number of the entry.
  public let head: Int

  /// The history after the entry.
  public let history: HistorySnapshot

  /// Makes a checkpoint.
  public init(head: Int, history: HistorySnapshot) {
    self.head = head
    self.history = history
  }
}

/// Entries that are appended to a journal together, with the changes they made.
public struct JournalBatch: Equatable, Sendable {
  /// Distinguishes the batch from all others.
  public let id: UUID

  /// The entries, in order; at least one.
  public let entries: [JournalEntry]

  /// The changes they made, in order, for journals that show the current state.
  ///
  /// A single-value field that changed several times appears once, with its current value.
  public let changes: [FieldChange]

  /// Makes a batch.
  public init(entries: [JournalEntry], changes: [FieldChange]) {
    id = UUID()
    self.entries = entries
    self.changes = changes
  }
}

/// The program that state files belong to.
public struct Program: Sendable {
  /// The name shown to users.
  public let name: String

  /// Marks the program's state files in SQLite's header; different for each program.
  public let fileIdentifier: Int32

  /// Makes a program.
  ///
  /// - Parameters:
  ///   - name: The name shown to users.
  ///   - fileIdentifier: A number above 0 that marks the program's files; unless given, it is derived from the name.
  public init(_ name: String, fileIdentifier: Int32? = nil) {
    self.name = name
    // FNV-1a by Fowler, Noll and Vo, because it is the same in every process.
    self.fileIdentifier =
      fileIdentifier
      ?? Int32(name.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 } & 0x7FFF_FFFF)
  }
}
