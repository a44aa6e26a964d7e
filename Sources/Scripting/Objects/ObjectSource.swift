import Lua
import StateStore

/// Where objects of Lua find the state of a feature, and how they change it.
enum ObjectSource {
  /// The state that an action changes.
  case draft(DeclaredDraft)
  /// A state that is only read, by a derived value.
  case view(StateView)
  /// The state in a store, as scripts see it: assigning sends an action.
  case store(Store, FeaturePlace)

  /// The box with the state.
  var state: AnyFeatureState {
    get throws {
      switch self {
      case .draft(let draft): try draft.state
      case .view(let view): try view.state
      case .store(let store, let place): try store.box(at: place)
      }
    }
  }

  /// The store with the state; nil for a draft and a view.
  var store: Store? { if case .store(let store, _) = self { store } else { nil } }

  /// Records that a derived value reads a field.
  func recordRead(of field: StateField) throws {
    if case .view(let view) = self { view.reads.record(field, in: try view.state) }
  }

  /// The draft, to change it.
  ///
  /// - Throws: ``ObjectError`` where the state is only read.
  func draft(at path: String) throws -> DeclaredDraft {
    guard case .draft(let draft) = self else {
      throw ObjectError("read_only", "\(path): a derived value only reads the state")
    }
    return draft
  }
}

/// The state that a derived value reads while it is computed.
///
/// A view that code keeps mustn't keep the state: it knows its feature, whose code keeps the view.
final class StateView {
  private var box: AnyFeatureState?
  /// Gets what is read.
  let reads: ReadLog

  init(_ state: AnyFeatureState, _ reads: ReadLog) { (box, self.reads) = (state, reads) }

  var state: AnyFeatureState {
    get throws {
      guard let box else {
        throw ObjectError(
          "not_available", "the state of a derived value can be used only while that is computed")
      }
      return box
    }
  }

  /// Ends the computation.
  func end() { box = nil }
}

/// Why an object can't be used.
typealias ObjectError = PlainError<FieldClass>

/// The rules by which the objects of a feature get values from code.
final class ObjectRules {
  /// Converts values between the state and the code.
  let values: ObjectValues
  /// Whether the code changes lists and sets, as that of actions does.
  let changesLists: Bool
  private let errors: Errors

  init(values: ObjectValues, changesLists: Bool, errors: Errors) {
    (self.values, self.changesLists, self.errors) = (values, changesLists, errors)
  }

  /// The errors for assignments.
  enum Errors {
    /// They name the member and its type: "bad value for 'todo.item.done' (boolean expected, got number)".
    case byMember
    /// They name the place of the value, and the functions that may change it.
    case byPlace(calls: [String])
  }

  /// Reads the value that code assigns.
  ///
  /// - Parameters:
  ///   - stack: The stack, with the value at index 3.
  ///   - type: Its type.
  ///   - member: The member of the module or object, for errors.
  ///   - place: The place of the value in the state, for errors.
  ///   - store: The store to which the value is assigned; nil for a draft.
  /// - Returns: The value.
  /// - Throws: Why it isn't one of the type.
  func read(
    _ stack: LuaStack, as type: ValueType, _ member: @autoclosure () -> String,
    at place: @autoclosure () -> String, in store: Store?
  ) throws -> StateValue {
    guard case .byMember = errors else {
      return try type.checked(values.read(stack, at: 3, as: type, in: store), at: place())
    }
    do {
      if let value = try type.singleValue(stack, at: 3) { return value }
    } catch {
      throw LuaError.badValue(of: member(), error)
    }
    return try type.checked(values.read(stack, at: 3, as: type, in: store), at: place())
  }

  /// The error for assigning what scripts can't assign.
  func readOnly(_ path: String) -> LuaError {
    guard case .byPlace(let calls) = errors else {
      return LuaError(.readOnlyField, "\(path) is read-only and can't be assigned")
    }
    let feature = path.prefix { $0 != "." }
    let shown = calls.prefix(5).joined(separator: ", ") + (calls.count > 5 ? ", ..." : "")
    return LuaError(
      .readOnlyField,
      "\(path) can't be assigned" + (calls.isEmpty ? "" : "; \(feature) is changed by \(shown)"))
  }
}

extension ValueType {
  /// Reads a single value, exactly; nil for a type whose values aren't single ones.
  fileprivate func singleValue(
    _ stack: LuaStack, at index: Int32
  ) throws(LuaTypeMismatch) -> StateValue? {
    switch self {
    case .boolean: return .boolean(try Bool.read(from: stack, at: index))
    case .integer: return .integer(try Int.read(from: stack, at: index))
    case .number: return .number(try Double.read(from: stack, at: index))
    case .string: return .text(try String.read(from: stack, at: index))
    case .secret: return .secret(Secret(try String.read(from: stack, at: index)))
    case .oneOf(let names):
      let given: String
      do {
        given = try String.read(from: stack, at: index)
      } catch {
        throw LuaTypeMismatch(expected: name, got: error.got)
      }
      guard names.contains(where: given.isExactly) else {
        throw LuaTypeMismatch(expected: name, got: "\"\(given.onOneLine)\"")
      }
      return .text(given)
    case .optional(let wrapped):
      return stack.isNoneOrNil(at: index)
        ? StateValue.none : try wrapped.singleValue(stack, at: index)
    // They are checked beyond their type.
    case .date, .time, .range, .decimal, .text, .reference, .any, .table, .record, .list, .set:
      return nil
    }
  }
}
