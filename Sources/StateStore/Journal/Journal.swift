/// A log of a session's events, from which it can be continued; several processes can write to it.
///
/// Entries are numbered from 1; the number of the last is the journal's head. Writers say which head they know, so
/// their entries never follow entries that they haven't seen.
public protocol Journal: Sendable {
  /// The name of the program whose sessions the journal has, for messages.
  var programName: String { get }

  /// The journal's contents.
  ///
  /// - Throws: `JournalError`.
  func load() throws -> JournalContents

  /// Appends entries: all of them, or none.
  ///
  /// When it returns, the entries are in storage that outlives the process and the machine, if the journal has any.
  ///
  /// - Parameters:
  ///   - batch: The entries.
  ///   - head: The number of the last entry that the writer knows.
  /// - Returns: The number of the last appended entry.
  /// - Throws: `JournalError.conflict` if there are later entries, or the journal isn't the one that was loaded; any
  ///   other `JournalError`.
  func append(_ batch: JournalBatch, expecting head: Int) throws -> Int

  /// The entries after a known one.
  ///
  /// - Parameter head: The number of the last known entry.
  /// - Returns: The later entries, in order.
  /// - Throws: `JournalError.gone` if the journal begins with a later checkpoint, or never had that entry because it
  ///   was replaced; any other `JournalError`.
  func changes(since head: Int) throws -> [JournalEntry]

  /// Replaces the entries up to the checkpoint's head with the resulting history, so that the journal doesn't grow
  /// forever.
  ///
  /// - Parameter checkpoint: The history after the entry with that number.
  /// - Throws: `JournalError`.
  func checkpoint(_ checkpoint: JournalCheckpoint) throws

  /// Reserves identifiers, each only once across all processes.
  ///
  /// - Parameters:
  ///   - count: The number of identifiers, at least 1.
  ///   - kind: What they are for.
  /// - Returns: The identifiers.
  /// - Throws: `JournalError`.
  func reserveIdentifiers(_ count: Int, of kind: IdentifierKind) throws -> ClosedRange<Int>

  /// Calls a closure while other writers wait, so that they don't keep getting ahead of it.
  ///
  /// - Throws: What `body` throws, or `JournalError`.
  func inTurn<Result>(_ body: () throws -> Result) throws -> Result

  /// Whether the journal is open elsewhere, so that its pending requests may still be answered; true if that can't be
  /// determined.
  var isOpenElsewhere: Bool { get }
}

extension Journal {
  /// "this program".
  public var programName: String { "this program" }

  /// Calls the closure at once, for journals whose writers don't wait.
  public func inTurn<Result>(_ body: () throws -> Result) throws -> Result { try body() }
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
  /// The entries, in order; at least one.
  public let entries: [JournalEntry]

  /// The changes they made, in order, for journals that show the current state.
  ///
  /// A single-value field that changed several times appears once, with its current value.
  public let changes: [FieldChange]

  /// Makes a batch.
  public init(entries: [JournalEntry], changes: [FieldChange]) {
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
