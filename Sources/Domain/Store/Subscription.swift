/// An observer's place in a store, which lasts until it is cancelled, whether or not this is kept.
public final class Subscription {
  /// The indices of the observed fields in `App.fields`.
  let fields: Set<Int>

  /// What to call; nil once cancelled.
  private(set) var body: ((StateChange) throws -> Void)?

  private weak var store: Store?

  init(fields: Set<Int>, store: Store, body: @escaping (StateChange) throws -> Void) {
    self.fields = fields
    self.store = store
    self.body = body
  }

  /// Ends the observation: nothing is reported after this, not even what has happened already.
  public func cancel() {
    guard body != nil else { return }
    body = nil
    store?.remove(self)
  }
}
