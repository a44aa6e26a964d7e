import Foundation
import StateStore
import Testing

@testable import StateStore

extension StateValue {
  fileprivate var integer: Int? {
    if case .integer(let integer) = self { integer } else { nil }
  }
}

extension DeclaredCase {
  /// The feature with another declaration.
  private func other(_ members: String) -> String { "feature \"\(name)\" { \(members) }\n" }

  /// Without the code of any action, derived value or request.
  fileprivate var withoutCode: String { other("state = { \(fields) }") }

  /// Without the field.
  fileprivate var withoutField: String { other("state = { y = 0 }") }

  /// With another field.
  fileprivate var withNewField: String { other("state = { \(fields), z = 'new' }") }

  /// With the type of another case, with or without what converts the state.
  fileprivate func withOtherType(migrating: Bool) -> String {
    let migration = "version = 2, migrate = function(s) return { x = { s.y }, y = s.y + 1 } end"
    return other("state = { x = set 'integer', y = 0 }, \(migrating ? migration : "")")
  }

  /// In another version, whose migration returns what it gets.
  fileprivate var withMigration: String {
    other(
      """
      state = { \(fields) }, version = 2,
      migrate = function(s, from) return { x = s.x, y = s.y + from, others = s.others } end,
      """)
  }
}

@Suite("A session with every type, opened by an app that was changed")
struct EvolutionTests {
  private nonisolated static let types = DeclaredCase.allCases.filter { $0 != .integers }

  private static func source(_ declaration: (DeclaredCase) -> String) -> String {
    types.map(declaration).joined()
  }

  /// A session after all steps of some types, and what it was after some of them.
  private struct Original {
    let place: JournalPlace
    let version: DeclaredVersion
    /// The state after some numbers of actions in the history.
    let states: [Int: String]
    let position: Int

    init(_ journal: JournalKind, _ types: [DeclaredCase] = EvolutionTests.types) async throws {
      place = try await JournalPlace(journal)
      let source = types.map(\.declaration).joined()
      let session = try DeclaredSession(source, place)
      for script in types.flatMap(\.scripts) { try await session.run(script) }
      try session.check.session.save()
      version = try DeclaredVersion(source)
      let store = try version.open(place).store
      position = store.position
      states = try Self.states(of: store)
    }

    /// The saved form of the state at some positions of a store's history, to which it goes.
    static func states(of store: Store) throws -> [Int: String] {
      var states: [Int: String] = [:]
      let position = store.position
      for number in store.reachable.sampled {
        try store.jump(to: number)
        states[number] = store.snapshot.savedJSON
      }
      try store.jump(to: position)
      return states
    }
  }

  @Test(
    "is as it was after its actions, whatever became of the code", arguments: JournalKind.available)
  func otherCode(_ journal: JournalKind) async throws {
    let original = try await Original(journal)
    let other = try DeclaredVersion(Self.source(\.withoutCode))
    let writer = try original.version.open(original.place)
    let follower = try other.open(original.place)
    func expectSame(_ step: String) throws {
      try writer.save()
      try follower.reload()
      // Derived values aren't in both.
      for path in Self.types.flatMap({ ["\($0.name).x", "\($0.name).y"] }) {
        let found = try other.schema.value(at: path, in: follower.store.states)
        let expected = try original.version.schema.value(at: path, in: writer.store.states)
        #expect(found.savedJSON == expected.savedJSON, "\(path): \(step)")
      }
    }
    try expectSame("opened")
    for number in writer.store.reachable.sampled {
      try writer.store.jump(to: number)
      try expectSame("at \(number)")
    }
    try follower.store.jump(to: original.position)
    try follower.save()
    try writer.reload()
    #expect(writer.store.snapshot.savedJSON == original.states[original.position])
    try expectSame("redone by the other code")
  }

  @Test(
    "keeps what the app doesn't have any more, until it has that again",
    arguments: JournalKind.available)
  func goneField(_ journal: JournalKind) async throws {
    let original = try await Original(journal)
    let other = try DeclaredVersion(Self.source(\.withoutField)).open(original.place)
    #expect(Set(other.gone).isSuperset(of: Self.types.map { "\($0.name).x" }))
    try other.save()
    let numbers = other.store.reachable.sampled
    for number in numbers + numbers.reversed() {
      try other.store.jump(to: number)
      try other.save()
    }
    try other.store.jump(to: original.position)
    try other.save()
    let again = try original.version.open(original.place).store
    #expect(try Original.states(of: again) == original.states)
  }

  @Test("has the initial value of a new field, also in the past", arguments: JournalKind.available)
  func newField(_ journal: JournalKind) async throws {
    let original = try await Original(journal)
    let newer = try DeclaredVersion(Self.source(\.withNewField))
    let other = try newer.open(original.place)
    for number in other.store.reachable.sampled {
      try other.store.jump(to: number)
      for type in Self.types {
        let value = try newer.schema.value(at: "\(type.name).z", in: other.store.states)
        #expect(value == .text("new"), "\(type) at \(number)")
      }
      try other.save()
    }
    try other.store.jump(to: original.position)
    try other.save()
    let again = try original.version.open(original.place).store
    #expect(again.snapshot.savedJSON == original.states[original.position])
  }

  @Test(
    "has the initial value of a new part of records, also in the tables",
    arguments: JournalKind.available)
  func newPart(_ journal: JournalKind) async throws {
    func source(_ parts: String) -> String {
      """
      feature "f" {
        state = { all = list { n = 0\(parts) }, one = record { n = 0\(parts) } },
        actions = { add = function(s) s.all:append {} end },
      }
      """
    }
    let place = try await JournalPlace(journal)
    let session = try DeclaredSession(source(""), place)
    for _ in 1...3 { try await session.run("f.add()") }
    try session.check.session.save()
    let new = try DeclaredVersion(source(", size = 7"))
    try new.open(place).save()
    let state = try place.open(new.schema).load().state
    #expect(state.lists["f.all"]?.filter { $0.contains(#""size":7"#) }.count == 3)
    #expect(state.values["f.one"]?.contains(#""size":7"#) == true)
  }

  @Test("is refused, and left as it is, by an app with another type", arguments: types)
  func otherType(_ type: DeclaredCase) async throws {
    let original = try await Original(.sqlite, [type])
    let before = try original.place.tables?()
    let error = #expect(throws: JournalError.self) {
      _ = try DeclaredVersion(type.withOtherType(migrating: false)).open(original.place)
    }
    let message = error?.message ?? ""
    #expect(message.contains("\(type.name).x"))
    #expect(message.contains("declare version = 2 and migrate"))
    let after = try original.place.tables?()
    #expect(after == before)
  }

  @Test("is converted once, before which nothing is undone", arguments: JournalKind.available)
  func conversion(_ journal: JournalKind) async throws {
    let original = try await Original(journal)
    let before = try original.place.tables?()
    #expect(throws: JournalError.self) {
      _ = try DeclaredVersion(Self.source { $0.withOtherType(migrating: false) }).open(
        original.place)
    }
    let after = try original.place.tables?()
    #expect(after == before)
    let new = try DeclaredVersion(Self.source { $0.withOtherType(migrating: true) })
    let migrated = try new.open(original.place)
    try migrated.save()
    let reopened = try new.open(original.place).store
    #expect(reopened.snapshot == migrated.store.snapshot)
    #expect(reopened.position > original.position)
    #expect(reopened.reachable == reopened.position...reopened.position)
    #expect(throws: JournalError.self) { _ = try original.version.open(original.place) }
  }

  @Test("gives a migration exactly what was saved, once", arguments: JournalKind.available)
  func migration(_ journal: JournalKind) async throws {
    let original = try await Original(journal)
    let before = try original.version.open(original.place).store.states
    let new = try DeclaredVersion(Self.source(\.withMigration))
    for _ in 1...2 {
      let migrated = try new.open(original.place)
      try migrated.save()
      for type in Self.types {
        func value(_ name: String, _ schema: StoreSchema, _ states: States) throws -> StateValue {
          try schema.value(at: "\(type.name).\(name)", in: states)
        }
        let found = try value("x", new.schema, migrated.store.states)
        let expected = try value("x", original.version.schema, before)
        #expect(found.savedJSON == expected.savedJSON, "\(type)")
        let number = try #require(value("y", original.version.schema, before).integer)
        #expect(
          try value("y", new.schema, migrated.store.states) == .integer(number + 1), "\(type)")
      }
    }
  }
}

extension ClosedRange<Int> {
  /// Every fifth number from the last one down, and the first.
  fileprivate var sampled: [Int] {
    Array(stride(from: upperBound, to: lowerBound, by: -5)) + [lowerBound]
  }
}

@Suite("Two processes with different code on one session")
struct DifferentCodeTests {
  @Test("have the same state in the end", arguments: 0..<2, JournalKind.available)
  func convergence(seed: Int, journal: JournalKind) async throws {
    let place = try await JournalPlace(journal)
    let sessions = try [1, 10].map { try DeclaredSession(ListSequence.source(version: $0), place) }
    var random = ListSequence(seed: seed)
    for round in 1...20 {
      for _ in 0..<random.number(1...8) {
        let index = random.number(0...1)
        let session = sessions[index]
        switch random.number(0...9) {
        case 0...5:
          let code = (0..<random.number(1...3)).map { _ in random.declaredChange() }
          try await session.run("f.run([==[\(code.joined(separator: " "))]==])")
        case 6: try await session.run("f.only\(index == 0 ? 1 : 10)()")
        case 7: if session.check.store.position > 0 { try session.check.store.undo() }
        default: try session.check.session.save()
        }
      }
      for session in sessions { try session.check.session.save() }
      for session in sessions { try session.check.session.reload() }
      let stores = sessions.map(\.check.store)
      let states = try stores.map { try JournalPlace.expected($0.states, $0.schema) }
      #expect(states[0] == states[1], "round \(round) of seed \(seed)")
      #expect(stores[0].position == stores[1].position, "round \(round) of seed \(seed)")
      try sessions[0].check.expectTables("round \(round) of seed \(seed)")
    }
    for session in sessions { try session.check.save("the end of seed \(seed)") }
  }
}
