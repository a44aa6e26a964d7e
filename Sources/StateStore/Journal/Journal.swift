public import PrimereplFoundation

/// A place where a session is kept: its state, and the last actions with what they changed.
///
/// Several processes can have a session open. Each write names the last one that its writer knows, so that nothing is
/// written over what somebody else has done meanwhile.
public protocol Journal: Sendable {
  /// The user and host that the entries of this process name; nil for a journal of one machine.
  var author: String? { get }

  /// Reads the session, which is empty at first.
  func load() throws -> SavedSession

  /// Shows people the values of a program's features, such as in views: the program has loaded the session, and isn't
  /// refused.
  func show(_ schema: StoreSchema)

  /// Reads entries that `load` has left out.
  ///
  /// - Parameters:
  ///   - numbers: Their numbers.
  ///   - point: The write at which the session was loaded, or a later one.
  /// - Returns: Those that the session still has as they were then, in order.
  /// - Throws: `JournalError`.
  func entries(_ numbers: ClosedRange<Int>, at point: JournalPoint) throws -> [SavedEntry]

  /// Saves a write, or gets what others have written.
  ///
  /// When it returns `saved`, the write is in storage that outlives the process and the machine, if the journal has any.
  /// After `JournalError.unreachable` it may be there or not: pass the same write again, which isn't repeated if it is.
  ///
  /// - Parameters:
  ///   - write: The write; nil to get what others have written.
  ///   - point: The last write that the caller knows.
  /// - Returns: What became of it.
  /// - Throws: `JournalError.lost` if the session isn't there any more; any other `JournalError`.
  func exchange(_ write: SessionWrite?, after point: JournalPoint) throws -> JournalReply

  /// Writes a whole session where it was lost, or where none was: see ``exchange(_:after:)``.
  ///
  /// - Parameters:
  ///   - write: All entries, and all values as changes.
  ///   - point: The last write of the session, as its processes know it.
  /// - Throws: `JournalError`, also if there is a session by now.
  func restore(_ write: SessionWrite, at point: JournalPoint) throws

  /// Reserves a number of identifiers, at least one, each only once across all processes.
  func reserveIdentifiers(_ count: Int, of kind: IdentifierKind) throws -> ClosedRange<Int>

  /// Whether the session is open elsewhere, so that its pending requests may still be answered; true if that can't be
  /// determined.
  var isOpenElsewhere: Bool { get }
}

extension Journal {
  /// Reserves identifiers of which the last is at least a number: records may have lower ones that the journal didn't
  /// reserve.
  package func reserveIdentifiers(
    _ count: Int, of kind: IdentifierKind, from least: Int
  ) throws -> ClosedRange<Int> {
    let range = try reserveIdentifiers(count, of: kind)
    guard range.upperBound < least else { return range }
    return try reserveIdentifiers(least - range.upperBound, of: kind)
  }
}

extension Journal {
  /// Nil, as for a journal of one machine.
  public var author: String? { nil }

  /// Shows nothing.
  public func show(_ schema: StoreSchema) {}

  /// None, as for a journal whose `load` gives all entries.
  public func entries(_ numbers: ClosedRange<Int>, at point: JournalPoint) -> [SavedEntry] { [] }
}

/// A write of a session: its number, and what tells it from the write with that number after a backup was restored.
public struct JournalPoint: Equatable, Sendable {
  /// The identity of the session.
  public let session: UUID
  /// The number of the write; 0 before the first.
  public let sequence: Int
  /// The identity of the write.
  public let write: UUID

  /// Makes a point.
  public init(session: UUID, sequence: Int, write: UUID) {
    (self.session, self.sequence, self.write) = (session, sequence, write)
  }

  /// The point of a session that nobody has written yet.
  public static func beginning(of session: UUID) -> Self {
    Self(session: session, sequence: 0, write: session)
  }
}

/// A session as a journal has it.
public struct SavedSession: Equatable, Sendable {
  /// The last write.
  public var point: JournalPoint
  /// The current state.
  public var state: SavedState
  /// The last actions, in effect or undone, with successive numbers.
  public var entries: [SavedEntry]
  /// What the session remembers of actions.
  public var extent: HistoryExtent

  /// Makes a session.
  public init(
    point: JournalPoint, state: SavedState, entries: [SavedEntry], extent: HistoryExtent
  ) {
    (self.point, self.state, self.entries, self.extent) = (point, state, entries, extent)
  }
}

extension SavedSession {
  /// The numbers of the remembered entries that are left out; nil if none are.
  package var omittedNumbers: ClosedRange<Int>? {
    guard let first = entries.first?.number, extent.first < first else { return nil }
    return extent.first...first - 1
  }
}

/// What a session remembers of actions.
public struct HistoryExtent: Equatable, Sendable {
  /// The number of the first action that is remembered, which the entries of a loaded session may leave out; one more than
  /// the last if none is.
  public var first: Int
  /// The number of the last action in effect.
  public var position: Int
  /// The number of the last action that has converted the state of another version, before which nothing is undone; 0 if
  /// there is none.
  public var migration: Int

  /// The positions that a session can have.
  package static let positions = 0...(1 << 53)

  /// Makes an extent.
  public init(first: Int = 1, position: Int = 0, migration: Int = 0) {
    (self.first, self.position, self.migration) = (first, position, migration)
  }
}

/// The state of a session: JSON by the paths of fields, whatever features the program has.
public struct SavedState: Equatable, Sendable {
  /// The values.
  public var values: [String: String]
  /// The elements of lists and sets, in their order.
  public var lists: [String: [String]]
  /// The parts of records that a program doesn't have any more.
  package var unknownParts = UnknownParts()

  /// Makes a state.
  public init(values: [String: String] = [:], lists: [String: [String]] = [:]) {
    (self.values, self.lists) = (values, lists)
  }
}

/// An action in a form that any program can read, with what it changed.
public struct SavedEntry: Equatable, Sendable {
  /// The action's number: 1 for the first of the session.
  public let number: Int
  /// When it was done; a journal may store it to the microsecond.
  public let time: Date
  /// The user and host that did it, such as "anna@laptop"; nil if the journal doesn't say.
  public let author: String?
  /// The action as code, for people.
  public let text: String
  /// The action, as JSON.
  public let action: String
  /// What it changed, as JSON.
  public let changes: String

  /// Makes an entry.
  public init(
    number: Int, time: Date, author: String?, text: String, action: String, changes: String
  ) {
    (self.number, self.time, self.author) = (number, time, author)
    (self.text, self.action, self.changes) = (text, action, changes)
  }
}

/// What a process has done since its last write.
public struct SessionWrite: Equatable, Sendable {
  /// Tells the write from all others.
  public package(set) var id: UUID
  /// The number of the last entry that stays as it is; all later ones are replaced.
  public let common: Int
  /// The new entries, in order.
  public let entries: [SavedEntry]
  /// What the session remembers from now on.
  public let extent: HistoryExtent
  /// What changed in the state: each value once, with its current value.
  public let changes: [FieldChange]
  /// Whether the changes are the whole state, which takes the place of all that there was.
  public let replacesState: Bool

  /// Makes a write.
  public init(
    common: Int, entries: [SavedEntry], extent: HistoryExtent, changes: [FieldChange],
    replacesState: Bool = false
  ) {
    id = UUID()
    (self.common, self.entries, self.extent) = (common, entries, extent)
    (self.changes, self.replacesState) = (changes, replacesState)
  }
}

extension SessionWrite {
  /// A write of a whole session, with everything in it that this program doesn't know.
  package init(copying session: SavedSession) {
    self.init(
      common: 0, entries: session.entries, extent: session.extent,
      changes: session.state.changes, replacesState: true)
  }
}

/// What became of an exchange.
public enum JournalReply: Equatable, Sendable {
  /// Everything is saved; this is the last write.
  case saved(JournalPoint)
  /// Others have written; nothing was saved.
  case news(SessionNews)
  /// The journal doesn't have what leads from the caller's point to the session: load it. Nothing was saved.
  ///
  /// `isRestored` says that it doesn't have that write: it is an earlier copy of the session.
  case outdated(isRestored: Bool)
}

/// What others have done since a write.
public struct SessionNews: Equatable, Sendable {
  /// The last write.
  public let point: JournalPoint
  /// The entries since; the first takes the place of all entries from its number on.
  public let entries: [SavedEntry]
  /// What the session remembers.
  public let extent: HistoryExtent

  /// Makes news.
  public init(point: JournalPoint, entries: [SavedEntry], extent: HistoryExtent) {
    (self.point, self.entries, self.extent) = (point, entries, extent)
  }
}

/// The program that sessions belong to.
public struct Program: Sendable {
  /// The name shown to users.
  public let name: String

  /// Marks the program's state files in SQLite's header; different for each program.
  public let fileIdentifier: Int32

  /// Makes a program, whose file identifier, above 0, is derived from the name unless it is given.
  public init(_ name: String, fileIdentifier: Int32? = nil) {
    self.name = name
    self.fileIdentifier = fileIdentifier ?? Int32(name.utf8.shortStableHash & 0x7FFF_FFFF)
  }
}
