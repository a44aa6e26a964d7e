import Testing

@testable import StateStore

@Suite("App")
struct AppTests {
  @Test("has fields with these paths")
  func paths() {
    #expect(
      App.schema.fields.map(\.path) == [
        "counter.count", "counter.loading", "counter.alert", "counter.modal", "favorites",
        "todo.items", "todo.query", "todo.loading", "todo.error", "todo.last_query",
        "landmarks.all", "landmarks.show_favorites_only", "landmarks.selected",
        "persons", "persons.loading", "persons.error",
        "signup.path", "signup.step", "signup.data", "signup.sheet", "signup.alert",
        "signup.submitted",
      ])
  }
}
