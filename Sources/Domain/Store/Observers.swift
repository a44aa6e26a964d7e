import Collections

/// Those who observe a store, and the reports on their way to them.
///
/// Reports queue: every observer hears of the changes in the order they happened, though an observer sends actions.
final class Observers {
  /// Hears of the errors that observers throw.
  var onFailure: (any Error) -> Void

  // Unchecked, as each is only read or changed by itself, never while another's code runs, and that for every action.

  /// What is observed now: each field once, and each part of one.
  @exclusivity(unchecked) private var watches: [FieldWatch] = [] {
    didSet { scalarWatches = watches.filter { !$0.isOfList } }
  }
  /// Those that are looked at where no list has noted edits.
  @exclusivity(unchecked) private var scalarWatches: [FieldWatch] = []
  @exclusivity(unchecked) private var subscriptions: [Subscription] = []
  @exclusivity(unchecked) private var reports = Deque<Report>()
  @exclusivity(unchecked) private(set) var isReporting = false

  /// What happened, on its way to those who observed when it did.
  private struct Report {
    let position: Int
    let changes: Changes
    /// Nil where no action was done.
    let action: RecordedAction?
    let recipients: [Subscription]
  }

  init(onFailure: @escaping (any Error) -> Void) {
    self.onFailure = onFailure
  }

  // MARK: - Observing

  /// How many hear of actions.
  @exclusivity(unchecked) private(set) var actionObservers = 0

  func observe(
    _ fields: [Field<App.State>], in state: App.State,
    _ body: @escaping (StateChange) throws -> Void
  ) -> Subscription {
    let observed = fields.map { field in watch(for: field, in: state) }
    for watch in observed { watch.observers += 1 }
    return add(Subscription(.state(body), of: observed, in: self))
  }

  func observeActions(_ body: @escaping (RecordedAction) throws -> Void) -> Subscription {
    actionObservers += 1
    return add(Subscription(.actions(body), in: self))
  }

  /// Called before the subscription is cancelled.
  func remove(_ subscription: Subscription) {
    subscriptions.removeAll { $0 === subscription }
    if case .actions = subscription.observer { actionObservers -= 1 }
    for watch in subscription.watches { watch.observers -= 1 }
    watches.removeAll { $0.observers == 0 }
  }

  private func add(_ subscription: Subscription) -> Subscription {
    subscriptions.append(subscription)
    return subscription
  }

  private func watch(for field: Field<App.State>, in state: App.State) -> FieldWatch {
    if let watch = watches.first(where: { $0.path == field.path }) { return watch }
    let watch = FieldWatch(field, state: state)
    watches.append(watch)
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
    for watch in ofLists ? watches : scalarWatches {
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
    for watch in watches {
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
    for watch in watches {
      if let change = watch.takeDifference(between: earlier, and: state) {
        changes.add(change, of: watch)
      }
    }
    return changes
  }

  // MARK: - Reporting

  /// Whether something was done of which not all have heard.
  var hasQueuedReports: Bool { !reports.isEmpty }

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
    guard !isReporting else {
      let report = Report(
        position: position, changes: changes, action: action, recipients: subscriptions)
      return reports.append(report)
    }
    isReporting = true
    defer { isReporting = false }
    // Not as a report: to put it together takes as long as to deliver it.
    for subscription in subscriptions {
      deliver(changes, position: position, action: action, to: subscription)
    }
    // Of the actions that observers sent meanwhile.
    while let report = reports.popFirst() {
      for subscription in report.recipients {
        deliver(
          report.changes, position: report.position, action: report.action, to: subscription)
      }
    }
  }

  private func deliver(
    _ changes: Changes, position: Int, action: RecordedAction?, to subscription: Subscription
  ) {
    do {
      switch subscription.observer {
      case .state(let body):
        if let change = changes.of(subscription.watches, at: position) { try body(change) }
      case .actions(let body):
        if let action { try body(action) }
      case nil:
        break
      }
    } catch {
      onFailure(error)
    }
  }
}
