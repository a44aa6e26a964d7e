import Testing

@testable import Domain
@testable import StateStore

@Suite("Binding")
struct BindingTests {
  private let store = Store()

  private var count: Binding<Int> {
    store.binding(\.count, of: Counter.self, set: { .set(count: $0) })
  }

  private func item(_ id: Int) -> Binding<Todo.Item> {
    store.binding(
      to: id, in: \.items, of: Todo.self, missing: TodoError.notFound(id: id)
    ) { old, new in
      old.text == new.text ? nil : .rename(id: id, text: new.text)
    }
  }

  @Test("reads the value as it is now, and sets it by sending an action")
  func getAndSet() throws {
    let binding = count
    try binding.set(7)
    #expect(try binding.get() == 7)
    try store.undo()
    #expect(try binding.get() == 0)
  }

  @Test("is derived by key path: setting a part sets the whole with that part replaced")
  func keyPath() throws {
    struct Point {
      var x = 1
      var y = 2
    }
    var point = Point()
    let binding = Binding(get: { point }, set: { point = $0 })
    try binding[\.y].set(5)
    #expect(point.x == 1)
    #expect(try binding[\.y].get() == 5)
  }

  @Test("is made by id, and stays with the record wherever it stands")
  func byID() throws {
    try store.send(.add(id: 1, text: "milk"), to: Todo.self)
    let binding = item(1)
    try store.send(.add(id: 2, text: "bread"), to: Todo.self)
    try binding[\.text].set("tea")
    #expect(store.state(of: Todo.self).items.map(\.text) == ["bread", "tea"])
  }

  @Test("to a record that is gone is an error, and works again when it is back")
  func removed() throws {
    try store.send(.add(id: 1, text: "milk"), to: Todo.self)
    let binding = item(1)
    try store.send(.remove(id: 1), to: Todo.self)
    #expect(throws: TodoError.notFound(id: 1)) { try binding.get() }
    #expect(throws: TodoError.notFound(id: 1)) { try binding[\.text].set("tea") }
    try store.undo()
    #expect(try binding.get().text == "milk")
  }

  @Test("keeps a record's id")
  func otherID() throws {
    try store.send(.add(id: 1, text: "milk"), to: Todo.self)
    #expect(throws: RecordListError.changedIdentifier("1")) {
      try item(1).set(Todo.Item(id: 2, text: "tea"))
    }
    #expect(store.position == 1)
  }

  @Test("passes on why the value can't be that, and sends nothing where nothing changes")
  func refused() throws {
    try store.send(.add(id: 1, text: "milk"), to: Todo.self)
    #expect(throws: TodoError.emptyText) { try item(1)[\.text].set(" ") }
    try item(1)[\.text].set("milk")
    #expect(store.position == 1)
  }
}
