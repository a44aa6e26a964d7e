import DequeModule
public import PrimereplFoundation

/// The actions of a store with what each changed, by which they are undone and redone: no action runs again.
///
/// Actions are numbered from 1.
struct UndoHistory {
  private struct Entry {
    private enum Content {
      /// In seconds since the reference date: the layout of `Date` isn't known here, which makes copies slow.
      case own(StoreAction, StateDelta, seconds: TimeInterval)
      /// It is read from a journal.
      case saved(SavedStep)
    }

    private let content: Content
    var isRemote = false
    /// The history's edition in which it was appended: no two entries with the same number have the same one.
    var edition = 0

    init(_ action: StoreAction, _ delta: StateDelta, seconds: TimeInterval) {
      content = .own(action, delta, seconds: seconds)
    }

    init(_ step: SavedStep, isRemote: Bool = false, edition: Int = 0) {
      content = .saved(step)
      self.isRemote = isRemote
      self.edition = edition
    }

    /// The step of an action that a journal has; nil for another one.
    var step: SavedStep? { if case .saved(let step) = content { step } else { nil } }

    var action: StoreAction {
      switch content {
      case .own(let action, _, _): action
      case .saved(let step): step.action
      }
    }

    var delta: StateDelta {
      switch content {
      case .own(_, let delta, _): delta
      case .saved(let step): .saved(step, part: nil)
      }
    }

    var time: Date {
      switch content {
      case .own(_, _, let seconds): Date(timeIntervalSinceReferenceDate: seconds)
      case .saved(let step): step.shownEntry.time
      }
    }

    /// The user and host that did it, empty if the journal doesn't say; nil for an action of this process.
    var author: String? { step.map { $0.shownEntry.author ?? "" } }
  }

  /// The number of the oldest actions that are forgotten at once: all processes forget the same ones.
  private static let interval = 100

  /// The maximum number of actions that can be undone.
  var limit: Int {
    didSet {
      fold()
      // A deque keeps the storage of removed elements, which may be large.
      if limit < oldValue { entries = Deque(entries) }
    }
  }

  /// The minimum number of actions that are remembered, though fewer can be undone.
  private var retention = 0

  /// The user and host of this process's actions; nil if nobody is named.
  var author: String?

  /// The number of the last action in effect; those after it are undone.
  private(set) var position = 0

  /// The number of the last action that the journal has as it is here.
  var common = 0

  /// Counts how often actions were replaced by others of the same numbers.
  private(set) var edition = 0

  /// The number of the action before which the states can't be restored, as they had other types: 0 if there is none.
  private(set) var barrier = 0

  private var entries = Deque<Entry>()
  /// The number of the action before the first entry.
  private var offset = 0

  init(limit: Int) { self.limit = limit }

  /// Those of some remembered actions that another process did while this one had the session open.
  func remoteActions(in numbers: ClosedRange<Int>) -> [RecordedAction] {
    numbers.filter { entries[$0 - 1 - offset].isRemote }.map(recorded)
  }

  /// Whether a remembered action is one of this process, or of its user on this machine.
  func isOwn(_ number: Int) -> Bool {
    let entry = entries[number - 1 - offset]
    return !entry.isRemote && (entry.author ?? author) == author
  }

  /// The number of the last action, in effect or undone.
  var last: Int { offset + entries.count }

  /// The lowest number to which undo can go.
  var first: Int { min(position, max(offset, barrier, last - limit)) }

  /// The number before the first action that is shown: also the migration before which nothing is undone.
  var firstShown: Int { first == barrier && barrier > offset ? first - 1 : first }

  /// The numbers of the actions after which the state is known.
  var remembered: ClosedRange<Int> { max(offset, barrier)...last }

  /// The number must be after `first`, up to `last`.
  func recorded(_ number: Int) -> RecordedAction {
    let entry = entries[number - 1 - offset]
    return RecordedAction(
      number: number, time: entry.time, action: entry.action, author: author(of: entry))
  }

  private func author(of entry: Entry) -> String? {
    entry.author.map { $0.isEmpty ? nil : $0 } ?? author
  }

  /// Appends an action that was done, forgets undone ones, and returns its number.
  @discardableResult
  mutating func append(
    _ action: StoreAction, _ delta: StateDelta, at seconds: TimeInterval
  ) -> Int {
    append(Entry(action, delta, seconds: seconds))
    return position
  }

  private mutating func append(_ entry: consuming Entry) {
    let count = position - offset
    if count < entries.count {
      entries.removeSubrange(count...)
      edition += 1
    }
    if common > position { common = position }
    entry.edition = edition
    entries.append(entry)
    position += 1
    fold()
  }

  /// Forgets the oldest actions, `interval` at once, when the history has that many too many.
  private mutating func fold() {
    if max(limit, retention) == 0, position == last {
      offset = position
      entries.removeAll(keepingCapacity: true)
    }
    while entries.count - Self.interval >= max(limit, retention),
      position >= offset + Self.interval
    {
      entries.removeFirst(Self.interval)
      offset += Self.interval
    }
  }
}

// MARK: - Journals

extension UndoHistory {
  /// The history of a session, all of which the journal has.
  ///
  /// The edition must be one that the store hasn't had. `load` loads entries that the session leaves out.
  init(
    _ session: SavedSession, _ coding: SessionCoding, limit: Int, edition: Int,
    load: @escaping @Sendable (ClosedRange<Int>) throws -> [SavedEntry]
  ) {
    self.init(limit: limit)
    self.edition = edition
    // All processes remember equally much, because any of them may go back to an action of another.
    retention = limit
    offset = session.extent.first - 1
    let (omitted, loaded) = (session.omittedNumbers, session.entries)
    entries.reserveCapacity((omitted?.count ?? 0) + loaded.count)
    if let omitted {
      let page = SavedPage(coding) { try load(omitted) }
      for number in omitted {
        entries.append(Entry(SavedStep(page: page, number: number), edition: edition))
      }
    }
    let page = SavedPage(coding) { loaded }
    for entry in loaded {
      entries.append(Entry(SavedStep(page: page, number: entry.number), edition: edition))
    }
    position = session.extent.position
    common = last
    barrier = session.extent.migration
  }

  var extent: HistoryExtent {
    HistoryExtent(first: offset + 1, position: position, migration: barrier)
  }

  /// The saved form of an action that was read from a journal; nil for another one.
  func savedEntry(_ number: Int) throws -> SavedEntry? {
    try entries[number - 1 - offset].step?.entry
  }

  mutating func keep(from first: Int, to last: Int) {
    if last < self.last {
      entries.removeSubrange((last - offset)...)
      edition += 1
    }
    let forgotten = min(first - 1 - offset, entries.count)
    if forgotten > 0 {
      entries.removeFirst(forgotten)
      offset += forgotten
    }
  }

  /// Appends an action that another process has done.
  mutating func append(_ step: SavedStep) {
    append(Entry(step, isRemote: true))
  }

  /// Marks the actions after one as those of other processes.
  mutating func markRemote(after number: Int) {
    for index in max(0, number - offset)..<max(0, number - offset, entries.count) {
      entries[index].isRemote = true
    }
  }

  /// Records that this history takes the place of another one, of which it may be an earlier form.
  mutating func replace(_ other: UndoHistory) {
    // Histories of the same edition have the same actions, as far as both go.
    let isContinued = edition == other.edition && last >= other.last
    if !isContinued { edition = max(edition, other.edition + 1) }
  }

  /// Makes the last action, which has converted the states from other types, the one before which nothing is undone.
  mutating func setBarrier() { barrier = position }

  /// The same actions for another schema, in their saved form.
  func converted(
    to coding: SessionCoding, _ savedEntry: (_ number: Int) throws -> SavedEntry
  ) throws -> UndoHistory {
    let numbers = offset + 1..<last + 1
    let saved = try numbers.map(savedEntry)
    let page = SavedPage(coding) { saved }
    var history = self
    history.edition += 1
    for (index, number) in zip(entries.indices, numbers) {
      history.entries[index] = Entry(
        SavedStep(page: page, number: number), isRemote: entries[index].isRemote,
        edition: entries[index].edition)
    }
    return history
  }
}

// MARK: - Moving

extension UndoHistory {
  /// Makes changes in states at this history's position, or takes them back, up to an action that is remembered.
  ///
  /// - Throws: Why a change that was read from a journal can't be applied; the states are then unchanged.
  /// - Complexity: O(actions + records that they changed · log records).
  func move(_ states: inout States, to number: Int) throws {
    try move(&states, from: position, to: number)
  }

  /// As `move(_:to:)`, in states after another action.
  func move(_ states: inout States, from start: Int, to number: Int) throws {
    var index = start
    do {
      while index > number {
        try states.apply(entries[index - 1 - offset].delta, isUndone: true)
        index -= 1
      }
      while index < number {
        try states.apply(entries[index - offset].delta, isUndone: false)
        index += 1
      }
    } catch {
      try move(&states, from: index, to: start)
      throw error
    }
  }

  mutating func move(to number: Int) {
    position = number
  }

  /// The edition in which a remembered action was appended.
  func edition(of number: Int) -> Int { entries[number - 1 - offset].edition }

  func delta(of number: Int) -> StateDelta { entries[number - 1 - offset].delta }
}

/// An entry of the history: an action and its changes.
public struct HistoryEntry: Equatable, Sendable {
  /// The action.
  public let recorded: RecordedAction
  /// Whether it is undone, and can be redone.
  public let isUndone: Bool
  /// The changes it made, in the order of the schema's fields.
  public let changes: [FieldChange]
}

/// An action that was done, as the history remembers it.
public struct RecordedAction: Equatable, Sendable {
  /// The action's number: 1 for the first of the store.
  public let number: Int
  /// When it was done.
  public let time: Date
  /// The action.
  public let action: StoreAction
  /// The user and host that did it, such as "anna@laptop"; nil unless the session is shared by machines.
  public let author: String?

  init(number: Int, time: Date, action: StoreAction, author: String? = nil) {
    self.number = number
    self.time = time
    self.action = action
    self.author = author
  }
}

extension Date {
  /// The time to some milliseconds, in seconds since the reference date.
  ///
  /// Linux gets it several times as fast as the exact time, and the history needs it for every action.
  static var coarseSeconds: TimeInterval {
    #if os(Linux)
      var time = timespec()
      guard clock_gettime(CLOCK_REALTIME_COARSE, &time) == 0 else {
        return timeIntervalSinceReferenceDate
      }
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        - timeIntervalBetween1970AndReferenceDate
    #else
      return timeIntervalSinceReferenceDate
    #endif
  }
}
