import StateStore
import Testing

@Suite("State bindings")
struct BindingTests {
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
