/// An observed part of the states, which finds its changes.
class Watch {
  let sources: FeatureSet

  /// The number of subscriptions that observe it.
  var observers = 0

  init(_ sources: FeatureSet) { self.sources = sources }

  final func isObserved(of features: FeatureSet) -> Bool {
    observers > 0 && sources.intersects(features)
  }

  /// The change since the last call, if any.
  ///
  /// - Parameters:
  ///   - delta: What the only action since then changed; nil if there were several.
  ///   - earlier: The states before; they may be nil for an action of one feature.
  ///   - later: The states now.
  /// - Returns: The change.
  func takeChange(by delta: StateDelta?, from earlier: States?, to later: States) -> WatchedChange?
  {
    preconditionFailure("Each kind of watch looks in its own way.")
  }
}

enum WatchedChange {
  case field(FieldChange)
  /// Calls the watch's only observer.
  case report(() throws -> Void)
}

final class FieldWatch: Watch {
  var path: String { field.path }

  private let field: AnyField

  /// The records of a list, and its index among those of the feature; nil for a set, or another field.
  private let list: (records: StateRecords, index: Int)?

  /// The value when it was last read; `.none` for a list.
  ///
  /// Unchecked: it is only read and replaced as a whole, and this for every action.
  @exclusivity(unchecked) private var last = StateValue.none

  /// Changes are reported relative to `states`.
  init(_ field: AnyField, of schema: StoreSchema, states: States) {
    self.field = field
    list = schema.list(of: field)
    if !field.isList { last = field.value(in: states) }
    super.init(field.sources)
  }

  /// - Complexity: O(1) for a value, O(records that differ · log records) for a list.
  override func takeChange(
    by delta: StateDelta?, from earlier: States?, to later: States
  ) -> WatchedChange? {
    takeFieldChange(by: delta, from: earlier, to: later).map(WatchedChange.field)
  }

  func takeFieldChange(
    by delta: StateDelta?, from earlier: States?, to later: States
  ) -> FieldChange? {
    guard field.isList else {
      let old = last
      let new = field.value(in: later)
      guard new != old else { return nil }
      last = new
      return FieldChange(path: path, change: .value(new: new, old: old))
    }
    guard case .feature(let delta, field.index) = delta else {
      return earlier.flatMap { field.change(from: $0, to: later) }
    }
    return edits(of: delta).map { FieldChange(path: path, change: .list($0)) }
  }

  private func edits(of delta: FeatureDelta) -> ListEdits<StateValue>? {
    if let list {
      return delta.lists.first { $0.index == list.index }.flatMap { list.records.edits($0.delta) }
    }
    guard case .list(let list) = field.content else { return nil }
    return list.edits(delta.before, delta.after)
  }
}

/// A part of a feature's state, observed with its own type.
final class TypedWatch<F: Feature, Value: Equatable>: Watch {
  private let index: Int
  private let part: KeyPath<F.State, Value>
  private var last: Value
  private let body: (_ new: Value, _ old: Value) throws -> Void

  init(
    _ part: KeyPath<F.State, Value>, at index: Int, states: States,
    _ body: @escaping (Value, Value) throws -> Void
  ) {
    self.part = part
    self.index = index
    self.body = body
    last = states.read(F.self, at: index) { $0[keyPath: part] }
    super.init(FeatureSet(index))
  }

  override func takeChange(
    by delta: StateDelta?, from earlier: States?, to later: States
  ) -> WatchedChange? {
    let old = last
    let new = later.read(F.self, at: index) { $0[keyPath: part] }
    guard new != old else { return nil }
    last = new
    return .report { [body] in try body(new, old) }
  }
}

extension StoreSchema {
  /// The records of a list, and its index among those of its feature; nil for a set, or another field.
  fileprivate func list(of field: AnyField) -> (records: StateRecords, index: Int)? {
    guard let records = field.list?.records else { return nil }
    return features[field.index].recordLists.firstIndex { $0.path == field.path }
      .map { (records, $0) }
  }
}

extension Store {
  /// The current value of a part of a feature's state, and every later one.
  ///
  /// ```swift
  /// for await count in store.values(of: \.count, in: Counter.self) { print(count) }
  /// ```
  ///
  /// The sequence can be iterated once. It ends with the store, and its observation with the iteration. Values wait for
  /// a slow reader: none is dropped.
  ///
  /// - Parameters:
  ///   - part: The part, which is compared after every action of the feature.
  ///   - feature: The feature.
  /// - Returns: The values.
  public func values<F: Feature, Value: Equatable & Sendable>(
    of part: KeyPath<F.State, Value>, in feature: F.Type
  ) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream()
    let (iteration, source) = (Iteration(), ValueSource(continuation))
    // The stream drops this closure, and with it the owner of the observation, when the iteration ends.
    continuation.onTermination = { _ in withExtendedLifetime(iteration) {} }
    continuation.yield(read(feature) { $0[keyPath: part] })
    observe(part, of: feature, while: iteration) { new, _ in source.continuation.yield(new) }
    return stream
  }
}

private final class Iteration: Sendable {}

/// Ends the stream of values when it is released with the store's observers.
private final class ValueSource<Value> {
  let continuation: AsyncStream<Value>.Continuation

  init(_ continuation: AsyncStream<Value>.Continuation) { self.continuation = continuation }

  deinit { continuation.finish() }
}
