import Collections
import Foundation

/// Those who observe a store, and the reports on their way to them.
///
/// Reports queue: every observer hears of the changes in the order they happened, though an observer sends actions.
final class Observers {
  /// Hears of the errors that observers throw.
  var onFailure: (any Error) -> Void

  // Unchecked, as each is only read or changed by itself, never while another's code runs, and that for every action.

  /// What is observed: each field once, and each part of one, in the order in which they came; also, for a while, what
  /// nobody observes any more.
  @exclusivity(unchecked) private var watches: [Watch] = []
  /// The features whose lists are watched.
  @exclusivity(unchecked) private var listSources = FeatureSet.none
  @exclusivity(unchecked) private var watchesByPath: [String: FieldWatch] = [:]
  /// By their numbers; also, for a while, those that were cancelled.
  @exclusivity(unchecked) private var subscriptions: [Subscription] = []
  @exclusivity(unchecked) private var lastNumber = 0
  @exclusivity(unchecked) private var cancelledCount = 0

  @exclusivity(unchecked) private var reports = Deque<Report>()
  @exclusivity(unchecked) private(set) var isReporting = false
  /// The observer that hears of something now.
  @exclusivity(unchecked) private var recipient: Subscription?
  /// Those that still hear of what is on its way, once one of the others was stopped.
  @exclusivity(unchecked) private var unstoppable: [Subscription]?

  /// So many reports at most are on their way: else observers that act more often than they are called fill the memory.
  static let maximumQueue = 100_000

  /// What happened, on its way to those who observed when it did.
  private struct Report {
    let position: Int
    let changes: Changes
    /// Nil where no action was done, or nobody observes actions.
    let action: StoreAction?
    /// When it was done, in seconds since the reference date.
    let seconds: TimeInterval
    /// The number of the last subscription that there was.
    let lastRecipient: Int
  }

  init(onFailure: @escaping (any Error) -> Void) {
    self.onFailure = onFailure
  }

  // MARK: - Observing

  /// How many hear of actions.
  @exclusivity(unchecked) private(set) var actionObservers = 0

  func observe(
    _ fields: [StateField], in states: States, path: String, canBeStopped: Bool,
    _ body: @escaping (StateChange) throws -> Void
  ) -> Subscription {
    let observed = fields.map { field in watch(for: field, in: states) }
    for watch in observed { watch.observers += 1 }
    return add(.state(body), path: path, of: observed, canBeStopped)
  }

  /// Observes what a watch of its own looks at.
  func observe(_ watch: Watch) -> Subscription {
    watch.observers = 1
    insert(watch)
    return add(.part, path: nil, of: [watch], false)
  }

  func observeActions(
    canBeStopped: Bool, _ body: @escaping (RecordedAction) throws -> Void
  ) -> Subscription {
    actionObservers += 1
    return add(.actions(body), path: nil, of: [], canBeStopped)
  }

  /// Called when a subscription was cancelled.
  ///
  /// - Complexity: O(fields observed by it), on average over many.
  func remove(_ subscription: Subscription, _ observer: Subscription.Observer) {
    if case .actions = observer { actionObservers -= 1 }
    for watch in subscription.watches {
      watch.observers -= 1
      if watch.observers == 0, let watch = watch as? FieldWatch { watchesByPath[watch.path] = nil }
    }
    cancelledCount += 1
    removeCancelled()
  }

  /// Forgets all, and what is on its way to them.
  func removeAll() {
    subscriptions = []
    watches = []
    listSources = .none
    watchesByPath = [:]
    actionObservers = 0
    cancelledCount = 0
    reports = []
  }

  /// Forgets those that were cancelled, once they are many; not while subscriptions are gone through.
  private func removeCancelled() {
    guard !isReporting, cancelledCount * 2 > subscriptions.count else { return }
    cancelledCount = 0
    subscriptions.removeAll { $0.isCancelled }
    watches.removeAll { $0.observers == 0 }
    listSources = .none
    for watch in watches { noteSources(of: watch) }
  }

  private func add(
    _ observer: Subscription.Observer, path: String?, of watches: [Watch],
    _ canBeStopped: Bool
  ) -> Subscription {
    lastNumber += 1
    let subscription = Subscription(
      observer, number: lastNumber, path: path, of: watches, canBeStopped: canBeStopped, in: self)
    subscriptions.append(subscription)
    return subscription
  }

  private func watch(for field: StateField, in states: States) -> Watch {
    if let watch = watchesByPath[field.path] { return watch }
    let watch = FieldWatch(field, states: states)
    watchesByPath[field.path] = watch
    insert(watch)
    return watch
  }

  private func insert(_ watch: Watch) {
    watches.append(watch)
    noteSources(of: watch)
  }

  private func noteSources(of watch: Watch) {
    if let watch = watch as? FieldWatch, watch.isList { listSources.formUnion(watch.sources) }
  }

  // MARK: - Changes

  /// Changes of what is observed: mostly of one field, which takes no memory of its own.
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
        // So that the array has one owner, and isn't copied for each change.
        self = .none
        changes.append((change, watch))
        self = .several(changes)
      }
    }

    fileprivate var isEmpty: Bool {
      if case .none = self { true } else { false }
    }

    /// The changes of fields that some observe, or nil where there is none.
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

    /// Tells the only one who observes a watch, where that changed.
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

  /// Whether lists of some features are watched.
  func watchesLists(of sources: FeatureSet) -> Bool { listSources.intersects(sources) }

  /// Whether the states before a change of some features are needed to tell what changed.
  func comparesStates(of sources: FeatureSet) -> Bool {
    watches.contains { watch in
      watch.comparesStates && watch.observers > 0 && watch.sources.intersects(sources)
    }
  }

  /// Has the watched lists of some features note their changes; to be followed by `endLogs`.
  func startLogs(of sources: FeatureSet, in states: inout States) {
    for watch in watches where watch.observers > 0 && watch.sources.intersects(sources) {
      watch.prepare(&states)
    }
  }

  /// Has the lists end their notes, which `takeChanges` then uses.
  ///
  /// - Parameters:
  ///   - sources: The features, as for `startLogs`.
  ///   - states: The states.
  ///   - isChanged: Whether the action was done.
  /// - Returns: Whether all changes are noted, so that the states before aren't needed.
  func endLogs(of sources: FeatureSet, in states: inout States, isChanged: Bool) -> Bool {
    var areComplete = true
    for watch in watches where watch.observers > 0 && watch.sources.intersects(sources) {
      if !watch.finish(&states, isChanged: isChanged) { areComplete = false }
    }
    return areComplete
  }

  /// What changed of what is observed.
  ///
  /// - Parameters:
  ///   - earlier: The states before; nil where the lists noted what changed.
  ///   - later: The states after.
  ///   - sources: The features that may have changed.
  /// - Returns: The changes.
  func takeChanges(from earlier: States?, to later: States, of sources: FeatureSet) -> Changes {
    var changes = Changes.none
    for watch in watches where watch.observers > 0 && watch.sources.intersects(sources) {
      if let change = watch.takeChange(from: earlier, to: later) { changes.add(change, of: watch) }
    }
    return changes
  }

  // MARK: - Reporting

  /// Makes sure that there is room for what is done next.
  ///
  /// - Throws: `StoreError.tooManyReports`, which names the observer that does it.
  func checkQueue() throws(StoreError) {
    guard reports.count >= Self.maximumQueue else { return }
    throw .tooManyReports(observer: recipient?.path, count: reports.count)
  }

  /// Reports changes to those who observe now.
  ///
  /// Not called while the store's state is being accessed: observers read and change it.
  ///
  /// - Parameters:
  ///   - changes: What changed.
  ///   - position: The number of the last action in effect.
  ///   - action: The action that was done, where there is one, and somebody observes actions.
  ///   - seconds: When it was done, in seconds since the reference date.
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
    // Of the actions that observers sent meanwhile.
    while let report = reports.popFirst() { deliver(report) }
    isReporting = false
    unstoppable = nil
    if cancelledCount > 0 { removeCancelled() }
  }

  private func deliver(_ report: Report) {
    var index = 0
    // An observer may make others subscribe, or be the first that is stopped.
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

  private func deliver(_ report: Report, to subscription: Subscription) {
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
      case nil:
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

/// What an observer throws whose code was stopped, by a user or a limit.
///
/// What is on its way to observers that can be stopped is then dropped: code that is told to stop must come to its end.
public struct ObserverStopped: Error {
  /// Why it was stopped.
  public let reason: any Error

  /// Makes an error.
  public init(_ reason: any Error) { self.reason = reason }
}

/// An observer's place in a store, which lasts until it is cancelled, whether or not this is kept.
public final class Subscription {
  /// Whom to tell, and of what.
  enum Observer {
    /// Of changes of the watched fields.
    case state((StateChange) throws -> Void)
    /// Of changes of what a watch of its own looks at, which knows whom to tell.
    case part
    /// Of the actions that are done.
    case actions((RecordedAction) throws -> Void)
  }

  /// Greater than that of every earlier subscription of the store.
  let number: Int

  /// What it was made for; nil by an observer of actions.
  let path: String?

  /// Whether what is on its way to it is dropped when the code of observers is stopped.
  let canBeStopped: Bool

  /// What is observed; nothing by an observer of actions.
  let watches: [Watch]

  /// Nil once cancelled.
  ///
  /// Unchecked, as it is only read and replaced as a whole, and this is done for every action.
  @exclusivity(unchecked) private(set) var observer: Observer?

  private weak var observers: Observers?

  /// Whether it was cancelled.
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

  /// Ends the observation: nothing is reported after this, not even what has happened already.
  public func cancel() {
    guard let observer else { return }
    self.observer = nil
    observers?.remove(self, observer)
  }
}
