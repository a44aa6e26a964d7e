import DequeModule
import PrimereplFoundation

/// The observers of a store, and the reports that are queued for them.
///
/// Every observer gets the changes in the order they happened, even if an observer sends actions.
final class Observers {
  var onFailure: (any Error) -> Void

  // Unchecked: each is read or changed as a whole, for every action, and never while outside code runs.

  /// The observed fields and parts of fields, each once, in the order of observation; for a while also those that are no
  /// longer observed.
  @exclusivity(unchecked) private var watches: [Watch] = []
  var isEmpty: Bool { subscriptions.isEmpty }
  /// Whether anything of the states is observed.
  var haveWatches: Bool { !watches.isEmpty }
  private var watchesByPath: [String: FieldWatch] = [:]
  /// Sorted by number; for a while also cancelled ones.
  @exclusivity(unchecked) private var subscriptions: [StoreSubscription] = []
  @exclusivity(unchecked) private var lastNumber = 0
  @exclusivity(unchecked) private var cancelledCount = 0

  @exclusivity(unchecked) private var reports = Deque<Report>()
  @exclusivity(unchecked) private(set) var isReporting = false
  /// The observer that is being called.
  @exclusivity(unchecked) private var recipient: StoreSubscription?
  /// The observers that still get the queued reports after another observer was stopped.
  @exclusivity(unchecked) private var unstoppable: [StoreSubscription]?

  /// The maximum number of queued reports: observers that act more often than they are called would fill the memory.
  static let maximumQueue = 100_000

  /// A report for the subscriptions that existed when its changes happened.
  private struct Report {
    let position: Int
    let changes: Changes
    /// Nil if no action was done, or actions aren't observed.
    let action: StoreAction?
    /// When it was done, in seconds since the reference date.
    let seconds: TimeInterval
    /// The number of the last subscription at that time.
    let lastRecipient: Int
  }

  init(onFailure: @escaping (any Error) -> Void) {
    self.onFailure = onFailure
  }

  // MARK: - Observing

  @exclusivity(unchecked) private(set) var actionObservers = 0
  @exclusivity(unchecked) private(set) var eventObservers = 0

  func observe(
    _ fields: [AnyField], of schema: StoreSchema, in states: States, path: String,
    canBeStopped: Bool,
    _ body: @escaping (StateChange) throws -> Void
  ) -> StoreSubscription {
    let observed = fields.map { watch(for: $0, of: schema, in: states) }
    for watch in observed { watch.observers += 1 }
    return add(.state(body), path: path, of: observed, canBeStopped)
  }

  /// Adds the observer of a watch that has no other observers.
  func observe(_ watch: Watch) -> StoreSubscription {
    watch.observers = 1
    watches.append(watch)
    return add(.part, path: nil, of: [watch], false)
  }

  func observeActions(
    canBeStopped: Bool, _ body: @escaping (RecordedAction) throws -> Void
  ) -> StoreSubscription {
    actionObservers += 1
    return add(.actions(body), path: nil, of: [], canBeStopped)
  }

  func observeEvents(_ body: @escaping (StoreEvent) -> Void) -> StoreSubscription {
    eventObservers += 1
    return add(.events(body), path: nil, of: [], false)
  }

  func notify(_ event: StoreEvent) {
    for subscription in subscriptions {
      if case .events(let body) = subscription.observer { body(event) }
    }
  }

  /// Removes a cancelled subscription.
  ///
  /// - Complexity: O(fields observed by it), on average over many.
  func remove(_ subscription: StoreSubscription, _ observer: StoreSubscription.Observer) {
    switch observer {
    case .actions: actionObservers -= 1
    case .events: eventObservers -= 1
    case .state, .part: break
    }
    for watch in subscription.watches {
      watch.observers -= 1
      if watch.observers == 0, let watch = watch as? FieldWatch { watchesByPath[watch.path] = nil }
    }
    cancelledCount += 1
    removeCancelled()
  }

  /// Removes all observers, and the reports queued for them.
  func removeAll() {
    subscriptions = []
    watches = []
    watchesByPath = [:]
    actionObservers = 0
    eventObservers = 0
    cancelledCount = 0
    reports = []
  }

  /// Removes cancelled subscriptions once they are many, but not during iteration over subscriptions.
  private func removeCancelled() {
    guard !isReporting, cancelledCount * 2 > subscriptions.count else { return }
    cancelledCount = 0
    subscriptions.removeAll { $0.isCancelled }
    watches.removeAll { $0.observers == 0 }
  }

  private func add(
    _ observer: StoreSubscription.Observer, path: String?, of watches: [Watch],
    _ canBeStopped: Bool
  ) -> StoreSubscription {
    lastNumber += 1
    let subscription = StoreSubscription(
      observer, number: lastNumber, path: path, of: watches, canBeStopped: canBeStopped, in: self)
    subscriptions.append(subscription)
    return subscription
  }

  private func watch(
    for field: AnyField, of schema: StoreSchema, in states: States
  ) -> Watch {
    if let watch = watchesByPath[field.path] { return watch }
    let watch = FieldWatch(field, of: schema, states: states)
    watchesByPath[field.path] = watch
    watches.append(watch)
    return watch
  }

  // MARK: - Changes

  /// Changes of watches: mostly one, which needs no array.
  enum Changes {
    case none
    case one(WatchedChange, of: Watch)
    case several([(change: WatchedChange, watch: Watch)])

    fileprivate mutating func add(_ change: WatchedChange, of watch: Watch) {
      switch self {
      case .none: self = .one(change, of: watch)
      case .one(let first, let firstWatch):
        self = .several([(first, firstWatch), (change, watch)])
      case .several(var changes):
        // Gives the array one owner, so that it isn't copied for each change.
        self = .none
        changes.append((change, watch))
        self = .several(changes)
      }
    }

    fileprivate var isEmpty: Bool {
      if case .none = self { true } else { false }
    }

    /// The changes of the observed fields; nil if there are none.
    fileprivate func fields(of observed: [Watch], at position: Int) -> StateChange? {
      switch self {
      case .none: return nil
      case .one(.field(let change), let watch):
        guard observed.contains(where: { $0 === watch }) else { return nil }
        return StateChange(position: position, field: change)
      case .one: return nil
      case .several(let changes):
        let fields = changes.compactMap { change, watch -> FieldChange? in
          guard case .field(let field) = change, observed.contains(where: { $0 === watch })
          else { return nil }
          return field
        }
        return fields.isEmpty ? nil : StateChange(position: position, fields: fields)
      }
    }

    /// Calls the only observer of a watch, if the watch changed.
    fileprivate func report(_ observed: [Watch]) throws {
      switch self {
      case .one(.report(let report), let watch) where observed.first === watch: try report()
      case .several(let changes):
        for case (.report(let report), let watch) in changes where observed.first === watch {
          try report()
        }
      default: break
      }
    }
  }

  /// The changes of the watches of some features; the parameters are those of ``Watch/takeChange(by:from:to:)``.
  func takeChanges(
    by delta: StateDelta?, from earlier: States?, to later: States, of sources: FeatureSet
  ) -> Changes {
    var changes = Changes.none
    for watch in watches where watch.isObserved(of: sources) {
      if let change = watch.takeChange(by: delta, from: earlier, to: later) {
        changes.add(change, of: watch)
      }
    }
    return changes
  }

  /// Observes the fields of another schema in place of those of an earlier one.
  ///
  /// - Returns: How the values of the observed fields differ; lists that differ are replaced as a whole.
  func replaceFields(
    of old: StoreSchema, in earlier: States, by new: StoreSchema, in states: States
  ) -> Changes {
    watches.removeAll { $0 is FieldWatch }
    watchesByPath = [:]
    var changes = Changes.none
    for subscription in subscriptions where !subscription.isCancelled {
      guard let path = subscription.path else { continue }
      let fields: [AnyField]
      do throws(StoreError) {
        fields = try new.fields(at: path)
      } catch {
        // The state has no such path any more.
        fields = []
      }
      subscription.watches = fields.map { field in
        let isNew = watchesByPath[field.path] == nil
        let watch = watch(for: field, of: new, in: states)
        watch.observers += 1
        if isNew, let change = field.replacement(of: old, in: earlier, in: states) {
          changes.add(.field(change), of: watch)
        }
        return watch
      }
    }
    return changes
  }

  // MARK: - Reporting

  /// Checks that the queue has room for another report.
  ///
  /// - Throws: `StoreError.tooManyReports`, which names the observer that fills the queue.
  func checkQueue() throws(StoreError) {
    guard reports.count >= Self.maximumQueue else { return }
    throw .tooManyReports(observer: recipient?.path, count: reports.count)
  }

  /// Reports changes to the current observers.
  ///
  /// Must not be called while the store's state is being accessed: observers read and change it. `position` is the
  /// number of the last action in effect, and `action` the action that was done, if any, which may be nil if actions
  /// aren't observed. `seconds` is when it was done, in seconds since the reference date.
  func report(
    _ changes: Changes, position: Int, action: StoreAction? = nil, at seconds: TimeInterval = 0
  ) {
    guard !changes.isEmpty || action != nil else { return }
    let report = Report(
      position: position, changes: changes, action: action, seconds: seconds,
      lastRecipient: lastNumber)
    guard !isReporting else { return reports.append(report) }
    isReporting = true
    deliver(report)
    // Reports of the actions that observers sent meanwhile.
    while let report = reports.popFirst() { deliver(report) }
    isReporting = false
    unstoppable = nil
    if cancelledCount > 0 { removeCancelled() }
  }

  private func deliver(_ report: Report) {
    var index = 0
    // An observer may add others, or be the first to be stopped.
    while unstoppable == nil, index < subscriptions.count {
      let subscription = subscriptions[index]
      guard subscription.number <= report.lastRecipient else { return }
      deliver(report, to: subscription)
      index += 1
    }
    guard let unstoppable else { return }
    let lastHeard = index == 0 ? 0 : subscriptions[index - 1].number
    for subscription in unstoppable
    where subscription.number > lastHeard && subscription.number <= report.lastRecipient {
      deliver(report, to: subscription)
    }
  }

  private func deliver(_ report: Report, to subscription: StoreSubscription) {
    guard !subscription.hasLostOwner else { return subscription.cancel() }
    recipient = subscription
    do {
      switch subscription.observer {
      case .state(let body):
        if let change = report.changes.fields(of: subscription.watches, at: report.position) {
          try body(change)
        }
      case .part:
        try report.changes.report(subscription.watches)
      case .actions(let body):
        guard let action = report.action else { break }
        try body(
          RecordedAction(
            number: report.position,
            time: Date(timeIntervalSinceReferenceDate: report.seconds), action: action))
      case .events, nil:
        break
      }
    } catch {
      if error is ObserverStopped, unstoppable == nil {
        unstoppable = subscriptions.filter { !$0.canBeStopped }
      }
      onFailure(error)
    }
    recipient = nil
  }
}

/// The error of an observer whose code was stopped by the user or a limit.
///
/// Reports queued for observers that can be stopped are then dropped: stopped code must come to its end.
public struct ObserverStopped: Error {
  /// Why it was stopped.
  public let reason: any Error

  /// Makes an error.
  public init(_ reason: any Error) { self.reason = reason }
}

/// An observer of a store, which stays until it is cancelled or its owner is released, whether or not this object is kept.
public final class StoreSubscription {
  /// The closure to call, and the occasion.
  enum Observer {
    case state((StateChange) throws -> Void)
    /// For changes of a watch that calls its only observer itself.
    case part
    case actions((RecordedAction) throws -> Void)
    /// At once for each event.
    case events((StoreEvent) -> Void)
  }

  /// Greater than the numbers of all earlier subscriptions of the store.
  let number: Int

  /// The observed path; nil if it was made without a path.
  let path: String?

  /// Whether queued reports for it are dropped when an observer's code is stopped.
  let canBeStopped: Bool

  /// The observed parts of the states; empty for an observer of actions or events.
  fileprivate(set) var watches: [Watch]

  /// Nil once cancelled.
  ///
  /// Unchecked: it is only read and replaced as a whole, and this for every action.
  @exclusivity(unchecked) private(set) var observer: Observer?

  private weak var observers: Observers?

  private var isOwned = false
  private weak var owner: AnyObject?

  /// Whether the object with which the observation ends has been released.
  var hasLostOwner: Bool { isOwned && owner == nil }

  var isCancelled: Bool { observer == nil }

  init(
    _ observer: Observer, number: Int, path: String?, of watches: [Watch],
    canBeStopped: Bool, in observers: Observers
  ) {
    self.observer = observer
    self.number = number
    self.path = path
    self.canBeStopped = canBeStopped
    self.watches = watches
    self.observers = observers
  }

  /// Ends the observation when the owner, if there is one, is released.
  func end(with owner: AnyObject?) {
    self.owner = owner
    isOwned = owner != nil
  }

  /// Ends the observation: nothing more is reported, not even changes that have already happened.
  public func cancel() {
    guard let observer else { return }
    self.observer = nil
    observers?.remove(self, observer)
  }
}
