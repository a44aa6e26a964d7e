import StateStore
import Testing

@testable import StateStore

@Suite("The secrets that a process knows, when another one changes what is beside them")
struct SharedSecretTests {
  @Test("stay known in a feature of Swift", arguments: JournalKind.available)
  func swift(_ journal: JournalKind) async throws {
    let place = try await JournalPlace(journal)
    let schema = try StoreSchema(features: [EveryKind.self])
    let (own, other) = (
      try JournaledSession(schema, in: place.open(schema)),
      try JournaledSession(schema, in: place.open(schema))
    )
    let item = EveryKind.Item(id: 1, place: .init(city: "a", zip: nil, pin: Secret("of an item")))
    try own.store.send(.set(.init()), to: EveryKind.self)
    try own.store.send(.edit([.append(item)], isNewest: false), to: EveryKind.self)
    try own.save()
    try other.reload()
    try other.store.send(.add(2, "é"), to: EveryKind.self)
    try other.store.send(.edit([.rename(id: 1, "b")], isNewest: false), to: EveryKind.self)
    try other.save()
    try own.reload()
    let state = own.store.state(of: EveryKind.self)
    #expect(state.sum == other.store.state(of: EveryKind.self).sum)
    #expect(state.pin == Secret("secret-of-swift"))
    #expect(state.place.pin == Secret("secret-of-swift"))
    #expect(state.items[0].text == "b")
    #expect(state.items[0].place?.pin == Secret("of an item"))
    #expect(other.store.state(of: EveryKind.self).pin.isForgotten)
  }

  @Test("stay known in a feature declared in Lua", arguments: JournalKind.available)
  func declared(_ journal: JournalKind) async throws {
    let place = try await JournalPlace(journal)
    let source = """
      feature "f" {
        state = { one = record { n = 0, pin = secret }, all = list { n = 0, pin = secret } },
        actions = {
          keep = action { "pin: secret", function(s, pin)
            s.one.pin = pin
            s.all:append { pin = pin }
          end },
          count = function(s) s.one.n = 7 s.all[1].n = 7 end,
        },
      }
      """
    let (own, other) = (try DeclaredSession(source, place), try DeclaredSession(source, place))
    try await own.run("f.keep('of Lua')")
    try own.check.session.save()
    try other.check.session.reload()
    try await other.run("f.count()")
    try other.check.session.save()
    try own.check.session.reload()
    let store = own.check.store
    for path in ["f.one", "f.all"] {
      let value = try store.schema.value(at: path, in: store.states)
      let record = if case .list(let elements, _) = value { elements.first } else { value }
      #expect(record?["n"] == .integer(7), "\(path)")
      #expect(record?["pin"] == .secret(Secret("of Lua")), "\(path)")
    }
  }
}
