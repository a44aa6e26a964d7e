import Foundation
import StateStore
import Testing

@testable import StateStore

@Suite("Every kind of field of a Swift feature")
struct SwiftCombinationTests {
  private static let schema = Result { try StoreSchema(features: [EveryKind.self]) }

  private func check(_ journal: JournalKind) async throws -> SessionCheck {
    try await SessionCheck(Self.schema.get(), JournalPlace(journal))
  }

  private static func items(_ ids: ClosedRange<Int>) -> [EveryKind.Item] {
    ids.map { id in
      EveryKind.Item(
        id: id, text: "e\u{301}\(id)", size: .large,
        place: id % 2 == 0 ? .init(city: "a", zip: nil, pin: Secret("secret-\(id)")) : nil,
        tags: ["\u{e9}", "\0"])
    }
  }

  private static let actions: [EveryKind.Action] = [
    .set(.init()), .set(.init(flag: false, number: .min, text: "\u{e9}", pin: .empty)),
    .add(2, "é"), .add(3, "e\u{301}"), .add(.max, ""), .remove(2, "é"),
    .edit(items(1...4).map { .append($0) }, isNewest: false),
    .edit(items(1...4).map { .append($0) }, isNewest: true),
    .edit([.move(id: 1, to: 3), .move(id: 4, to: 0)], isNewest: false),
    .edit([.move(id: 1, to: 0), .move(id: 4, to: 3)], isNewest: true),
    // Only the form of a letter changes.
    .edit([.rename(id: 2, "\u{e9}2")], isNewest: false),
    .edit([.replace(items(3...5)), .insert(items(9...9)[0], at: 1)], isNewest: false),
    .edit([.clear], isNewest: true),
  ]

  @Test(
    "is saved, followed, reopened, undone and redone before and after that, exported and imported by every journal",
    arguments: JournalKind.available)
  func isKept(by journal: JournalKind) async throws {
    let check = try await check(journal)
    for action in Self.actions {
      try await check.make("\(action)") { try check.store.send(action, to: EveryKind.self) }
    }
    try await check.make("a request") {
      try await check.store.ask(EveryKind.load, 7, in: ServiceContext(NoServices()))
    }
    try check.exportAndImport()
    try check.retrace()
  }

  @Test(
    "is in a copy of the session, in which the session goes on", arguments: JournalKind.available)
  func isCopied(to journal: JournalKind) async throws {
    let original = try await check(.memory)
    for action in Self.actions { try original.store.send(action, to: EveryKind.self) }
    try original.session.save()
    let (schema, place) = (try Self.schema.get(), try await JournalPlace(journal))
    let copy = try place.open(schema)
    let saved = try original.place.open(schema).load()
    _ = try copy.exchange(SessionWrite(copying: saved), after: copy.load().point)
    let check = try SessionCheck(schema, place)
    let before = StateDocument.json(of: original.store.states, schema)
    let copied = StateDocument.json(of: check.store.states, schema)
    #expect(copied == before)
    try check.retrace()
    let actions: [EveryKind.Action] = [
      .remove(3, "e\u{301}"), .add(7, "new"), .edit([.append(.init(id: 70))], isNewest: true),
    ]
    for action in actions {
      try await check.make("\(action)") { try check.store.send(action, to: EveryKind.self) }
    }
  }

  @Test("has the same records after random changes, in the tables and reopened", arguments: 0..<2)
  func randomSequences(seed: Int) async throws {
    for journal in JournalKind.available {
      let check = try await check(journal)
      var random = ListSequence(seed: seed)
      for save in 1...15 {
        for _ in 0..<random.number(1...6) where try !random.travel(check.store) {
          try check.store.send(random.swiftAction(check.store), to: EveryKind.self)
        }
        try check.save("save \(save) of seed \(seed)")
      }
      try check.retrace()
    }
  }

  @Test("is one of the kinds that fields have")
  func isComplete() throws {
    enum Kind: CaseIterable { case value, awaiting, list, derived }
    let kinds = EveryKind.fields.flatMap(\.fields).compactMap { field -> Kind? in
      switch field.content {
      case .value(_, let restore): restore == nil ? .derived : .value
      case .awaiting: .awaiting
      case .list: .list
      // Of several features.
      case .computed: nil
      }
    }
    #expect(Set(kinds) == Set(Kind.allCases))
    #expect(EveryKind.fields.contains { $0.fields.isEmpty }, "no hidden property")
  }
}

extension ListSequence {
  /// Some changes of one of the lists.
  mutating func swiftAction(_ store: Store) -> EveryKind.Action {
    let isNewest = number(0...1) == 0
    let state = store.state(of: EveryKind.self)
    var known = (isNewest ? state.newest : state.items).map(\.id)
    var changes: [EveryKind.Change] = []
    for _ in 0..<number(1...4) {
      let id = known.isEmpty ? 0 : known[number(0...known.count - 1)]
      let new = EveryKind.Item(id: (known.max() ?? 0) + 1)
      switch number(0...11) {
      case 0...2: changes.append(.append(new))
      case 3: changes.append(.insert(new, at: number(0...known.count)))
      case 4...6: changes.append(.move(id: id, to: number(0...10)))
      case 7: changes.append(.remove(id: id))
      case 8, 9: changes.append(.rename(id: id, ["é", "e\u{301}", "a"][number(0...2)]))
      case 10 where number(0...3) == 0:
        changes.append(.replace(known.reversed().prefix(3).map { .init(id: $0, text: "r") }))
      default: if number(0...5) == 0 { changes.append(.clear) }
      }
      switch changes.last {
      case .append(new), .insert(new, _): known.append(new.id)
      case .remove(id): known.removeAll { $0 == id }
      case .clear: known = []
      case .replace(let items): known = items.map(\.id)
      default: break
      }
    }
    return .edit(changes, isNewest: isNewest)
  }
}
