import Collections

/// Those who observe a store, and the reports on their way to them.
///
/// Reports queue: every observer hears of the changes in the order they happened, though an observer sends actions.
final class Observers {
  /// Hears of the errors that observers throw.
  var onFailure: (any Error) -> Void

  // Unchecked, as each is only read or changed by itself, never while another's code runs, and that for every action.

  /// What is observed: each field once, and each part of one, in the order in which they came; also, for a while, what
  /// nobody observes any more.
  @exclusivity(unchecked) private var watches: [FieldWatch] = []
  /// Those that are looked at where no list has noted edits.
  @exclusivity(unchecked) private var scalarWatches: [FieldWatch] = []
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
    /// Nil where no action was done.
    let action: RecordedAction?
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
    _ fields: [Field<App.State>], in state: App.State, path: String, canBeStopped: Bool,
    _ body: @escaping (StateChange) throws -> Void
  ) -> Subscription {
    let observed = fields.map { field in watch(for: field, in: state) }
    for watch in observed { watch.observers += 1 }
    return add(.state(body), path: path, of: observed, canBeStopped)
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
      if watch.observers == 0 { watchesByPath[watch.path] = nil }
    }
    cancelledCount += 1
    removeCancelled()
  }

  /// Forgets all, and what is on its way to them.
  func removeAll() {
    subscriptions = []
    watches = []
    scalarWatches = []
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
    scalarWatches.removeAll { $0.observers == 0 }
  }

  private func add(
    _ observer: Subscription.Observer, path: String?, of watches: [FieldWatch],
    _ canBeStopped: Bool
  ) -> Subscription {
    lastNumber += 1
    let subscription = Subscription(
      observer, number: lastNumber, path: path, of: watches, canBeStopped: canBeStopped, in: self)
    subscriptions.append(subscription)
    return subscription
  }

  private func watch(for field: Field<App.State>, in state: App.State) -> FieldWatch {
    if let watch = watchesByPath[field.path] { return watch }
    let watch = FieldWatch(field, state: state)
    watchesByPath[field.path] = watch
    watches.append(watch)
    if !watch.isOfList { scalarWatches.append(watch) }
    return watch
  }

  // MARK: - Changes

  /// Changes of what is observed: mostly of one field, which takes no memory of its own.
  enum Changes {
    case none
    case one(FieldChange, of: FieldWatch)
    case several([(change: FieldChange, watch: FieldWatch)])

    fileprivate mutating func add(_ change: FieldChange, of watch: FieldWatch) {
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

    /// The changes of what some observe, or nil where there is none.
    fileprivate func of(_ observed: [FieldWatch], at position: Int) -> StateChange? {
      switch self {
      case .none: return nil
      case .one(let change, let watch):
        guard observed.contains(where: { $0 === watch }) else { return nil }
        return StateChange(position: position, field: change)
      case .several(let changes):
        let fields = changes.compactMap { change, watch in
          observed.contains { $0 === watch } ? change : nil
        }
        return fields.isEmpty ? nil : StateChange(position: position, fields: fields)
      }
    }
  }

  /// What actions that were just done changed.
  ///
  /// - Parameters:
  ///   - state: The state after the actions.
  ///   - ofLists: Whether a list has noted edits; else only other fields are looked at.
  /// - Returns: The changes of what is observed.
  func takeChanges(in state: inout App.State, ofLists: Bool) -> Changes {
    var changes = Changes.none
    for watch in ofLists ? watches : scalarWatches where watch.observers > 0 {
      if let change = watch.takeChange(in: &state) { changes.add(change, of: watch) }
    }
    return changes
  }

  /// What doing several actions at once, or taking them back, changed.
  ///
  /// - Parameters:
  ///   - earlier: The state before.
  ///   - later: The state after.
  ///   - noted: The one of them whose lists noted their edits: `later`, or `earlier` where actions are taken back.
  ///   - isBack: Whether they are taken back.
  /// - Returns: The changes of what is observed.
  func takeChanges(
    from earlier: App.State, to later: App.State, noted: inout App.State, isBack: Bool
  ) -> Changes {
    var changes = Changes.none
    for watch in watches where watch.observers > 0 {
      if let change = watch.takeChange(
        from: earlier, to: later, noted: &noted, isBack: isBack)
      {
        changes.add(change, of: watch)
      }
    }
    return changes
  }

  /// How what is observed differs between two states.
  func takeDifferences(between earlier: App.State, and state: App.State) -> Changes {
    var changes = Changes.none
    for watch in watches where watch.observers > 0 {
      if let change = watch.takeDifference(between: earlier, and: state) {
        changes.add(change, of: watch)
      }
    }
    return changes
  }

  // MARK: - Reporting

  /// Whether something was done of which not all have heard.
  var hasQueuedReports: Bool { !reports.isEmpty }

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
  func report(_ changes: Changes, position: Int, action: RecordedAction?) {
    guard !changes.isEmpty || action != nil else { return }
    let report = Report(
      position: position, changes: changes, action: action, lastRecipient: lastNumber)
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
        if let change = report.changes.of(subscription.watches, at: report.position) {
          try body(change)
        }
      case .actions(let body):
        if let action = report.action { try body(action) }
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
