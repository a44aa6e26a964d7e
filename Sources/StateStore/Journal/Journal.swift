/// Where a session is remembered, so that it can be continued: a log of what was done, to which several processes may write.
///
/// Each entry has a number, 1 for the first; the number of the last is the journal's head. Who writes says which head they
/// know of: so nobody's entries come after some that they haven't seen.
public protocol Journal: Sendable {
  /// What is remembered.
  ///
  /// - Throws: `JournalError`.
  func load() throws -> JournalContents

  /// Adds entries after those there are: all of them, or none.
  ///
  /// When it returns, they are where they outlive the process and the machine, if the journal has such a place.
  ///
  /// - Parameters:
  ///   - batch: The entries.
  ///   - head: The number of the last entry that the writer knows of.
  /// - Returns: The number of the last entry that was added.
  /// - Throws: `JournalError.conflict` where there are others after that, or the journal is another one than was loaded; any
  ///   other `JournalError`.
  func append(_ batch: JournalBatch, expecting head: Int) throws -> Int

  /// The entries after one.
  ///
  /// - Parameter head: The number of the last entry that is known.
  /// - Returns: The entries that came after it, in order.
  /// - Throws: `JournalError.gone` where the journal begins with a checkpoint after that, or never had that entry, as it is
  ///   another one by now; any other `JournalError`.
  func changes(since head: Int) throws -> [JournalEntry]

  /// Replaces the entries up to one by what they led to, so that the journal doesn't grow for ever.
  ///
  /// - Parameter checkpoint: The history after that entry.
  /// - Throws: `JournalError`.
  func checkpoint(_ checkpoint: JournalCheckpoint) throws

  /// Gives away identifiers, none of them twice, to whatever process.
  ///
  /// - Parameters:
  ///   - count: How many, at least 1.
  ///   - kind: What they are for.
  /// - Returns: The identifiers.
  /// - Throws: `JournalError`.
  func reserveIdentifiers(_ count: Int, of kind: IdentifierKind) throws -> ClosedRange<Int>

  /// Does something with the journal while others who want to write wait, so that they don't get before it again and again.
  ///
  /// - Throws: What `body` throws, or `JournalError`.
  func inTurn<Result>(_ body: () throws -> Result) throws -> Result

  /// Whether others have the journal open, and so may still answer the requests that it says are awaited; also where that
  /// can't be told.
  var isOpenElsewhere: Bool { get }
}

extension Journal {
  /// Does it at once, as where nobody waits.
  public func inTurn<Result>(_ body: () throws -> Result) throws -> Result { try body() }
}

/// What a journal remembers.
public struct JournalContents: Equatable, Sendable {
  /// Where it begins, or nil where nothing came before the entries.
  public let checkpoint: JournalCheckpoint?

  /// What was done since, in order.
  public let entries: [JournalEntry]

  /// Makes contents.
  public init(checkpoint: JournalCheckpoint?, entries: [JournalEntry]) {
    self.checkpoint = checkpoint
    self.entries = entries
  }

  /// The number of the last entry.
  public var head: Int { (checkpoint?.head ?? 0) + entries.count }
}

/// A history as it is after an entry of a journal, in place of that entry and all before it.
public struct JournalCheckpoint: Equatable, Sendable {
  /// The number of the entry.
  public let head: Int

  /// The history after it.
  public let history: HistorySnapshot

  /// Makes a checkpoint.
  public init(head: Int, history: HistorySnapshot) {
    self.head = head
    self.history = history
  }
}

/// Entries that are added to a journal together, with what they changed.
public struct JournalBatch: Equatable, Sendable {
  /// The entries, in order; at least one.
  public let entries: [JournalEntry]

  /// What they changed, in order, for journals that show people the state as it is now.
  ///
  /// A field of one value that changed several times stands there once, as it is now.
  public let changes: [FieldChange]

  /// Makes a batch.
  public init(entries: [JournalEntry], changes: [FieldChange]) {
    self.entries = entries
    self.changes = changes
  }
}

/// The program whose state files are read and written.
public struct Program: Sendable {
  /// The name by which people know it.
  public let name: String

  /// Says in a state file, in SQLite's header, whose it is; another one for each program.
  public let fileIdentifier: Int32

  /// Makes a program.
  ///
  /// - Parameters:
  ///   - name: The name by which people know it.
  ///   - fileIdentifier: Says whose files are its own, above 0; unless given, it is made of the name.
  public init(_ name: String, fileIdentifier: Int32? = nil) {
    self.name = name
    // FNV-1a by Fowler, Noll and Vo, as it is the same in every process.
    self.fileIdentifier =
      fileIdentifier
      ?? Int32(name.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 } & 0x7FFF_FFFF)
  }
}
