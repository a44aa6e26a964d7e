import Lua
import Scripting
import StateStore
import Testing

/// A feature with queries over its list, by public API alone.
private enum Hours: ScriptableFeature {
  struct Entry: Record, ScriptableRecord {
    let id: Int
    var day = ""
    var minutes = 0
    var rate = 0.1

    static let fields: [RecordField<Entry>] = [
      .constant("id", \.id), .field("day", \.day), .field("minutes", \.minutes),
      .field("rate", \.rate),
    ]
  }

  struct State: Codable, Equatable, Sendable {
    var entries = RecordList<Entry>()
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Entry)
    case setMinutes(id: Int, Int)
  }

  static let name = "hours"
  static let help = "Hours."
  static var initial: State { State() }

  static let fields: [Field<Hours>] = [
    .list("entries", \.entries, .set(\.minutes) { .setMinutes(id: $0, $1) }),
    .sum("minutes", of: \.entries, help: "All minutes.") { $0.minutes },
    .sum("rates", of: \.entries) { $0.rate },
    .count("long", of: \.entries) { $0.minutes > 60 },
    .min("first", of: \.entries) { $0.day },
    .max("longest", of: \.entries) { $0.minutes },
    .filter("short", of: \.entries) { $0.minutes < 10 },
    .sorted("ranked", of: \.entries) { -$0.minutes },
    .group(
      "days", of: \.entries, by: { $0.day }, .sum("minutes") { $0.minutes }, .count("entries"),
      .max("longest") { $0.minutes }),
  ]

  static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let entry): try state.entries.append(entry)
    case .setMinutes(let id, let minutes): state.entries.update(id: id) { $0.minutes = minutes }
    }
  }

  static func describe(_ module: FeatureModule<Hours>) {
    module.function("add", "day", "minutes", help: "Adds an entry.", example: "hours.add('', 1)") {
      (day: String, minutes: Int) in
      try module.store.send(
        to: Hours.self, withNewID: { .add(Entry(id: $0, day: day, minutes: minutes)) })
    }
  }
}

@MainActor
@Suite("Queries of features in Swift")
struct FeatureQueryTests {
  private let app: FeatureFixture

  init() async throws {
    app = try FeatureFixture([Hours.self])
    try await app.run("hours.add('mon', 5) hours.add('tue', 90) hours.add('mon', 30)")
  }

  private static let all = """
    local days = {}
    for day, d in pairs(hours.days) do
      days[#days + 1] = day .. " " .. d.minutes .. " " .. d.entries .. " " .. d.longest
    end
    local ranked = hours.ranked:map(function(e) return e.id end)
    return hours.minutes, hours.rates, hours.long, hours.first, hours.longest, #hours.short,
      table.concat(ranked, ","), table.concat(days, ";")
    """

  @Test("follow the list")
  func follow() async throws {
    #expect(
      try await app.run(Self.all) == "125 0.3 1 mon 90 1 2,3,1 mon 35 2 30;tue 90 1 90")
    try await app.run("hours.short[1].minutes = 61")
    #expect(
      try await app.run(Self.all) == "181 0.3 2 mon 90 0 2,1,3 mon 91 2 61;tue 90 1 90")
    try await app.run("store.undo(2)")
    #expect(try await app.run(Self.all) == "95 0.2 1 mon 90 1 2,1 mon 5 1 5;tue 90 1 90")
  }

  @Test("give the records of the list, live")
  func live() async throws {
    #expect(
      try await app.run(
        """
        local short = hours.short
        assert(rawequal(short[1], hours.entries[1]))
        hours.add("wed", 1)
        return #short, short[2].day, tostring(short), tostring(hours.days)
        """) == "2 wed hours.short (2) hours.days (3)")
  }

  @Test("with one value are part of snapshots, those with records aren't, and none is saved")
  func snapshots() async throws {
    #expect(
      try await app.run("local s = store.state().hours return s.minutes, s.ranked, s.days")
        == "125 nil nil")
    #expect(app.store.schema.fields.filter(\.isSaved).map(\.path) == ["hours.entries"])
  }

  @Test("with records are no differences of their own, but can be observed")
  func differences() async throws {
    let earlier = app.store.states
    try await app.run(
      """
      seen = {}
      store.subscribe("hours.days", function(new) seen[#seen + 1] = new.mon.minutes end)
      hours.entries[1].minutes = 7
      """)
    #expect(
      app.store.schema.differences(from: earlier, to: app.store.states).map(\.path) == [
        "hours.entries[1].minutes", "hours.minutes",
      ])
    #expect(try await app.run("return #seen, seen[1]") == "1 37")
  }
}
