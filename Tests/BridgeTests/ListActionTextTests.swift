import PrimereplDomain
import Scripting
import Testing

@testable import PrimereplBridge
@testable import StateStore

@MainActor
@Suite("The Lua text of list actions")
struct ListActionTextTests {
  private nonisolated static let ann = Persons.Person(id: 1, name: "A\"nn\n", age: 30)

  @Test(
    "shows edits of persons",
    arguments: [
      (Persons.Action.add(ann), #"persons.add({name = "A\"nn\n", age = 30})"#),
      (.edit(id: 2, name: "Jane", age: nil), #"persons.edit(2, {name = "Jane"})"#),
      (.edit(id: 2, name: nil, age: 3), "persons.edit(2, {age = 3})"),
      (.edit(id: 2, name: "Jane", age: 3), #"persons.edit(2, {name = "Jane", age = 3})"#),
      (.edit(id: 2, name: nil, age: nil), "persons.edit(2, {})"),
      (.remove(id: -2), "persons.remove(-2)"),
      (.remove(id: .min), "persons.remove(math.mininteger)"),
      (.edit(id: .min, name: nil, age: 3), "persons.edit(math.mininteger, {age = 3})"),
    ])
  func persons(action: Persons.Action, text: String) throws {
    #expect(try BridgeTexts.text(of: action, in: Persons.self) == text)
  }

  @Test(
    "shows requests of persons, and their results",
    arguments: [
      (RequestPhase<Source, [Persons.Person]>.asked(Source()), "persons.fetch()"),
      (.asked(Source("a.json")), #"persons.fetch("a.json")"#),
      (.answered([]), "persons.fetch() --> 0 items"),
      (.answered([ann]), "persons.fetch() --> 1 item"),
      (.failed(message: "No.\nNever."), "persons.fetch() --> failed: No. Never."),
      (.failed(message: ""), "persons.fetch() --> failed"),
    ])
  func fetches(phase: RequestPhase<Source, [Persons.Person]>, text: String) throws {
    #expect(try BridgeTexts.text(of: phase, of: Persons.fetch) == text)
  }

  @Test(
    "shows questions for the nth prime, and their answers",
    arguments: [
      (
        RequestPhase<NthPrimeQuestion, NthPrime>.asked(NthPrimeQuestion()),
        "counter.ask_nth_prime()"
      ),
      (
        .asked(NthPrimeQuestion(source: .wolfram)),
        #"counter.ask_nth_prime({source = "wolfram"})"#
      ),
    ])
  func questions(phase: RequestPhase<NthPrimeQuestion, NthPrime>, text: String) throws {
    #expect(try BridgeTexts.text(of: phase, of: Counter.askNthPrime) == text)
  }

  @Test(
    "shows edits of landmarks",
    arguments: [
      (
        Landmarks.Action.setFavorite(id: 3, isFavorite: true), "landmarks.get(3).is_favorite = true"
      ),
      (.setFavorite(id: 3, isFavorite: false), "landmarks.get(3).is_favorite = false"),
      (.setShowFavoritesOnly(true), "landmarks.show_favorites_only = true"),
      (.select(id: 3), "landmarks.select(3)"),
      (.select(id: .min), "landmarks.select(math.mininteger)"),
      (
        .setFavorite(id: .min, isFavorite: true),
        "landmarks.get(math.mininteger).is_favorite = true"
      ), (.deselect, "landmarks.deselect()"),
    ])
  func landmarks(action: Landmarks.Action, text: String) throws {
    #expect(try BridgeTexts.text(of: action, in: Landmarks.self) == text)
  }
}
