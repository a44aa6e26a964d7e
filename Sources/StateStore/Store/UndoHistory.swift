import DequeModule
public import Foundation

/// The actions of a store, with regular checkpoints of the states, from which actions are replayed.
///
/// Actions are numbered from 1. Checkpoints cost little, as they share their lists with each other and the store.
struct UndoHistory {
  private struct Entry {
    let action: StoreAction
    /// In seconds since the reference date: the layout of `Date` isn't known here, which makes copies slow.
    let seconds: TimeInterval
    var isRemote: Bool
    /// The user and host that did it, empty if the journal doesn't say; nil for an action of this process.
    var author: String?

    var time: Date { Date(timeIntervalSinceReferenceDate: seconds) }

    /// Whether both are the same, though one may have been read from a journal.
    ///
    /// A journal has no secrets, and its times of repeated actions are only accurate to a second.
    func isSame(as other: Entry) -> Bool {
      guard abs(seconds - other.seconds) < 1 else { return false }
      return action == other.action || action.isEncodedAs(other.action)
    }
  }

  /// The number of actions between checkpoints: the most that are replayed for an undo.
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
  var retention = 0

  /// The user and host of this process's actions; nil if nobody is named.
  var author: String?

  /// The number of the last action in effect; those after it are undone.
  private(set) var position = 0

  private var entries = Deque<Entry>()
  /// The number of the action before the first entry.
  private var offset = 0
  /// The states before the entries 0, `interval`, 2 * `interval`, and so on, as far as they were reached.
  private var checkpoints = Deque<States>()

  let schema: StoreSchema

  init(_ schema: StoreSchema, limit: Int) {
    self.schema = schema
    self.limit = limit
  }

  /// Restores a stored history.
  ///
  /// - Throws: A reducer's error, which a deterministic reducer doesn't throw, or `StoreError.outOfHistory`.
  init(_ snapshot: HistorySnapshot, of schema: StoreSchema, limit: Int, retention: Int) throws {
    self.schema = schema
    self.limit = limit
    self.retention = retention
    offset = snapshot.offset
    position = snapshot.offset
    var state = snapshot.state
    for action in snapshot.actions {
      if needsCheckpoint { addCheckpoint(state) }
      try schema.reduce(&state, action.action)
      append(
        action.action, at: action.time.timeIntervalSinceReferenceDate,
        author: action.author ?? "")
    }
    if checkpoints.isEmpty { addCheckpoint(state) }
    guard (offset...last).contains(snapshot.position) else {
      throw StoreError.outOfHistory(snapshot.position, reachable: offset...last)
    }
    position = snapshot.position
  }

  /// The history in a form that can be stored; nil before the first action.
  var snapshot: HistorySnapshot? {
    checkpoints.first.map { state in
      HistorySnapshot(
        state: state, offset: offset,
        actions: entries.map {
          HistorySnapshot.Action(
            action: $0.action, time: $0.time, author: author(of: $0))
        },
        position: position)
    }
  }

  /// The number of the last action in effect after `number` that another process did; nil if there is none.
  func lastRemote(after number: Int) -> Int? {
    guard number < position else { return nil }
    return (number..<position).last { entries[$0 - offset].isRemote }.map { $0 + 1 }
  }

  /// The number of the last action, in effect or undone.
  var last: Int { offset + entries.count }

  /// The lowest number to which undo can go.
  var first: Int { min(position, max(offset, last - limit)) }

  /// The numbers of the actions after which the state is known.
  var remembered: ClosedRange<Int> { offset...last }

  /// The number must be after `first`, up to `last`.
  func recorded(_ number: Int) -> RecordedAction {
    let entry = entries[number - 1 - offset]
    return RecordedAction(
      number: number, time: entry.time, action: entry.action, author: author(of: entry))
  }

  private func author(of entry: Entry) -> String? {
    entry.author.map { $0.isEmpty ? nil : $0 } ?? author
  }

  /// Whether a checkpoint is due before the next action.
  var needsCheckpoint: Bool { position - offset == checkpoints.count * Self.interval }

  mutating func addCheckpoint(_ states: States) {
    checkpoints.append(states)
  }

  /// Appends an action that was done, forgets undone ones, and returns its number.
  ///
  /// Its time is in seconds since the reference date. A remote action was done by another process while this one had
  /// the session open.
  @discardableResult
  mutating func append(
    _ action: StoreAction, at seconds: TimeInterval, isRemote: Bool = false,
    author: String? = nil
  ) -> Int {
    let count = position - offset
    if count < entries.count {
      entries.removeSubrange(count...)
      checkpoints.removeSubrange((count / Self.interval + 1)...)
    }
    entries.append(
      Entry(action: action, seconds: seconds, isRemote: isRemote, author: author))
    position += 1
    fold()
    return position
  }

  /// Forgets the oldest actions, as many as lie between two checkpoints, once the history has that many too many.
  private mutating func fold() {
    if max(limit, retention) == 0, position == last {
      offset = position
      entries.removeAll(keepingCapacity: true)
      checkpoints.removeAll(keepingCapacity: true)
    }
    while entries.count - Self.interval >= max(limit, retention),
      position >= offset + Self.interval,
      checkpoints.count > 1
    {
      entries.removeFirst(Self.interval)
      checkpoints.removeFirst()
      offset += Self.interval
    }
  }
}

// MARK: - Comparing

extension UndoHistory {
  /// Whether both had the same state after an action that both remember.
  ///
  /// The same actions can have other numbers if forgotten actions were replaced by their result.
  private func isSameState(as other: UndoHistory, at number: Int) -> Bool {
    guard remembered.contains(number), other.remembered.contains(number) else { return false }
    // Before the first action, the state is the one that the store starts with.
    guard !checkpoints.isEmpty, !other.checkpoints.isEmpty else { return true }
    do {
      let (own, others) = (try state(at: number), try other.state(at: number))
      return try own == others || StateCoding.areSame(own, others)
    } catch {
      // Deterministic reducers don't throw here.
      return false
    }
  }

  /// The events of this history after another one.
  struct Continuation {
    /// The events that the other history lacks.
    let events: [(event: JournalEntry.Event, time: Date, author: String?)]
    /// Whether they lead from the other history to this one.
    let isComplete: Bool
  }

  /// The events of this history that another one lacks, including a last move to this history's position.
  ///
  /// - Complexity: O(actions).
  func continuation(of other: UndoHistory) -> Continuation {
    let common = lastCommon(with: other)
    var events: [(event: JournalEntry.Event, time: Date, author: String?)] = []
    for number in max(common, offset)..<last {
      let entry = entries[number - offset]
      if events.isEmpty, other.position < common {
        events.append((.travel(to: common), entry.time, author(of: entry)))
      }
      events.append((.action(entry.action), entry.time, author(of: entry)))
    }
    if position != (events.isEmpty ? other.position : last) {
      events.append((.travel(to: position), entries.last?.time ?? Date(), nil))
    }
    let isComplete = common == other.last && isSameState(as: other, at: common)
    return Continuation(events: events, isComplete: isComplete)
  }

  /// Marks all actions that another history lacks as remote.
  ///
  /// - Complexity: O(actions).
  mutating func markRemote(beyond known: UndoHistory) {
    let common = lastCommon(with: known)
    for number in max(common, offset)..<last { entries[number - offset].isRemote = true }
  }

  /// The number of the last action up to which two histories are the same, as far as both remember.
  private func lastCommon(with other: UndoHistory) -> Int {
    let end = min(last, other.last)
    let start = min(end, max(offset, other.offset))
    return (start..<end).first { number in
      !entries[number - offset].isSame(as: other.entries[number - other.offset])
    } ?? end
  }
}

// MARK: - Repeating

extension UndoHistory {
  /// The same history by the reducers of another schema, without the actions that it refuses.
  ///
  /// - Parameters:
  ///   - new: The other schema.
  ///   - current: The current states of a history without actions.
  /// - Returns: The history, the states at its position, and the refused actions.
  /// - Throws: Why the state in which the history begins can't be converted.
  func repeated(
    with new: StoreSchema, instead current: States
  ) throws -> (history: UndoHistory, states: States, refusals: [ReloadedHistory.Refusal]) {
    var history = UndoHistory(new, limit: limit)
    history.retention = retention
    history.author = author
    history.offset = offset
    history.position = offset
    var states = try (checkpoints.first ?? current).converted(to: new)
    var refusals: [ReloadedHistory.Refusal] = []
    var position = offset
    for (index, entry) in entries.enumerated() {
      let number = offset + index + 1
      do {
        let action = try entry.action.converted(to: new)
        if history.needsCheckpoint { history.addCheckpoint(states) }
        try new.reduce(
          &states, action, earlier: { try history.state(of: $0, at: history.position) })
        history.append(
          action, at: entry.seconds, isRemote: entry.isRemote, author: entry.author)
      } catch {
        refusals.append(.init(number: number, action: entry.action, reason: error))
      }
      if number == self.position { position = history.position }
    }
    if history.checkpoints.isEmpty, !entries.isEmpty { history.addCheckpoint(states) }
    history.position = position
    let now = history.checkpoints.isEmpty ? states : try history.state(at: position)
    return (history, now, refusals)
  }
}

// MARK: - Replaying

extension UndoHistory {
  /// The state after an action from `first` to `last`, replayed from the checkpoint before it.
  ///
  /// - Throws: A reducer's error, which a deterministic reducer doesn't throw.
  /// - Complexity: O(`interval`) actions.
  func state(at number: Int) throws -> States {
    try replayed(to: number) { [$0] }
  }

  /// The states after an action as `state(at:)` finds them, but replayed for one feature only; those of others aren't
  /// current.
  ///
  /// It runs no code of other features, which could be stopped.
  func state(of feature: Int, at number: Int) throws -> States {
    try replayed(to: number) { $0.parts(of: feature) }
  }

  /// Replays parts of the actions from the checkpoint before an action up to it.
  private func replayed(
    to number: Int, _ parts: (StoreAction) -> [StoreAction]
  ) throws -> States {
    let index = number - offset
    let checkpoint = min(index / Self.interval, checkpoints.count - 1)
    precondition(checkpoint >= 0, "There is a state before the first action.")
    var state = checkpoints[checkpoint]
    for number in (offset + checkpoint * Self.interval)..<number {
      for action in parts(entries[number - offset].action) { try schema.reduce(&state, action) }
    }
    return state
  }

  /// Replays the actions after the range's lower bound, up to its upper bound.
  ///
  /// - Throws: A reducer's error, which a deterministic reducer doesn't throw.
  func redo(_ numbers: Range<Int>, in state: inout States) throws {
    for number in numbers {
      try schema.reduce(&state, entries[number - offset].action)
    }
  }

  mutating func move(to number: Int) {
    position = number
  }
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

/// The history of a store in a form that can be stored: a state, and the actions since.
public struct HistorySnapshot: Codable, Equatable, Sendable {
  /// An action of the history.
  public struct Action: Codable, Equatable, Sendable {
    /// The action.
    public let action: StoreAction
    /// When it was done.
    public let time: Date
    /// The user and host that did it; nil unless the session is shared by machines.
    public let author: String?

    /// Makes an action of a history.
    public init(action: StoreAction, time: Date, author: String? = nil) {
      self.action = action
      self.time = time
      self.author = author
    }
  }

  /// The state before the first action.
  public let state: States

  /// The number of the action before the first action here.
  public let offset: Int

  /// The remembered actions, in effect or undone.
  public let actions: [Action]

  /// The number of the last action in effect.
  public let position: Int

  /// Makes a snapshot.
  public init(state: States, offset: Int, actions: [Action], position: Int) {
    self.state = state
    self.offset = offset
    self.actions = actions
    self.position = position
  }
}

/// A store's states and history at one time, which cost nothing to keep, as unchanged parts are shared.
struct StoreSnapshot {
  let states: States
  var history: UndoHistory

  /// The history in a form that can be stored.
  var historySnapshot: HistorySnapshot {
    history.snapshot
      ?? HistorySnapshot(
        state: states, offset: history.position, actions: [], position: history.position)
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
