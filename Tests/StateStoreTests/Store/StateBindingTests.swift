import SampleFeatures
import Testing

@testable import StateStore

@Suite("State bindings")
struct BindingTests {
  private let store = Store()

  private var count: StateBinding<Int> {
    StateBinding(
      get: { [store] in store.state(of: Counter.self).count },
      set: { [store] in try store.send(.set(count: $0), to: Counter.self) })
  }

  @Test("reads the current value, and sets it by sending an action")
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
    let binding = StateBinding(get: { point }, set: { point = $0 })
    try binding[\.y].set(5)
    #expect(point.x == 1)
    #expect(try binding[\.y].get() == 5)
  }
}
