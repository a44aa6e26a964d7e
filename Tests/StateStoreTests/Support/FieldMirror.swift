import Testing

@testable import StateStore

/// The values of all fields of a store, kept up to date by what its observers get, which must fit.
final class FieldMirror {
  private let store: Store
  private var values: [String: StateValue]

  init(of store: Store) throws {
    self.store = store
    values = Dictionary(
      uniqueKeysWithValues: store.schema.fields.map { ($0.path, $0.value(in: store.states)) })
    try store.observe("") { [weak self] in self?.follow($0) }
  }

  func expectSame() {
    for field in store.schema.fields {
      #expect(values[field.path] == field.value(in: store.states), "reported")
    }
  }

  private func follow(_ change: StateChange) {
    for field in change.fields {
      switch field.change {
      case .value(let new, let old):
        #expect(values[field.path] == old)
        values[field.path] = new
      case .list(.replaced(let old, let new)):
        #expect(values[field.path] == .list(Array(old)))
        values[field.path] = .list(Array(new))
      case .list(.edits(let edits)):
        guard case .list(var list, _)? = values[field.path] else {
          Issue.record("\(field.path) is no list")
          return
        }
        for edit in edits { list.apply(edit) }
        values[field.path] = .list(list)
      }
    }
  }
}

extension Array where Element: Equatable {
  /// Does an edit, which must fit.
  mutating func apply(_ edit: ListEdit<Element>) {
    switch edit {
    case .inserted(let position, let element): insert(element, at: position)
    case .removed(let position, let element): #expect(remove(at: position) == element)
    case .changed(let position, let old, let new):
      #expect(self[position] == old)
      self[position] = new
    }
  }
}
