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
