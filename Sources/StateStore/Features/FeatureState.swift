import PrimereplFoundation

/// A feature's state in a box, so that an array can hold states of different types.
///
/// Each kind of feature has a box of its own. It is changed in place while it has one owner, and otherwise copied before a
/// change: see ``States``.
// Safe: a shared box is never changed, as in the standard library's collections. Its exclusivity is unchecked, as every
// action uses all of its properties.
@usableFromInline package class AnyFeatureState: @unchecked Sendable {
  let feature: any FeatureBackend

  /// The states of the feature's requests by name, without those in their initial state.
  @exclusivity(unchecked) @usableFromInline final var requests: [String: RequestState]

  /// The state after the last action, without the records of its lists; nil if it changed otherwise since.
  @exclusivity(unchecked) @usableFromInline final var version: AnyFeatureState?
  /// The sessions in which the lists log what actions change, made when they are first needed.
  @exclusivity(unchecked) private final var sessions: [ListLogSession] = []
  /// The indexes of the lists that log now.
  @exclusivity(unchecked) private final var openLogs: [Int] = []

  init(of feature: any FeatureBackend, requests: [String: RequestState]) {
    (self.feature, self.requests) = (feature, requests)
  }

  /// The box must have only one owner.
  final func setRequest(_ name: String, to state: RequestState) {
    requests[name] = state == .initial ? nil : state
  }

  /// Logs the edits of the feature's list with an index until the end of the action; the box must have only one owner.
  final func startLog(_ index: Int) {
    guard !openLogs.contains(index) else { return }
    while sessions.count <= index { sessions.append(ListLogSession()) }
    openLogs.append(index)
    feature.lists[index].startLog(self, sessions[index])
  }

  /// Ends all logs by a closure, which gets a list with its index.
  final func endLogs(_ end: (StateRecords, Int, ListLogSession) -> Void) {
    guard !openLogs.isEmpty else { return }
    for index in openLogs { end(feature.lists[index], index, sessions[index]) }
    openLogs.removeAll(keepingCapacity: true)
  }

  final var name: String { feature.name }

  final func hasSameRequests(as other: AnyFeatureState) -> Bool {
    requests.isEmpty && other.requests.isEmpty || requests == other.requests
  }

  @usableFromInline final func copy() -> AnyFeatureState {
    let copy = feature.copy(self)
    copy.version = version
    return copy
  }

  /// The other box must be of the same feature.
  final func isEqual(to other: AnyFeatureState) -> Bool {
    self === other || (feature.areEqual(self, other) && hasSameRequests(as: other))
  }
}

/// The changes of an action in one feature, by which it is undone and redone without running the feature's code.
struct FeatureDelta: Sendable {
  /// A change of a list: its index among the feature's lists, and the `ListDelta`.
  typealias List = (index: Int, delta: any AnyObject & Sendable)

  /// The states without the records of their lists.
  let before: AnyFeatureState
  let after: AnyFeatureState
  let lists: [List]
}

extension AnyFeatureState {
  /// Changes the state by an action of the feature; the box must have only one owner.
  ///
  /// Without `new`, the action has its identifiers. If it throws, the state is as before.
  final func change(by action: any FeatureActionBox, _ new: NewIdentifiers?) throws -> FeatureDelta?
  {
    let before = version ?? feature.version(of: self, after: nil)
    feature.startLogs(of: self)
    do {
      try action.reduce(self, new)
    } catch {
      endLogs { list, _, session in list.revertLog(self, session) }
      feature.restore(before, in: self)
      version = before
      throw error
    }
    var lists: [FeatureDelta.List] = []
    endLogs { list, index, session in
      if let delta = list.endLog(self, session) { lists.append((index, delta)) }
    }
    let after = feature.version(of: self, after: before)
    version = after
    if after === before, lists.isEmpty { return nil }
    return FeatureDelta(before: before, after: after, lists: lists)
  }

  /// The box must have only one owner.
  final func apply(_ delta: FeatureDelta, isUndone: Bool) {
    let lists = feature.lists
    for (index, change) in delta.lists { lists[index].apply(self, change, isUndone) }
    let version = isUndone ? delta.before : delta.after
    feature.restore(version, in: self)
    self.version = version
  }
}

@usableFromInline final class FeatureState<F: Feature>: AnyFeatureState, @unchecked Sendable {
  // Unchecked: only reducers change it, which are pure, and they do so for every action.
  @exclusivity(unchecked) @usableFromInline var state: F.State

  required init(
    _ state: F.State, of feature: any FeatureBackend, requests: [String: RequestState] = [:]
  ) {
    self.state = state
    super.init(of: feature, requests: requests)
  }

  /// A box with another state, and the same states of requests.
  func with(_ state: F.State) -> FeatureState<F> {
    // By the type of this box, as looking the type up takes longer than the rest.
    type(of: self).init(state, of: feature, requests: requests)
  }

  /// The state without the records of its lists, or an earlier version that is the same.
  func version(without lists: [StateList], after earlier: AnyFeatureState?) -> AnyFeatureState {
    var copy = state
    for list in lists {
      withUnsafeMutablePointer(to: &copy) { list.release(UnsafeMutableRawPointer($0)) }
    }
    if let earlier, hasSameRequests(as: earlier),
      haveSameBits(Self.of(earlier).state, copy)
    {
      return earlier
    }
    return with(copy)
  }

  /// Safe: the schema gives each feature an index, and the box at that index is always the feature's.
  @inline(__always) @inlinable static func of(_ box: AnyFeatureState) -> FeatureState<F> {
    unsafeDowncast(box, to: FeatureState<F>.self)
  }

  /// Reads a part of the state, given its offset in the state's memory, or nil for a computed part.
  ///
  /// Observed fields are read for every action: a key path makes an observed action a seventh slower, and one whose
  /// feature has four observed fields a third.
  @inlinable func part<Value>(_ part: KeyPath<F.State, Value>, at offset: Int?) -> Value {
    guard let offset else { return state[keyPath: part] }
    return withUnsafePointer(to: &state) { state in
      UnsafeRawPointer(state).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
    }
  }
}

/// Whether two values are the same bit by bit: then they are equal, but equal values can have other storage.
///
/// Unlike `==`, it doesn't consider different forms of a letter equal.
@inlinable func haveSameBits<Value>(_ value: Value, _ other: Value) -> Bool {
  withUnsafeBytes(of: value) { bytes in
    withUnsafeBytes(of: other) { areSame(bytes, $0) }
  }
}

/// Compares the bytes at once, as this happens for every action.
@usableFromInline func areSame(_ bytes: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer)
  -> Bool
{
  guard let start = bytes.baseAddress, let otherStart = others.baseAddress else { return true }
  return memcmp(start, otherStart, bytes.count) == 0
}

/// A feature's action in a box, so that a list can hold actions of different types.
@usableFromInline protocol FeatureActionBox: AnyObject, Sendable {
  /// The feature's name.
  var name: String { get }
  /// Nil for a feature that the program doesn't have.
  var feature: (any Feature.Type)? { get }

  func isEqual(to other: any FeatureActionBox) -> Bool

  /// Applies the action to the box of its feature's state, which must have only one owner.
  ///
  /// `new` chooses the identifiers of the records that it adds, and gets its result; it is nil for an action that has its
  /// identifiers. If the action can't be applied, the state may be changed in part.
  func reduce(_ box: AnyFeatureState, _ new: NewIdentifiers?) throws

  /// The action with the identifiers that were chosen for the records that it added.
  func recording(_ identifiers: [Int]) -> any FeatureActionBox

  func encode(to encoder: any Encoder) throws
  func savedJSON() throws -> String

  func step(showing secret: (Secret) -> String) throws -> RequestStep?

  /// The code that sends the action; nil if there is none, as for steps of requests.
  func call(showing secret: (Secret) -> String) throws -> ActionCall?
}

extension FeatureActionBox {
  @usableFromInline func recording(_ identifiers: [Int]) -> any FeatureActionBox { self }

  @usableFromInline func savedJSON() throws -> String {
    String(
      decoding: try StateCoding.encoder.encode(EncodableClosure(body: encode(to:))), as: UTF8.self)
  }

  @usableFromInline func step(showing secret: (Secret) -> String) throws -> RequestStep? { nil }

  @usableFromInline func call(showing secret: (Secret) -> String) throws -> ActionCall? {
    ActionCall(
      encoded: try JSONValue(encoding: EncodableClosure(body: encode(to:)), showing: secret))
  }
}

@usableFromInline final class FeatureAction<F: Feature>: FeatureActionBox {
  @usableFromInline let action: F.Action

  @inlinable init(_ action: F.Action) { self.action = action }

  @usableFromInline var name: String { F.name }
  @usableFromInline var feature: (any Feature.Type)? { F.self }

  @inlinable func isEqual(to other: any FeatureActionBox) -> Bool {
    if self === other { return true }
    guard let other = other as? FeatureAction<F> else { return false }
    return action == other.action
  }

  @usableFromInline func reduce(_ box: AnyFeatureState, _ new: NewIdentifiers?) throws {
    try F.reduce(&FeatureState<F>.of(box).state, action)
  }

  @usableFromInline func encode(to encoder: any Encoder) throws { try action.encode(to: encoder) }
}

/// An action that this program doesn't have, kept as JSON.
final class UnknownAction: FeatureActionBox {
  let name: String
  let json: JSONValue
  /// The code of the action when it was done; nil if that isn't known.
  let text: String?

  init(_ json: JSONValue, of name: String, text: String? = nil) {
    (self.name, self.json, self.text) = (name, json, text)
  }

  var feature: (any Feature.Type)? { nil }

  func isEqual(to other: any FeatureActionBox) -> Bool {
    guard let other = other as? UnknownAction else { return false }
    return name == other.name && json == other.json
  }

  func reduce(_ box: AnyFeatureState, _ new: NewIdentifiers?) throws {
    throw SchemaError.unknownAction(of: name)
  }

  func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
