/// A store of one feature for tests, which must mention every change that an action makes.
///
/// It needs no test library: a broken expectation is an error.
///
/// ```swift
/// @Test func pins() throws {
///   let test = try TestStore(Notes.self)
///   try test.send(.add(id: 1, text: "milk")) { try $0.notes.append(Note(id: 1, text: "milk")) }
///   try test.send(.pin(id: 1)) { $0.notes.update(id: 1) { $0.isPinned = true } }
///   try test.fails(.pin(id: 5), with: .notFound)
/// }
/// ```
public final class TestStore<F: Feature> {
  /// A broken expectation.
  public struct Failure: Error, CustomStringConvertible {
    /// The expectation and the result.
    public let description: String
  }

  /// The store.
  public let store: Store

  /// Makes a store that begins in a state; by default, in the feature's initial one.
  public init(_ feature: F.Type, in state: F.State? = nil) throws(SchemaError) {
    let schema = try StoreSchema(features: [feature])
    let index = try schema.index(of: feature)
    var states = schema.initial
    if let state { states.update(feature, at: index) { $0 = state } }
    store = Store(schema, states: states)
  }

  /// The current state.
  public var state: F.State { store.state(of: F.self) }

  /// Sends an action, which must change exactly what a closure changes.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - change: Makes the expected changes in the state before the action; by default, none.
  /// - Throws: ``Failure`` with all differences between the expected and the actual state; why the action can't be
  ///   applied; or what the closure throws.
  public func send(
    _ action: F.Action, _ change: (inout F.State) throws -> Void = { _ in }
  ) throws {
    var expected = state
    try change(&expected)
    try store.send(action, to: F.self)
    try expect(expected, after: "\(F.name) did \(action)")
  }

  /// Sends an action that can't be applied, and must change nothing.
  ///
  /// - Throws: ``Failure`` if the action can be applied, throws another error, or changes the state.
  public func fails(_ action: F.Action, with kind: F.ErrorCode) throws {
    let expected = state
    do {
      try store.send(action, to: F.self)
    } catch let error as FeatureError<F> where error.kind == kind {
      return try expect(expected, after: "\(F.name) refused \(action)")
    } catch {
      let found = (error as? any CodedError).map { "\($0.code): " } ?? ""
      throw Failure(
        description:
          "\(F.name) refused \(action) with \(found)\(error.userMessage), instead of \(kind.code)")
    }
    throw Failure(
      description: "\(F.name) did \(action), instead of refusing it with \(kind.code)")
  }

  /// Asks a request's question, which must change exactly what the closures change.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - question: The question.
  ///   - context: The services.
  ///   - asked: Makes the expected changes when the question is asked; by default, none.
  ///   - done: Makes the expected changes when the answer comes, which it gets; by default, none.
  /// - Throws: ``Failure`` with all differences between the expected and the actual state; why the question or the answer
  ///   is refused; the service's error; or what a closure throws.
  public func ask<Question, Answer>(
    _ request: Request<F, Question, Answer>, _ question: Question,
    in context: ServiceContext<F.Services>,
    asked: (inout F.State) throws -> Void = { _ in },
    done: (inout F.State, Answer) throws -> Void = { _, _ in }
  ) async throws {
    var expected = state
    try asked(&expected)
    let answer = try await store.ask(request, question, in: context) {
      try expect(expected, after: "\(F.name).\(request.name) was asked")
    }
    try done(&expected, answer)
    try expect(expected, after: "\(F.name).\(request.name) was answered")
  }

  private func expect(_ expected: F.State, after event: String) throws {
    let actual = state
    guard actual != expected else { return }
    // Of encoded states, since hidden properties are compared too.
    let differences = try BoundedDifferences(
      from: JSONValue(encoding: expected).stateValue { $0 },
      to: JSONValue(encoding: actual).stateValue { $0 }, comparingAtMost: .max)
    let lines = differences.parts.flatMap(\.expectations)
    throw Failure(
      description: "\(event), but the state isn't as expected:"
        + (lines.isEmpty ? ["a part that isn't encoded"] : lines).map { "\n  \($0)" }.joined())
  }
}

extension StateDifference {
  /// A line that expects the old value, or one for each element that only the old list has.
  fileprivate var expectations: [String] {
    if case .removed(let list) = kind, case .list(let elements, _)? = new {
      return elements.map { "\(list): expected the element \($0.json), actual nothing" }
    }
    return ["\(path): expected \(old?.json ?? "nothing"), actual \(new?.json ?? "nothing")"]
  }
}
