import Scripting
import Domain
import StateStore
import Testing

@testable import Bridge

@Suite("The Lua text of list actions")
struct ListActionTextTests {
  private static let ann = Persons.Person(id: 1, name: "A\"nn\n", age: 30)

  @Test(
    "shows edits of persons, and the results of fetches",
    arguments: [
      (Persons.Action.add(ann), #"persons.add({name = "A\"nn\n", age = 30})"#),
      (.edit(id: 2, name: "Jane", age: nil), #"persons.edit(2, {name = "Jane"})"#),
      (.edit(id: 2, name: nil, age: 3), "persons.edit(2, {age = 3})"),
      (.edit(id: 2, name: "Jane", age: 3), #"persons.edit(2, {name = "Jane", age = 3})"#),
      (.edit(id: 2, name: nil, age: nil), "persons.edit(2, {})"),
      (.remove(id: -2), "persons.remove(-2)"),
      (.remove(id: .min), "persons.remove(math.mininteger)"),
      (.edit(id: .min, name: nil, age: 3), "persons.edit(math.mininteger, {age = 3})"),
      (.fetchRequested(request: 7), "persons.fetch()"),
      (.fetchSucceeded(request: 7, persons: []), "persons.fetch() --> 0 persons"),
      (.fetchSucceeded(request: 7, persons: [ann]), "persons.fetch() --> 1 person"),
      (.fetchFailed(request: 7, message: "No."), "persons.fetch() --> failed: No."),
    ])
  func persons(action: Persons.Action, text: String) {
    #expect(Persons.luaText(of: action) == text)
  }

  @Test(
    "shows edits of landmarks",
    arguments: [
      (Landmarks.Action.loadRequested(request: 7), "landmarks.load()"),
      (.loadRequested(request: 7, source: "a.json"), "landmarks.load(\"a.json\")"),
      (.loadSucceeded(request: 7, landmarks: []), "landmarks.load() --> 0 landmarks"),
      (.loadFailed(request: 7, message: "No.\nNever."), "landmarks.load() --> failed: No. Never."),
      (.setFavorite(id: 3, isFavorite: true), "landmarks.get(3).is_favorite = true"),
      (.setFavorite(id: 3, isFavorite: false), "landmarks.get(3).is_favorite = false"),
      (.setShowFavoritesOnly(true), "landmarks.show_favorites_only = true"),
      (.select(id: 3), "landmarks.select(3)"),
      (.select(id: .min), "landmarks.select(math.mininteger)"),
      (
        .setFavorite(id: .min, isFavorite: true),
        "landmarks.get(math.mininteger).is_favorite = true"
      ), (.deselect, "landmarks.deselect()"),
    ])
  func landmarks(action: Landmarks.Action, text: String) {
    #expect(Landmarks.luaText(of: action) == text)
  }
}
