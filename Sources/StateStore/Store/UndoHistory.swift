import DequeModule
public import Foundation

/// The actions of a store with what each changed, by which they are undone and redone: no action runs again.
///
/// Actions are numbered from 1.
struct UndoHistory {
  private struct Entry {
    let action: StoreAction
    let delta: StateDelta
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
  var retention = 0

  /// The user and host of this process's actions; nil if nobody is named.
  var author: String?

  /// The number of the last action in effect; those after it are undone.
  private(set) var position = 0

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

  /// Appends an action that was done, forgets undone ones, and returns its number.
  ///
  /// Its time is in seconds since the reference date. A remote action was done by another process while this one had
  /// the session open.
  @discardableResult
  mutating func append(
    _ action: StoreAction, _ delta: StateDelta, at seconds: TimeInterval, isRemote: Bool = false,
    author: String? = nil
  ) -> Int {
    let count = position - offset
    if count < entries.count { entries.removeSubrange(count...) }
    entries.append(
      Entry(
        action: action, delta: delta, seconds: seconds, isRemote: isRemote, author: author))
    position += 1
    fold()
    return position
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

// MARK: - Comparing

extension UndoHistory {
  /// The events of this history after another one.
  struct Continuation {
    /// The events that the other history lacks.
    let events: [(event: JournalEntry.Event, time: Date, author: String?)]
    /// The number of the last action that both histories have.
    let common: Int
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
    return Continuation(events: events, common: common)
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

// MARK: - Moving

extension UndoHistory {
  /// Takes the changes of actions back, or makes them again, in states at this history's position.
  ///
  /// - Parameters:
  ///   - states: The states, which then are those after an action.
  ///   - number: The number of the action, which is remembered.
  /// - Complexity: O(actions + records that they changed · log records).
  func move(_ states: inout States, to number: Int) {
    move(&states, from: position, to: number)
  }

  /// As `move(_:to:)`, in states after another action.
  func move(_ states: inout States, from start: Int, to number: Int) {
    if number < start {
      for index in (number..<start).reversed() {
        states.apply(entries[index - offset].delta, isUndone: true)
      }
    } else {
      for index in start..<number {
        states.apply(entries[index - offset].delta, isUndone: false)
      }
    }
  }

  mutating func move(to number: Int) {
    position = number
  }

  /// What the action with a number changed.
  func delta(of number: Int) -> StateDelta { entries[number - 1 - offset].delta }
}

extension StoreSnapshot {
  /// The states after an action that the history remembers.
  ///
  /// - Complexity: O(actions since, or until then, + records that they changed · log records).
  func states(after number: Int) -> States {
    var states = states
    history.move(&states, to: number)
    return states
  }

  /// Whether both had the same state after an action that both remember.
  ///
  /// The same actions can have other numbers if forgotten actions were replaced by their result.
  func hasSameStates(as other: StoreSnapshot, after number: Int) -> Bool {
    guard history.remembered.contains(number), other.history.remembered.contains(number) else {
      return false
    }
    let (own, others) = (states(after: number), other.states(after: number))
    do {
      return try own == others || StateCoding.areSame(own, others)
    } catch {
      // States that can't be encoded are the same only if they are equal.
      return false
    }
  }

  /// Restores a stored history by doing its actions again.
  ///
  /// - Throws: A reducer's error, which a deterministic reducer doesn't throw, or `StoreError.outOfHistory`.
  init(_ snapshot: HistorySnapshot, of schema: StoreSchema, limit: Int, retention: Int) throws {
    self.init(
      states: snapshot.state, history: UndoHistory(limit: limit, retention, after: snapshot.offset))
    for action in snapshot.actions {
      let delta = try schema.reduce(&states, action.action)
      history.append(
        action.action, delta, at: action.time.timeIntervalSinceReferenceDate,
        author: action.author ?? "")
    }
    guard history.remembered.contains(snapshot.position) else {
      throw StoreError.outOfHistory(snapshot.position, reachable: history.remembered)
    }
    history.move(&states, to: snapshot.position)
    history.move(to: snapshot.position)
  }

  /// The history in a form that can be stored.
  var historySnapshot: HistorySnapshot {
    HistorySnapshot(
      state: states(after: history.remembered.lowerBound), offset: history.remembered.lowerBound,
      actions: history.storedActions, position: history.position)
  }

  /// The same history by the reducers of another schema, without the actions that it refuses.
  ///
  /// - Parameter schema: The other schema.
  /// - Returns: The history, and the refused actions.
  /// - Throws: Why the state in which the history begins can't be converted.
  func repeated(with schema: StoreSchema) throws -> ReloadedHistory {
    let start = history.remembered.lowerBound
    var repeated = StoreSnapshot(
      states: try states(after: start).converted(to: schema),
      history: history.emptied(after: start))
    var refusals: [ReloadedHistory.Refusal] = []
    var position = start
    for number in start..<history.last {
      let recorded = history.recorded(number + 1)
      do {
        let action = try recorded.action.converted(to: schema)
        let delta = try schema.reduce(&repeated.states, action)
        repeated.history.append(action, delta, like: number + 1, of: history)
      } catch {
        refusals.append(.init(number: number + 1, action: recorded.action, reason: error))
      }
      if number + 1 == history.position { position = repeated.history.position }
    }
    repeated.history.move(&repeated.states, to: position)
    repeated.history.move(to: position)
    return ReloadedHistory(refusals: refusals, point: repeated, schema: schema)
  }
}

extension UndoHistory {
  fileprivate init(limit: Int, _ retention: Int, after offset: Int) {
    self.init(limit: limit)
    (self.retention, self.offset, position) = (retention, offset, offset)
  }

  /// A history with the same limits, but without actions.
  fileprivate func emptied(after offset: Int) -> UndoHistory {
    var history = UndoHistory(limit: limit, retention, after: offset)
    history.author = author
    return history
  }

  /// Appends an action with the time and author of an action of another history.
  fileprivate mutating func append(
    _ action: StoreAction, _ delta: StateDelta, like number: Int, of other: UndoHistory
  ) {
    let entry = other.entries[number - 1 - other.offset]
    append(
      action, delta, at: entry.seconds, isRemote: entry.isRemote, author: entry.author)
  }

  fileprivate var storedActions: [HistorySnapshot.Action] {
    entries.map {
      HistorySnapshot.Action(action: $0.action, time: $0.time, author: author(of: $0))
    }
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
  var states: States
  var history: UndoHistory
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
