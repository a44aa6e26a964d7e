/// An observer's place in a store, which lasts until it is cancelled, whether or not this is kept.
public final class Subscription {
  /// What is observed, and whom to tell.
  enum Observer {
    /// Fields of the state.
    case state([FieldWatch], (StateChange) throws -> Void)
    /// The actions that are done.
    case actions((RecordedAction) throws -> Void)
  }

  /// Nil once cancelled.
  ///
  /// Unchecked, as it is only read and replaced as a whole, and this is done for every action.
  @exclusivity(unchecked) private(set) var observer: Observer?

  private weak var observers: Observers?

  init(_ observer: Observer, of observers: Observers) {
    self.observer = observer
    self.observers = observers
  }

  /// Ends the observation: nothing is reported after this, not even what has happened already.
  public func cancel() {
    guard let cancelled = observer else { return }
    observer = nil
    observers?.remove(self, cancelled)
  }
}
