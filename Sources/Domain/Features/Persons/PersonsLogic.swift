public import StateStore
import Platform

/// The operations on the list of persons.
public struct PersonsLogic {
  private let store: Store

  /// Makes the operations on a store's list.
  public init(store: Store) { self.store = store }

  /// Changes a person in one action, or sends none if nothing would change.
  ///
  /// - Parameters:
  ///   - id: The person's id.
  ///   - name: The new name, or nil to keep the old one.
  ///   - age: The new age, or nil to keep the old one.
  /// - Throws: `PersonsError`; nothing has changed then.
  public func edit(_ id: Int, name: String? = nil, age: Int? = nil) throws {
    guard let person = store.read(Persons.self, { $0.list[id: id] }) else {
      throw PersonsError.notFound(id: id)
    }
    let newName = name.flatMap { $0.isExactly(person.name) ? nil : $0 }
    let newAge = age == person.age ? nil : age
    guard newName != nil || newAge != nil else { return }
    try store.send(.edit(id: id, name: newName, age: newAge), to: Persons.self)
  }
}
