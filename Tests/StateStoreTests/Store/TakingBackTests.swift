import SampleFeatures
import Testing

@testable import StateStore

@Suite("Taking back one's own action")
struct TakingBackTests {
  private let journal = InMemoryJournal()

  /// Two sessions: the first has added Ada, and the second has added Bob and counted since.
  private func sessions() throws -> (JournaledSession, JournaledSession) {
    let (first, second) = (try journal.openSession(), try journal.openSession())
    try first.save(doing: .people(.add(.ada)))
    try second.reload()
    try second.save(doing: .people(.add(.bob)), .counter(.increment(by: 5)))
    try first.reload()
    return (first, second)
  }

  @Test("leaves what others have done since, for all processes")
  func others() throws {
    let (first, second) = try sessions()
    #expect(first.store.lastOwnAction == 1)
    try first.store.takeBack(1...1)
    try first.save()
    try second.reload()
    for store in [first.store, second.store, try journal.openSession().store] {
      #expect(store.state(of: People.self).list.map(\.id) == [2])
      #expect(store.state(of: Counter.self).count == 5)
      #expect(store.position == 4)
    }
    #expect(first.store.lastOwnAction == nil)
    #expect(second.store.lastOwnAction == 3)
    try first.store.undo()
    #expect(first.store.state(of: People.self).list.count == 2)
  }

  @Test("leaves what no field shows, and others have changed since")
  func hiddenState() throws {
    let (first, second) = (try journal.openSession(), try journal.openSession())
    try first.save(doing: .counter(.increment(by: 5)))
    try second.reload()
    try second.save(doing: .counter(.openCard))
    try first.reload()
    try first.store.takeBack(1...1)
    try first.save()
    for store in [first.store, try journal.openSession().store] {
      #expect(store.state(of: Counter.self).count == 0)
      #expect(store.state(of: Counter.self).isCardOpen)
    }
  }

  @Test("makes what follows from fields, and no field shows, follow from them again")
  func followingState() throws {
    let store = Store(try StoreSchema(features: [Heights.self]))
    for action in [Heights.Action.right(10), .left(3), .right(1)] {
      try store.send(action, to: Heights.self)
    }
    #expect(store.state(of: Heights.self).greatest == 3)
    try store.takeBack(2...2)
    #expect(store.state(of: Heights.self) == Heights.State(right: 1, greatest: 1))
  }

  @Test("is an undo if nobody has acted since")
  func last() throws {
    let session = try journal.openSession()
    try session.store.send(.counter(.increment(by: 1)), .counter(.increment(by: 10)))
    try session.store.takeBack(2...2)
    #expect(session.store.position == 1)
    #expect(session.store.reachable == 0...2)
  }

  @Test("is refused if something that it changed has been changed since, and changes nothing")
  func changedSince() throws {
    let (first, second) = try sessions()
    try second.save(doing: .people(.setAge(id: 1, age: 37)))
    try first.reload()
    let (states, position) = (first.store.states, first.store.position)
    let error = #expect(throws: ChangeError.self) { try first.store.takeBack(1...1) }
    #expect(error?.code == "changed_since")
    #expect(error?.message.contains("people:get(1)") == true)
    #expect(first.store.states == states)
    #expect(first.store.position == position)
    #expect(first.store.lastOwnAction == 1)
  }

  @Test("is dropped and reported if somebody changes the same before it is saved")
  func rebased() throws {
    let (first, second) = try sessions()
    try first.store.takeBack(1...1)
    try second.save(doing: .people(.setAge(id: 1, age: 37)))
    var reasons: [String?] = []
    first.onReload = { reasons += $0.rejections.map { ($0.reason as? any CodedError)?.code } }
    try first.save()
    #expect(reasons == ["changed_since"])
    #expect(first.store.states == second.store.states)
  }

  @Test("knows its actions by their new numbers when others have acted before it was saved")
  func renumbered() throws {
    let (first, second) = (try journal.openSession(), try journal.openSession())
    try first.store.send(.people(.add(.ada)), .people(.add(.bob)))
    try first.store.takeBack(1...1)
    try second.save(doing: .counter(.increment(by: 5)))
    try first.save()
    #expect(first.store.state(of: People.self).list.map(\.id) == [2])
    #expect(try first.store.history().map(\.recorded.action.takenBack) == [nil, nil, nil, 2...2])
    #expect(first.store.lastOwnAction == 3)
    #expect(try journal.openSession().store.states == first.store.states)
  }

  @Test("is refused for a step of a request and for a reset, before others")
  func inseparable() throws {
    let store = Store()
    for action: StoreAction in [.step(of: Counter.ask, 1, .asked(NoQuestion())), .reset] {
      try store.send(action)
      try store.send(.increment(by: 1), to: Counter.self)
      let number = store.position - 1
      let error = #expect(throws: ChangeError.self) { try store.takeBack(number...number) }
      #expect(error?.code == "not_separable")
    }
  }
}

extension People.Person {
  fileprivate static let ada = People.Person(id: 1, name: "Ada", age: 36)
  fileprivate static let bob = People.Person(id: 2, name: "Bob", age: 40)
}

/// Two heights, and the greater one, which no field shows.
private enum Heights: Feature {
  struct State: Codable, Equatable, Sendable {
    var left = 0
    var right = 0
    var greatest = 0
  }

  enum Action: Codable, Equatable, Sendable { case left(Int), right(Int) }

  static let name = "heights"
  static var initial: State { State() }
  static let fields: [Field<Heights>] = [
    .value("left", \.left), .value("right", \.right), .hidden(\.greatest),
  ]

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .left(let height): state.left = height
    case .right(let height): state.right = height
    }
    validate(&state)
  }

  static func validate(_ state: inout State) { state.greatest = max(state.left, state.right) }
}
