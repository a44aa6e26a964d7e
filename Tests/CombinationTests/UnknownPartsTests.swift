import StateStore
import Testing

@testable import StateStore

/// Two versions of an app on one session: the newer one lacks parts of records that the older one has.
private struct TwoVersions {
  let place: JournalPlace
  let old: DeclaredSession
  let new: DeclaredSession

  private static let code = """
    actions = {
      run = action { "code: string", function(s, code) load(code, "code", "t", { s = s })() end },
    },
    """
  static let oldSource = """
    feature "f" {
      state = {
        items = list { name = "", price = 0, at = record { x = 0, y = record { a = 0, b = 0 } } },
        one = record { name = "", price = 0, at = record { x = 0, y = 0 } }, count = 0, gone = 0,
      }, \(code)
    }
    """
  static let newSource = """
    feature "f" {
      state = {
        items = list { name = "", at = record { y = record { a = 0 } } },
        one = record { name = "", at = record { x = 0 } }, count = 0,
      }, \(code)
    }
    """

  /// With a record, whose parts the old version has set.
  init(_ journal: JournalKind) async throws {
    place = try await JournalPlace(journal)
    old = try DeclaredSession(Self.oldSource, place)
    try await old.run(
      """
      f.run [[s.items:append { name = 'pen', price = 7, at = { x = 1, y = { a = 2, b = 3 } } }
        s.one = { name = 'one', price = 8, at = { x = 4, y = 5 } } s.gone = 6]]
      """)
    try old.check.session.save()
    new = try DeclaredSession(Self.newSource, place)
  }

  func run(_ session: DeclaredSession, _ code: String) async throws {
    try await session.run("f.run [[\(code)]]")
    try session.check.session.save()
  }

  /// The state as the old version reads it.
  func saved() throws -> String {
    let schema = old.check.schema
    return try JournaledSession(schema, in: place.open(schema)).store.snapshot.savedJSON
  }
}

@Suite("The parts of saved records that an app doesn't have")
struct UnknownPartsTests {
  private static let item = #""at":{"x":1,"y":{"a":2,"b":3}}"#
  private static let one = #""one":{"name":"one","price":8,"at":{"x":4,"y":5}}"#

  @Test("stay as they are when the app changes their records", arguments: JournalKind.available)
  func change(_ journal: JournalKind) async throws {
    let versions = try await TwoVersions(journal)
    try await versions.run(
      versions.new,
      "s.items[1].name = 'PEN' s.items[1].at = { y = { a = 9 } } s.one = { name = 'two', at = { x = 9 } }"
    )
    let saved = try versions.saved()
    #expect(saved.contains(#""name":"PEN","price":7,"at":{"x":1,"y":{"a":9,"b":3}}"#))
    #expect(saved.contains(#""one":{"name":"two","price":8,"at":{"x":9,"y":5}}"#))
  }

  @Test("follow the changes of a process that has them", arguments: JournalKind.available)
  func follow(_ journal: JournalKind) async throws {
    let versions = try await TwoVersions(journal)
    try await versions.run(
      versions.old,
      "s.items[1].price = 70 s.items[1].at.y.b = 30 s.one = { price = 80 } s.gone = 60")
    try await versions.run(versions.new, "s.items[1].name = 'PEN' s.one = { name = 'two' }")
    try versions.old.check.session.reload()
    let saved = try versions.saved()
    #expect(versions.old.check.store.snapshot.savedJSON == saved)
    #expect(saved.contains(#""name":"PEN","price":70,"at":{"x":1,"y":{"a":2,"b":30}}"#))
    #expect(saved.contains(#""one":{"name":"two","price":80"#))
    #expect(saved.contains(#""gone":60"#))
  }

  @Test(
    "are taken back, made again and jumped to by an app without them",
    arguments: JournalKind.available)
  func history(_ journal: JournalKind) async throws {
    let versions = try await TwoVersions(journal)
    try await versions.run(versions.old, "s.items[1].price = 70 s.one = { price = 80 }")
    try await versions.run(versions.old, "s.items[1].at.y.b = 30 s.count = 1")
    let store = versions.old.check.store
    var states: [Int: String] = [:]
    for number in store.reachable.reversed() {
      try store.jump(to: number)
      states[number] = store.snapshot.savedJSON
    }
    try store.jump(to: store.reachable.upperBound)
    try versions.old.check.session.save()
    let other = versions.new.check
    try other.session.reload()
    for number in [2, 1, 3, 0, 1, 2, 0, 3] {
      try other.store.jump(to: number)
      try other.session.save()
      #expect(try versions.saved() == states[number], "at \(number)")
      try versions.old.check.session.reload()
      #expect(store.snapshot.savedJSON == states[number], "followed at \(number)")
    }
  }

  @Test(
    "come back with records that an app without them removed, resets or replaces",
    arguments: JournalKind.available, ["s.items:clear()", "s.items:remove(1)", "reset"])
  func removal(_ journal: JournalKind, code: String) async throws {
    let versions = try await TwoVersions(journal)
    let before = try versions.saved()
    if code == "reset" {
      try versions.new.check.store.reset()
      try versions.new.check.session.save()
    } else {
      try await versions.run(versions.new, code)
    }
    let schema = versions.old.check.schema
    let reopened = try JournaledSession(schema, in: versions.place.open(schema))
    try reopened.store.undo()
    try reopened.save()
    #expect(reopened.store.snapshot.savedJSON == before)
    #expect(try versions.saved() == before)
  }

  @Test("survive a migration that leaves them alone", arguments: JournalKind.available)
  func migration(_ journal: JournalKind) async throws {
    let versions = try await TwoVersions(journal)
    func open(_ source: String, migrating migration: String = "") throws -> DeclaredSession {
      let version = "version = 2, \(migration)\nactions = {"
      return try DeclaredSession(
        source.replacing("actions = {", with: version), versions.place)
    }
    let migration = "migrate = function(s) s.count = 7 end,"
    try open(TwoVersions.newSource, migrating: migration).check.session.save()
    let again = try open(TwoVersions.oldSource)
    let state = again.check.store.snapshot.savedJSON
    #expect(state.contains(#""name":"pen","price":7,\#(Self.item)"#))
    #expect(state.contains(Self.one))
    #expect(state.contains(#""count":7,"gone":6"#))
  }

  @Test("are none where the app has all parts")
  func none() async throws {
    let place = try await JournalPlace(.memory)
    let schema = try StoreSchema(features: [EveryKind.self])
    let session = try JournaledSession(schema, in: place.open(schema))
    let item = EveryKind.Item(id: 1, place: .init(city: "a", zip: nil))
    try session.store.send(.edit([.append(item)], isNewest: false), to: EveryKind.self)
    try session.store.send(.set(.init()), to: EveryKind.self)
    try session.save()
    let reopened = try JournaledSession(schema, in: place.open(schema)).store
    try reopened.jump(to: 0)
    try reopened.jump(to: 2)
    #expect(reopened.states.unused == SavedState())
  }
}
