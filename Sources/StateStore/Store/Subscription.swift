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
