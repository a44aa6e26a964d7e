import Collections

/// Those who observe a store, and the reports on their way to them.
///
/// Reports queue: every observer hears of the changes in the order they happened, though an observer sends actions.
final class Observers {
  /// Hears of the errors that observers throw.
  var onFailure: (any Error) -> Void

  /// What is observed now: each field once, and each part of one.
  private var watches: [FieldWatch] = []
  private var subscriptions: [Subscription] = []
  private var reports = Deque<Report>()
  private var isReporting = false

  /// A change of what is observed.
  struct Change {
    let watch: FieldWatch
    let change: FieldChange
  }

  /// What happened, on its way to those who observed when it did.
  private struct Report {
    let cause: StateChange.Cause
    let changes: [Change]
    let recipients: [Subscription]
  }

  init(onFailure: @escaping (any Error) -> Void) {
    self.onFailure = onFailure
  }

  // MARK: - Observing

  func observe(
    _ fields: [Field<App.State>], in state: App.State,
    _ body: @escaping (StateChange) throws -> Void
  ) -> Subscription {
    let observed = fields.map { field in watch(for: field, in: state) }
    for watch in observed { watch.observers += 1 }
    return add(.state(observed, body))
  }

  func observeActions(_ body: @escaping (RecordedAction) throws -> Void) -> Subscription {
    add(.actions(body))
  }

  func remove(_ subscription: Subscription, _ observer: Subscription.Observer) {
    subscriptions.removeAll { $0 === subscription }
    guard case .state(let observed, _) = observer else { return }
    for watch in observed { watch.observers -= 1 }
    watches.removeAll { $0.observers == 0 }
  }

  private func add(_ observer: Subscription.Observer) -> Subscription {
    let subscription = Subscription(observer, of: self)
    subscriptions.append(subscription)
    return subscription
  }

  private func watch(for field: Field<App.State>, in state: App.State) -> FieldWatch {
    if let watch = watches.first(where: { $0.field.path == field.path }) { return watch }
    let watch = FieldWatch(field, state: state)
    watches.append(watch)
    return watch
  }

  // MARK: - Reporting

  /// Whether there is anybody to whom a change of the state may be reported.
  var isEmpty: Bool { subscriptions.isEmpty }

  /// What actions that were just done changed; the lists of the state then have no notes of edits any more.
  func takeChanges(in state: inout App.State) -> [Change] {
    let changes = watches.compactMap { watch in
      watch.takeChange(in: &state).map { Change(watch: watch, change: $0) }
    }
    App.discardEdits(in: &state)
    return changes
  }

  /// What taking actions back changed.
  ///
  /// - Parameters:
  ///   - state: The state before the actions.
  ///   - undone: The same with the actions done again, so that its lists have noted their edits.
  /// - Returns: The changes of what is observed.
  func takeChanges(backTo state: App.State, from undone: inout App.State) -> [Change] {
    watches.compactMap { watch in
      watch.takeChange(backTo: state, from: &undone).map { Change(watch: watch, change: $0) }
    }
  }

  /// Reports changes to those who observe now.
  ///
  /// Not called while the store's state is being accessed: observers read and change it.
  func report(_ cause: StateChange.Cause, _ changes: [Change]) {
    guard !isEmpty else { return }
    reports.append(Report(cause: cause, changes: changes, recipients: subscriptions))
    deliverReports()
  }

  /// Delivers reports until none is left; where an observer's action comes here, the delivery that
  /// called the observer goes on with that report.
  private func deliverReports() {
    guard !isReporting else { return }
    isReporting = true
    defer { isReporting = false }
    while let report = reports.popFirst() {
      for subscription in report.recipients { deliver(report, to: subscription) }
    }
  }

  private func deliver(_ report: Report, to subscription: Subscription) {
    do {
      switch (subscription.observer, report.cause) {
      case (.state(let watches, let body), _):
        let fields = report.changes.compactMap { change in
          watches.contains { $0 === change.watch } ? change.change : nil
        }
        guard !fields.isEmpty else { return }
        try body(StateChange(cause: report.cause, fields: fields))
      case (.actions(let body), .action(let recorded)):
        try body(recorded)
      case (.actions, .travel), (nil, _):
        break
      }
    } catch {
      onFailure(error)
    }
  }
}
