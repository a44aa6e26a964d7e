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
