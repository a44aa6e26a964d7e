import PrimereplFoundation
package import StateStore

/// Random actions of all sample features, the same for each seed; most are valid.
package struct RandomActions {
  private var random: SplitMix64
  private var lastID = 0

  package init(seed: Int) { random = SplitMix64(seed: UInt64(seed)) }

  package mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  package mutating func next() -> StoreAction {
    switch number(0..<10) {
    case 0, 1: number(0..<8) < 5 ? .counter(counterAction()) : askStep()
    case 2, 3: .numbers(numbersAction())
    case 4, 5: .notes(notesAction())
    case 6, 7: number(0..<10) < 7 ? .people(peopleAction()) : fetchStep()
    case 8: .account(accountAction())
    default: number(0..<10) == 0 ? .reset : .counter(.increment(by: 1))
    }
  }

  /// Makes a random step with one of some sessions.
  package mutating func act(
    on sessions: inout [JournaledSession], opening open: () throws -> JournaledSession
  ) throws {
    let index = number(0..<sessions.count)
    let session = sessions[index]
    switch number(0..<40) {
    case 0..<4: try session.save()
    case 4..<7: try session.reload()
    case 7..<10: try session.store.undo(number(1..<4))
    case 10..<12: try session.store.redo()
    case 12:
      let reachable = session.store.reachable
      try session.store.jump(to: number(reachable.lowerBound..<reachable.upperBound + 1))
    case 13:
      try session.save()
      sessions[index] = try open()
    default: try session.store.send(next())
    }
  }

  private mutating func counterAction() -> Counter.Action {
    switch number(0..<11) {
    case 0..<4: .increment(by: number(-5..<5))
    case 4, 5: .set(count: [Int.max, .min, 0, 7, 8][number(0..<5)])
    case 6, 7: .openCard
    case 8, 9: .closeCard
    default: .dismissAlert
    }
  }

  private mutating func askStep() -> StoreAction {
    .step(
      of: Counter.ask, number(0..<3),
      [.asked(NoQuestion()), .answered(number(-1..<8)), .failed(message: text())][number(0..<3)])
  }

  private mutating func numbersAction() -> Numbers.Action {
    switch number(0..<12) {
    case 0..<5: .add(number: number(-5..<40))
    case 5..<7: .remove(number: number(0..<40))
    case 7..<9: .toggle(number: number(-5..<40))
    case 9, 10: .removeAt(positions: (0..<number(0..<3)).map { _ in number(0..<8) })
    default: .clear
    }
  }

  private mutating func notesAction() -> Notes.Action {
    switch number(0..<8) {
    case 0..<4: .add(id: newID(), text: text())
    case 4: .finish(id: knownID())
    case 5: .rename(id: knownID(), text: text())
    case 6: .remove(id: knownID())
    default: .set(query: text())
    }
  }

  private mutating func peopleAction() -> People.Action {
    switch number(0..<7) {
    case 0..<4: .add(person())
    case 4, 5: .setAge(id: knownID(), age: number(0..<160))
    default: .remove(id: knownID())
    }
  }

  private mutating func fetchStep() -> StoreAction {
    let phase: RequestPhase<String, [People.Person]> =
      switch number(0..<3) {
      case 0: .asked(text())
      case 1: .answered((0..<number(0..<4)).map { _ in person() })
      default: .failed(message: text())
      }
    return .step(of: People.fetch, number(0..<3), phase)
  }

  private mutating func accountAction() -> Account.Action {
    switch number(0..<5) {
    case 0: .submit
    case 1: .edit(.init(topics: [.testing, .testing]))
    default:
      .edit(
        .init(
          lastName: text(), password: Secret(text()),
          topics: [[], [.testing], [.concurrency, .testing]][number(0..<3)]))
    }
  }

  private mutating func person() -> People.Person {
    .init(id: newID(), name: text(), age: number(-2..<153))
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
