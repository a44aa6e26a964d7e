import Collections
import Foundation

/// Owns the app's state: sending actions is the only way to change it, and observers hear of it.
///
/// A store belongs to one actor and isn't locked.
///
/// **Order.** An action changes the state at once, also one that an observer sends. Reports queue:
/// every observer hears of the changes in the order they happened, each with what was new and old
/// then, even though the state itself may have gone on.
///
/// **Cost.** Besides its reducer, an action costs O(observed fields + edits of lists); nothing
/// depends on the size of the state.
public final class Store {
  /// The app's state.
  public private(set) var state: App.State

  /// Hears of the errors that observers throw, which concern neither the sender nor other
  /// observers.
  ///
  /// Unless set, it writes a line to standard error.
  public var onObserverFailure: (any Error) -> Void = Store.writeToStandardError

  private var watches = App.fields.map(FieldWatch.init)
  /// The indices of the watches to look at after an action: of the observed fields, and of lists, whose notes of edits
  /// mustn't pile up.
  private var activeWatches: [Int] = []
  private var subscriptions: [Subscription] = []
  private var reports = Deque<Report>()
  private var isReporting = false

  /// What an action changed, on its way to those who observed when it was sent.
  private struct Report {
    let action: App.Action
    let changes: [(field: Int, change: FieldChange)]
    let recipients: [Subscription]
  }

  /// Makes a store of a state.
  public init(state: App.State = App.State()) {
    self.state = state
    updateActiveWatches()
    // What lists noted before they were the store's is no change of the store's state.
    _ = takeChanges()
  }

  /// Changes the state as the action says, then reports to observers.
  ///
  /// - Throws: Why the action can't be done; then the state is unchanged.
  public func send(_ action: App.Action) throws {
    try App.reduce(&state, action)
    let changes = takeChanges()
    guard !changes.isEmpty else { return }
    reports.append(Report(action: action, changes: changes, recipients: subscriptions))
    deliverReports()
  }

  /// Calls a closure after every action that changed a field at or under a path.
  ///
  /// - Parameters:
  ///   - path: A field such as `counter.count`, what contains some such as `todo`, or nothing for
  ///     all.
  ///   - body: What to call, once for an action. It may send actions, observe and cancel. An error
  ///     it throws goes to `onObserverFailure`.
  /// - Returns: The subscription, to cancel it.
  /// - Throws: `StoreError.unknownPath`.
  @discardableResult
  public func observe(
    _ path: String, _ body: @escaping (StateChange) throws -> Void
  ) throws -> Subscription {
    let fields = watches.indices.filter { watches[$0].field.isUnder(path) }
    guard !fields.isEmpty else { throw StoreError.unknownPath(path, known: knownPaths) }
    let subscription = Subscription(fields: Set(fields), store: self, body: body)
    subscriptions.append(subscription)
    for field in fields { watches[field].addObserver(state: state) }
    updateActiveWatches()
    return subscription
  }

  func remove(_ subscription: Subscription) {
    subscriptions.removeAll { $0 === subscription }
    for field in subscription.fields { watches[field].removeObserver() }
    updateActiveWatches()
  }

  private func updateActiveWatches() {
    activeWatches = watches.indices.filter { watches[$0].isActive }
  }

  private func takeChanges() -> [(field: Int, change: FieldChange)] {
    var changes: [(field: Int, change: FieldChange)] = []
    for field in activeWatches {
      if let change = watches[field].takeChange(in: &state) {
        changes.append((field, change))
      }
    }
    return changes
  }

  /// Delivers reports until none is left; where an observer's action comes here, the delivery that
  /// called the observer goes on with that report.
  private func deliverReports() {
    guard !isReporting else { return }
    isReporting = true
    defer { isReporting = false }
    while let report = reports.popFirst() {
      for subscription in report.recipients {
        deliver(report, to: subscription)
      }
    }
  }

  private func deliver(_ report: Report, to subscription: Subscription) {
    guard let body = subscription.body else { return }
    let changes = report.changes.filter { subscription.fields.contains($0.field) }
    guard !changes.isEmpty else { return }
    do {
      try body(StateChange(action: report.action, fields: changes.map(\.change)))
    } catch {
      onObserverFailure(error)
    }
  }

  /// Every path that can be observed, each parent before its fields.
  private var knownPaths: [String] {
    var paths = OrderedSet<String>()
    for path in watches.map(\.field.path) {
      for dot in path.indices where path[dot] == "." {
        paths.append(String(path[..<dot]))
      }
      paths.append(path)
    }
    return Array(paths)
  }

  private static func writeToStandardError(_ error: any Error) {
    let line = failureLine(of: error)
    // Where standard error is closed, there is nobody left to tell.
    _ = line.withCString { write(STDERR_FILENO, $0, line.utf8.count) }
  }

  /// The one line that tells of an observer's error.
  static func failureLine(of error: any Error) -> String {
    let description = "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
    return "An observer of the store failed: \(description)\n"
  }
}
