/// How one field of the state changed.
///
/// An object, as it is handed from observer to observer.
public final class FieldChange: Sendable {
  /// What became of a field.
  public enum Change: Equatable, Sendable {
    /// The field has another value.
    case value(new: StateValue, old: StateValue)
    /// The field is a list, and this happened to it.
    case list(ListEdits<StateValue>)
  }

  /// The path of the field.
  public let path: String
  /// What became of it.
  public let change: Change

  init(path: String, change: Change) {
    self.path = path
    self.change = change
  }
}

extension FieldChange: Equatable {
  /// Whether the same became of the same field.
  public static func == (left: FieldChange, right: FieldChange) -> Bool {
    left === right || (left.path == right.path && left.change == right.change)
  }
}

/// What was changed at once, as far as an observer asked for it.
public struct StateChange: Equatable, Sendable {
  /// The number of the last action that was in effect then: a new one, or the one to which an undo, redo or jump went.
  public let position: Int

  private let changes: Changes

  /// Mostly one, for which no array is made: an action has many observers of one field each.
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

  /// The field that changed, where it is only one.
  public var onlyField: FieldChange? {
    switch changes {
    case .one(let field): field
    case .several(let fields): fields.count == 1 ? fields.first : nil
    }
  }

  /// The fields that changed, in the order they were first observed; there is at least one.
  public var fields: [FieldChange] {
    switch changes {
    case .one(let field): [field]
    case .several(let fields): fields
    }
  }
}
