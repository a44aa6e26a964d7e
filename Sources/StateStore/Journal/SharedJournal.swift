public import PrimereplFoundation

/// A journal in which running processes share a session: each gets what others write.
///
/// A call may take as long as a disk or a network does, so that a program with a user makes it on a thread of its own;
/// meanwhile, any thread may read the properties, take the notices, and wake it. If a connection is lost, calls throw
/// `JournalError.unreachable`, and later calls connect again.
public protocol SharedJournal: Journal {
  /// The path or the address, without its password, to be shown.
  var location: String { get }

  /// Whether the journal is on another machine: calls may take long, and those who write aren't known to each other.
  var isRemote: Bool { get }

  /// Why the journal can't be written now; nil if it can, as far as it is known.
  var writeFailure: JournalError? { get }

  /// Waits until another process has written, or until ``wake()`` is called.
  ///
  /// - Returns: Whether others may have written.
  /// - Throws: `JournalError.unreachable` if the connection is lost.
  func waitForEntries(atMost time: Duration) throws -> Bool

  /// Ends the current wait for entries, or the next one; safe to call on any thread.
  func wake()

  /// Gives back reserved identifiers that weren't used, if no later ones have been reserved.
  func releaseIdentifiers(_ range: ClosedRange<Int>, of kind: IdentifierKind) throws

  /// Messages for the user, such as that a deleted session was written again; each is returned once.
  func takeNotices() -> [String]

  /// Closes the file or the connection, until the next call.
  func close()
}

extension SharedJournal {
  /// Does nothing: they stay unused.
  public func releaseIdentifiers(_ range: ClosedRange<Int>, of kind: IdentifierKind) {}
}

/// A server with sessions, which an address names; programs list the kinds of servers that they know.
public protocol SessionServer: Sendable {
  /// Whether an address is one of such a server.
  static func recognizes(_ address: String) -> Bool

  /// An address without its passwords, to be shown; no part of one that can't be read, as any may be a password.
  static func withoutPassword(_ address: String) -> String

  /// Reads an address; the server isn't asked yet.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - program: The program whose sessions are meant.
  ///   - session: The name of the session, unless the address has one.
  /// - Throws: `JournalError` if the address can't be one, or what reaches the server isn't installed.
  init(_ address: String, of program: Program, session: String) throws

  /// The name of the session that the address names.
  var session: String { get }

  /// Opens the session that the address names, and creates it if it is missing.
  ///
  /// - Parameter schema: The features whose values are shown if the session is new.
  /// - Returns: The session's journal.
  /// - Throws: `JournalError`.
  func journal(of schema: StoreSchema) throws -> any SharedJournal

  /// The program's sessions, by name.
  func sessions() throws -> [SessionSummary]

  /// Renames a session, also one that is open.
  func rename(_ session: String, to name: String) throws

  /// Copies a session with its history.
  func copy(_ session: String, to name: String) throws

  /// Deletes a session that nobody has open.
  func delete(_ session: String) throws
}

/// A session on a server, as a list shows it.
public struct SessionSummary: Sendable {
  /// The session's name.
  public let name: String
  /// When it was last changed.
  public let lastChange: Date
  /// The user and host that changed it; nil if nobody has, as in a copy of a file.
  public let author: String?
  /// The number of processes that have it open.
  public let users: Int

  /// Makes a summary.
  public init(name: String, lastChange: Date, author: String?, users: Int) {
    self.name = name
    self.lastChange = lastChange
    self.author = author
    self.users = users
  }
}
