/// The state of a feature in a box, so that states of different types stand side by side.
///
/// It is changed in place while nobody else has it, and copied before otherwise: see ``States``.
// Safe: what others can have is never changed, as in the collections of the standard library.
@usableFromInline class AnyFeatureState: @unchecked Sendable {
  @usableFromInline init() {}

  /// The feature's name.
  var name: String { preconditionFailure("Each feature has a box of its own.") }

  @usableFromInline func copy() -> AnyFeatureState {
    preconditionFailure("Each feature has a box of its own.")
  }

  /// Whether another box of the same feature has the same state.
  func isEqual(to other: AnyFeatureState) -> Bool {
    preconditionFailure("Each feature has a box of its own.")
  }

  /// Called on a box that nobody else has.
  func reduce(_ action: any FeatureActionBox) throws {
    preconditionFailure("Each feature has a box of its own.")
  }

  func encode(to encoder: any Encoder) throws {
    preconditionFailure("Each feature has a box of its own.")
  }
}

@usableFromInline final class FeatureState<F: Feature>: AnyFeatureState, @unchecked Sendable {
  // Unchecked, as it is only changed by reducers, which are pure, and that for every action.
  @exclusivity(unchecked) @usableFromInline var state: F.State

  @inlinable init(_ state: F.State) { self.state = state }

  /// The box of the feature, which a box is.
  ///
  /// Safe: the schema gives each feature its index, under which is that feature's state.
  @inlinable static func of(_ box: AnyFeatureState) -> FeatureState<F> {
    unsafeDowncast(box, to: FeatureState<F>.self)
  }

  /// A part of the state.
  ///
  /// A key path takes some 50 ns, and an observed field is read for every action.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - offset: Where it is in the memory of the state; nil where it is computed.
  /// - Returns: The part's value.
  @inlinable func part<Value>(_ part: KeyPath<F.State, Value>, at offset: Int?) -> Value {
    guard let offset else { return state[keyPath: part] }
    return withUnsafePointer(to: &state) { state in
      UnsafeRawPointer(state).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
    }
  }

  /// Changes a part of the state in place.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - offset: As for `part(_:at:)`.
  ///   - change: What to do with it.
  /// - Returns: What the change returns.
  @inlinable func change<Value, Result>(
    _ part: WritableKeyPath<F.State, Value>, at offset: Int?, _ change: (inout Value) -> Result
  ) -> Result {
    guard let offset else { return change(&state[keyPath: part]) }
    return withUnsafeMutablePointer(to: &state) { state in
      change(
        &UnsafeMutableRawPointer(state).advanced(by: offset).assumingMemoryBound(to: Value.self)
          .pointee)
    }
  }

  override var name: String { F.name }

  @inlinable override func copy() -> AnyFeatureState { FeatureState(state) }

  override func isEqual(to other: AnyFeatureState) -> Bool {
    self === other || state == Self.of(other).state
  }

  override func reduce(_ action: any FeatureActionBox) throws {
    // Safe: an action has the index of its feature, under which is that feature's state.
    try F.reduce(&state, unsafeDowncast(action, to: FeatureAction<F>.self).action)
  }

  override func encode(to encoder: any Encoder) throws { try state.encode(to: encoder) }
}

/// An action of a feature in a box, so that actions of different types stand one after the other.
@usableFromInline protocol FeatureActionBox: AnyObject, Sendable {
  /// The feature's name.
  var name: String { get }
  /// The feature; nil for one that the program doesn't have.
  var feature: (any Feature.Type)? { get }

  func isEqual(to other: any FeatureActionBox) -> Bool
  func encode(to encoder: any Encoder) throws
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

  @usableFromInline func encode(to encoder: any Encoder) throws { try action.encode(to: encoder) }
}

/// An action of a feature that this program doesn't have, kept as it was written.
final class UnknownAction: FeatureActionBox {
  let name: String
  let json: JSONValue

  init(_ json: JSONValue, of name: String) {
    self.name = name
    self.json = json
  }

  var feature: (any Feature.Type)? { nil }

  func isEqual(to other: any FeatureActionBox) -> Bool {
    guard let other = other as? UnknownAction else { return false }
    return name == other.name && json == other.json
  }

  func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// The state of a feature that this program doesn't have, kept as it was written.
struct UnknownState: Equatable, Sendable {
  /// Nil where the feature is in its initial state.
  var json: JSONValue?
  /// What happened to it since.
  var actions: [JSONValue] = []
}
