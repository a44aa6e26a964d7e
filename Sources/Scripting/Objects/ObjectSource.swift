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

  var state: AnyFeatureState {
    get throws {
      switch self {
      case .draft(let draft): try draft.state
      case .view(let view): try view.state
      case .store(let store, let place): try store.box(at: place)
      }
    }
  }

  var store: Store? { if case .store(let store, _) = self { store } else { nil } }

  /// Records that a derived value reads a field.
  func recordRead(of field: AnyField) throws {
    if case .view(let view) = self { view.reads.record(field, in: try view.state) }
  }

  /// The draft, to change it; it throws where the state is only read.
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

  func end() { box = nil }
}

/// Why an object can't be used.
typealias ObjectError = PlainError<FieldClass>
