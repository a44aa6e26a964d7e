/// How one field of the state changed.
///
/// It is a class, as it is passed from observer to observer.
public final class FieldChange: Sendable {
  /// The kinds of change.
  public enum Change: Equatable, Sendable {
    /// The field has a new value.
    case value(new: StateValue, old: StateValue)
    /// The field is a list that was edited.
    case list(ListEdits<StateValue>)
  }

  /// The path of the field.
  public let path: String
  /// The change.
  public let change: Change

  package init(path: String, change: Change) {
    self.path = path
    self.change = change
  }
}

extension FieldChange: Equatable {
  /// Whether both are the same change of the same field.
  public static func == (left: FieldChange, right: FieldChange) -> Bool {
    left === right || (left.path == right.path && left.change == right.change)
  }
}

/// The fields that changed at once, limited to those that an observer observes.
public struct StateChange: Equatable, Sendable {
  /// The number of the last action in effect after the change: a new one, or the target of an undo, redo or jump.
  public let position: Int

  private let changes: Changes

  /// Mostly one change, which needs no array: an action has many observers of one field each.
  private enum Changes: Equatable, Sendable {
    case one(FieldChange)
    case several([FieldChange])
  }

  init(position: Int, field: FieldChange) {
    self.position = position
    changes = .one(field)
  }

  init(position: Int, fields: [FieldChange]) {
    self.position = position
    changes = .several(fields)
  }

  /// The field that changed, if there is only one.
  public var onlyField: FieldChange? {
    switch changes {
    case .one(let field): field
    case .several(let fields): fields.count == 1 ? fields.first : nil
    }
  }

  /// The fields that changed, in the order in which they were first observed; at least one.
  public var fields: [FieldChange] {
    switch changes {
    case .one(let field): [field]
    case .several(let fields): fields
    }
  }
}
