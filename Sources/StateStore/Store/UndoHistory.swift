import Collections
public import Foundation

/// The actions of a store, with a state every so many from which they are done again.
///
/// Actions are numbered from 1. Kept states cost little, as they share their lists with each other and with the store's.
struct UndoHistory {
  private struct Entry {
    let action: StoreAction
    /// In seconds since the reference date: the layout of a `Date` isn't known here, which makes copies slow.
    let seconds: TimeInterval
    var isRemote: Bool

    var time: Date { Date(timeIntervalSinceReferenceDate: seconds) }

    /// Whether two are the same, though one may have been written to a journal: that tells the times of what was done
    /// several times in a row no better than to a second, and no secrets.
    func isSame(as other: Entry) -> Bool {
      guard abs(seconds - other.seconds) < 1 else { return false }
      return action == other.action || action.isEncodedAs(other.action)
    }
  }

  /// How many actions there are from one checkpoint to the next: at most so many are done again for an undo.
  private static let interval = 100

  /// How many actions can be undone at most.
  var limit: Int {
    didSet {
      fold()
      // A deque keeps the room of what was removed, which may be much of it.
      if limit < oldValue { entries = Deque(entries) }
    }
  }

  /// At least so many actions are remembered, though fewer can be undone.
  var retention = 0

  /// The number of the last action that is in effect; those after it are undone.
  private(set) var position = 0

  private var entries = Deque<Entry>()
  /// The number of the action before the first entry.
  private var offset = 0
  /// The states before the entries 0, `interval`, 2 * `interval`, and so on, as far as they were reached.
  private var checkpoints = Deque<States>()

  private let schema: Schema

  init(_ schema: Schema, limit: Int) {
    self.schema = schema
    self.limit = limit
  }

  /// A history that was written down.
  ///
  /// - Throws: What a reducer throws, which it wouldn't for actions that were done.
  init(_ snapshot: HistorySnapshot, of schema: Schema, limit: Int, retention: Int) throws {
    self.schema = schema
    self.limit = limit
    self.retention = retention
    offset = snapshot.offset
    position = snapshot.offset
    var state = snapshot.state
    for action in snapshot.actions {
      if needsCheckpoint { addCheckpoint(state) }
      try schema.reduce(&state, action.action)
      append(action.action, at: action.time.timeIntervalSinceReferenceDate)
    }
    if checkpoints.isEmpty { addCheckpoint(state) }
    guard (offset...last).contains(snapshot.position) else {
      throw StoreError.outOfHistory(snapshot.position, reachable: offset...last)
    }
    position = snapshot.position
  }

  /// The history, to be written down; nil before the first action.
  var snapshot: HistorySnapshot? {
    checkpoints.first.map { state in
      HistorySnapshot(
        state: state, offset: offset,
        actions: entries.map { HistorySnapshot.Action(action: $0.action, time: $0.time) },
        position: position)
    }
  }

  /// The number of the last action in effect that another process did after one, or nil where there is none.
  func lastRemote(after number: Int) -> Int? {
    guard number < position else { return nil }
    return (number..<position).last { entries[$0 - offset].isRemote }.map { $0 + 1 }
  }

  /// The number of the last action, in effect or undone.
  var last: Int { offset + entries.count }

  /// The number of the action before which nothing can be undone.
  var first: Int { min(position, max(offset, last - limit)) }

  /// The numbers of the actions from which a state can be had.
  var remembered: ClosedRange<Int> { offset...last }

  /// The action of a number, which is after `first`, up to `last`.
  func recorded(_ number: Int) -> RecordedAction {
    let entry = entries[number - 1 - offset]
    return RecordedAction(number: number, time: entry.time, action: entry.action)
  }

  /// Whether the state is to be kept before the next action.
  var needsCheckpoint: Bool { position - offset == checkpoints.count * Self.interval }

  /// Keeps the state before the next action.
  mutating func addCheckpoint(_ states: States) {
    checkpoints.append(states)
  }

  /// Remembers an action that was done, and forgets those that were undone.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - seconds: When it was done, in seconds since the reference date.
  ///   - isRemote: Whether another process did it while this one had the session open.
  /// - Returns: Its number.
  @discardableResult
  mutating func append(
    _ action: StoreAction, at seconds: TimeInterval, isRemote: Bool = false
  ) -> Int {
    let count = position - offset
    if count < entries.count {
      entries.removeSubrange(count...)
      checkpoints.removeSubrange((count / Self.interval + 1)...)
    }
    entries.append(Entry(action: action, seconds: seconds, isRemote: isRemote))
    position += 1
    fold()
    return position
  }

  /// Forgets the oldest actions, as many as there are between two checkpoints, once there are that many too many.
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
  /// What was done in a history that another one of the same session has no more.
  struct Remainder {
    /// What is to be done in the other one.
    var events: [(event: JournalEntry.Event, time: Date)] = []
    /// By how much the numbers of actions will be greater there.
    var shift = 0
  }

  /// What was done here that another history lost, or nil where it lost nothing, or went on in another way.
  ///
  /// - Complexity: O(actions).
  func remainder(after other: UndoHistory) -> Remainder? {
    guard last > other.last, lastCommon(with: other) == other.last,
      other.last == 0 || isSameState(as: other, at: other.last)
    else { return nil }
    var remainder = Remainder()
    func add(_ event: JournalEntry.Event, at time: Date) { remainder.events.append((event, time)) }
    let time = entries.last?.time ?? Date()
    var start = other.last
    if start < offset {
      // What was done up to there isn't known here any more, but what it led to.
      guard let state = checkpoints.first else { return nil }
      add(.action(.restore(state, source: nil)), at: time)
      remainder.shift = other.position + 1 - offset
      start = offset
    } else if other.position < other.last {
      add(.travel(to: other.last), at: time)
    }
    for entry in entries.dropFirst(start - offset) { add(.action(entry.action), at: entry.time) }
    if position < last { add(.travel(to: position + remainder.shift), at: time) }
    return remainder
  }

  /// Whether both had the same state after an action that both remember.
  ///
  /// The same actions may have other numbers, where what is known no more was replaced by what it led to.
  private func isSameState(as other: UndoHistory, at number: Int) -> Bool {
    guard remembered.contains(number), other.remembered.contains(number) else { return false }
    // Before the first action there is the state that the store starts with.
    guard !checkpoints.isEmpty, !other.checkpoints.isEmpty else { return true }
    do {
      let (own, others) = (try state(at: number), try other.state(at: number))
      return try own == others || StateCoding.areSame(own, others)
    } catch {
      // Which they wouldn't if the reducers were deterministic.
      return false
    }
  }

  /// What was done here after another history, and what of that can be done in it.
  struct Continuation {
    /// What was done here that isn't there.
    let events: [(event: JournalEntry.Event, time: Date)]
    /// Whether that leads from the other history to this one.
    let isComplete: Bool
  }

  /// What was done here that isn't in another history, with where it went in the end.
  ///
  /// - Complexity: O(actions).
  func continuation(of other: UndoHistory) -> Continuation {
    let common = lastCommon(with: other)
    var events: [(event: JournalEntry.Event, time: Date)] = []
    for number in max(common, offset)..<last {
      let entry = entries[number - offset]
      if events.isEmpty, other.position < common {
        events.append((.travel(to: common), entry.time))
      }
      events.append((.action(entry.action), entry.time))
    }
    if position != (events.isEmpty ? other.position : last) {
      events.append((.travel(to: position), entries.last?.time ?? Date()))
    }
    let isComplete = common == other.last && isSameState(as: other, at: common)
    return Continuation(events: events, isComplete: isComplete)
  }

  /// Says of all actions that another history hasn't that another process did them.
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

// MARK: - Doing again

extension UndoHistory {
  /// The state after an action, done again from the checkpoint before it.
  ///
  /// - Parameter number: From `first` to `last`.
  /// - Returns: The states.
  /// - Throws: What a reducer throws, which it wouldn't if it were deterministic.
  /// - Complexity: O(`interval`) actions.
  func state(at number: Int) throws -> States {
    let index = number - offset
    let checkpoint = min(index / Self.interval, checkpoints.count - 1)
    precondition(checkpoint >= 0, "There is a state before the first action.")
    var state = checkpoints[checkpoint]
    try redo((offset + checkpoint * Self.interval)..<number, in: &state)
    return state
  }

  /// Does actions again.
  ///
  /// - Parameters:
  ///   - numbers: From the number of the last action in effect in the state to that of the last to be done.
  ///   - state: The state.
  /// - Throws: What a reducer throws, which it wouldn't if it were deterministic.
  func redo(_ numbers: Range<Int>, in state: inout States) throws {
    for number in numbers {
      try schema.reduce(&state, entries[number - offset].action)
    }
  }

  /// Makes another action the last that is in effect.
  mutating func move(to number: Int) {
    position = number
  }
}

/// One line of the history: an action and what came of it.
public struct HistoryEntry: Equatable, Sendable {
  /// The action.
  public let recorded: RecordedAction
  /// Whether it is undone, and can be redone.
  public let isUndone: Bool
  /// What it changed, in the order of the schema's fields.
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
}

/// The history of a store, written down: a state, and the actions since.
public struct HistorySnapshot: Codable, Equatable, Sendable {
  /// An action of the history.
  public struct Action: Codable, Equatable, Sendable {
    /// What was done.
    public let action: StoreAction
    /// When it was done.
    public let time: Date

    /// Makes an action of a history.
    public init(action: StoreAction, time: Date) {
      self.action = action
      self.time = time
    }
  }

  /// The state before the first of the actions.
  public let state: States

  /// The number of the action before the first of the actions.
  public let offset: Int

  /// The actions that are remembered, in effect or undone.
  public let actions: [Action]

  /// The number of the last action that is in effect.
  public let position: Int

  /// Makes a snapshot.
  public init(state: States, offset: Int, actions: [Action], position: Int) {
    self.state = state
    self.offset = offset
    self.actions = actions
    self.position = position
  }
}

/// A store's states and history at one time, which costs nothing to keep, as it shares what stays the same.
struct StoreSnapshot {
  let states: States
  var history: UndoHistory
}

extension Date {
  /// The time to some milliseconds, in seconds since the reference date: Linux tells it several times as fast as exactly,
  /// and the history asks for every action.
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
