/// An observer's place in a store, which lasts until it is cancelled, whether or not this is kept.
public final class Subscription {
  /// Whom to tell, and of what.
  enum Observer {
    /// Of changes of the watched fields.
    case state((StateChange) throws -> Void)
    /// Of the actions that are done.
    case actions((RecordedAction) throws -> Void)
  }

  /// The fields that are observed; none by an observer of actions.
  let watches: [FieldWatch]

  /// Nil once cancelled.
  ///
  /// Unchecked, as it is only read and replaced as a whole, and this is done for every action.
  @exclusivity(unchecked) private(set) var observer: Observer?

  private weak var observers: Observers?

  init(_ observer: Observer, of watches: [FieldWatch] = [], in observers: Observers) {
    self.observer = observer
    self.watches = watches
    self.observers = observers
  }

  /// Ends the observation: nothing is reported after this, not even what has happened already.
  public func cancel() {
    guard observer != nil else { return }
    observers?.remove(self)
    observer = nil
  }
}
