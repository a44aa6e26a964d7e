import StateStore

/// The fields and values that the code of a derived value has read so far.
final class ReadLog {
  /// A test of whether states have the same as what was read.
  ///
  /// It gets the state of the value's feature and, for a value that reads other features, the states of all.
  typealias Read = (AnyFeatureState, States?) throws -> Bool

  private var names: Set<String> = []
  private var reads: [Read] = []
  private(set) var hasDerivedValues = false

  /// Whether a derived value that was read has failed: that may have another end next time, so that the result isn't kept.
  private(set) var hasFailures = false

  /// Records that a field of the value's feature, which isn't derived, was read.
  func record(_ field: AnyField, in box: AnyFeatureState) {
    // With a dot, as a field of another feature may have this path.
    guard names.insert(".\(field.name)").inserted else { return }
    let isSame = field.mark(in: box)
    reads.append { box, _ in isSame(box) }
  }

  /// Records that a field of the app, which isn't derived, was read.
  func record(_ field: AnyField, in states: States) {
    guard names.insert(field.path).inserted else { return }
    let isSame = field.mark(in: states)
    reads.append { _, states in states.map(isSame) ?? false }
  }

  /// Records that a derived value was read; `current` gives its value in other states.
  func recordDerived(
    _ path: String, _ value: StateValue,
    current: @escaping (AnyFeatureState, States?) throws -> StateValue
  ) {
    guard names.insert(path).inserted else { return }
    hasDerivedValues = true
    reads.append { try current($0, $1) == value }
  }

  /// Records that reading a derived value has failed, which the code may catch.
  func recordFailure() { hasFailures = true }

  /// Whether states have the same as all that was read.
  ///
  /// It looks in the order in which the code has read: what was read later may only have been there because of what came
  /// before.
  func isCurrent(in box: AnyFeatureState, _ states: States?) -> Bool {
    do {
      return try reads.allSatisfy { try $0(box, states) }
    } catch {
      // Reading it again says why.
      return false
    }
  }
}

/// The last results of a function of the state, each with what its code read.
///
/// A result holds for all states that have the same there: also for those of the past, or of another store.
struct DerivedResults {
  private struct Result {
    let arguments: [StateValue]
    let value: StateValue
    let reads: ReadLog
  }

  /// In the order in which they were used.
  private var results: [Result] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Whether telling if a result holds may compute other derived values.
  var readsDerivedValues: Bool { results.contains { $0.reads.hasDerivedValues } }

  /// The result for arguments in some states; nil if none of those that are kept holds.
  mutating func value(
    _ arguments: [StateValue], in box: AnyFeatureState, _ states: States?
  ) -> StateValue? {
    let index = results.lastIndex {
      $0.arguments == arguments && $0.reads.isCurrent(in: box, states)
    }
    guard let index else { return nil }
    if index + 1 < results.count { results.append(results.remove(at: index)) }
    return results.last?.value
  }

  mutating func add(_ value: StateValue, _ arguments: [StateValue], _ reads: ReadLog) {
    if results.count == limit { results.removeFirst() }
    results.append(Result(arguments: arguments, value: value, reads: reads))
  }
}
