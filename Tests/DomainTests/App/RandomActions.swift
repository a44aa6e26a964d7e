import TestSupport

@testable import PrimereplDomain
@testable import StateStore

/// Random actions of all features; most are valid.
struct RandomActions {
  private var random: SeededGenerator
  private var lastID = 0

  init(seed: Int) {
    random = SeededGenerator(seed: UInt64(seed))
  }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func next() -> StoreAction {
    switch number(0..<16) {
    case 0, 1: .counter(counterAction())
    case 2, 3: .favorites(favoritesAction())
    case 4, 5: .todo(todoAction())
    case 6, 7: .persons(personsAction())
    case 8: .landmarks(landmarksAction())
    case 9, 10: .signUp(signUpAction())
    case 11: step(of: Counter.askNthPrime, NthPrimeQuestion(), NthPrime(ordinal: 4, prime: 7))
    case 12:
      step(
        of: Todo.fetch, Source(),
        (0..<number(0..<4)).map { _ in Todo.Item(id: newID(), text: text() + "x") })
    case 13:
      step(
        of: Persons.fetch, Source(),
        (0..<number(0..<4)).map { _ in
          Persons.Person(id: newID(), name: text(), age: number(0..<150))
        })
    case 14: step(of: Landmarks.load, Source("x.json"), landmarks())
    default: number(0..<10) == 0 ? .reset : .counter(.increment(by: 1))
    }
  }

  /// A step of one of the latest requests.
  private mutating func step<F, Question, Answer>(
    of request: Request<F, Question, Answer>, _ question: Question, _ answer: Answer
  ) -> StoreAction {
    let id = number(0..<3)
    return switch number(0..<3) {
    case 0: .asked(request, question, number: id)
    case 1: .answered(request, answer, number: id)
    default: .failed(request, text(), number: id)
    }
  }

  private mutating func landmarks() -> [Landmark] {
    (0..<number(0..<4)).map { id in
      Landmark(
        id: id, name: text() + "x", park: text(), state: text(), category: text(), latitude: 1,
        longitude: 2, isFavorite: number(0..<2) == 0, isFeatured: false)
    }
  }

  private mutating func counterAction() -> Counter.Action {
    switch number(0..<6) {
    case 0: .increment(by: number(-5..<5))
    case 1: .decrement(by: number(-5..<5))
    case 2: .set(count: [Int.max, .min, 0, 7, 8][number(0..<5)])
    case 3: .askIsPrime
    case 4: .dismissModal
    default: .dismissAlert
    }
  }

  private mutating func favoritesAction() -> FavoritePrimes.Action {
    switch number(0..<12) {
    case 0..<5: .add(number: number(0..<60))
    case 5..<7: .remove(number: number(0..<60))
    case 7..<9: .toggle(number: number(0..<60))
    case 9, 10: .removeAt(positions: (0..<number(0..<3)).map { _ in number(0..<8) })
    default: .clear
    }
  }

  private mutating func todoAction() -> Todo.Action {
    switch number(0..<10) {
    case 0..<4: .add(id: newID(), text: text())
    case 4: .complete(id: knownID())
    case 5: .reopen(id: knownID())
    case 6: .rename(id: knownID(), text: text())
    case 7: .remove(id: knownID())
    case 8:
      number(0..<2) == 0 ? .set(query: text()) : .rename(id: knownID(), text: text())
    default: .recoverLastQuery
    }
  }

  private mutating func personsAction() -> Persons.Action {
    switch number(0..<7) {
    case 0..<4: .add(Persons.Person(id: newID(), name: text(), age: number(-2..<153)))
    case 4, 5: .edit(id: knownID(), name: number(0..<2) == 0 ? text() : nil, age: number(0..<160))
    default: .remove(id: knownID())
    }
  }

  private mutating func landmarksAction() -> Landmarks.Action {
    switch number(0..<5) {
    case 0, 1: .setFavorite(id: number(0..<4), isFavorite: number(0..<2) == 0)
    case 2: .setShowFavoritesOnly(number(0..<2) == 0)
    case 3: .select(id: number(0..<4))
    default: .deselect
    }
  }

  private mutating func signUpAction() -> SignUp.Action {
    switch number(0..<12) {
    case 0..<4: .next
    case 4: .back
    case 5: .edit([.email(text()), .topics([.testing])])
    case 6: .edit([.firstName(text()), .topics([])])
    case 7: .openSheet(number(0..<2) == 0 ? .topics : .personalInfo)
    case 8: .done
    case 9: .submissionRefused([.noPassword])
    case 10: number(0..<3) == 0 ? .submissionAccepted : .dismissAlert
    default: number(0..<4) == 0 ? .reset : .next
    }
  }

  private mutating func text() -> String {
    ["", "milk", "é", "e\u{301}", "a\"b", " "][number(0..<6)]
  }

  private mutating func newID() -> Int {
    lastID += 1
    return lastID
  }

  /// The id of a record that may be gone, or of another kind.
  private mutating func knownID() -> Int { number(max(0, lastID - 12)..<lastID + 2) }
}
