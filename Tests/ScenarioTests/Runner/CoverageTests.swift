import Lua
import SampleApp
import Scripting
import Testing
import TestSupport

@testable import Scenarios

@MainActor
@Suite("Coverage")
struct CoverageTests {
  /// Compares what the body of a scenario touches.
  private func check(_ example: LuaCase, of app: ScenarioApp) async throws {
    var settings = WorkerSettings()
    settings.reportsCoverage = true
    let source = "scenario('s', function() \(example.code) end)"
    let touched = try await FileRun(source, of: app, settings: settings).run("s").touched ?? []
    let text = touched.map { "\($0.kind.rawValue) \($0.name)" }.sorted().joined(separator: ", ")
    #expect(example.allows(text), "\(text)")
  }

  @Test(
    "of a scenario",
    arguments: LuaCase.list(
      """
      -- A call touches its function, and the fields that it changes
      counter.increment() --> action counter.increment, field counter.count
      -- An assignment touches its field
      todo.query = 'x' --> action todo.query, field todo.query
      -- An error touches its code, though it is caught
      pcall(favorites.add, 8) --> action favorites.add, error not_prime
      -- A part of a record touches the list
      todo.add('a') todo.complete(1) --> …action todo.complete…field todo.items…
      """))
  func scenario(example: LuaCase) async throws { try await check(example, of: .sample) }

  @Test(
    "of a field",
    arguments: LuaCase.list(
      """
      -- An assignment touches it, whatever the text of its action is
      expect.actions(function() cart.note = 'x' end, {'cart.set_note("x")'})
      --> action cart.note, field cart.note
      -- Reading touches nothing
      expect.equal(cart.note, '') -->
      """))
  func field(example: LuaCase) async throws { try await check(example, of: .cart) }

  @Test("A property touches what any of its runs does")
  func property() async throws {
    var settings = WorkerSettings()
    settings.reportsCoverage = true
    let run = try FileRun(
      #"property("p", { actions = { "counter" }, runs = 30, seed = 1, length = 1 })"#,
      settings: settings)
    let touched = try await run.run("p").touched ?? []
    #expect(touched.count { $0.kind == .action } > 3)
  }

  @Test("Everything that can be touched includes the codes of a feature's errors, and its requests")
  func all() throws {
    let app = try ScriptedApp(in: LuaState())
    let items = CoverageRecorder.items(of: app)
    func names(_ kind: CoverageItem.Kind) -> [String] {
      items.filter { $0.feature == "counter" && $0.kind == kind }.map(\.name)
    }
    #expect(names(.error) == ["overflow", "out_of_range"])
    #expect(
      Set(names(.action)) == [
        "counter.count", "counter.increment", "counter.ask_is_prime", "counter.dismiss_modal",
        "counter.ask_nth_prime",
      ])
    #expect(
      names(.field) == ["counter.count", "counter.loading", "counter.alert", "counter.modal"])
  }

  private let items = [
    CoverageItem(feature: "notes", kind: .action, name: "notes.add"),
    CoverageItem(feature: "notes", kind: .action, name: "notes.remove"),
    CoverageItem(feature: "notes", kind: .field, name: "notes"),
    CoverageItem(feature: "timer", kind: .error, name: "late"),
  ]

  @Test("The table counts the parts of each feature, and names those that nothing touched")
  func table() {
    let summary = CoverageSummary(all: items, touched: [items[0], items[2]])
    #expect(
      CoverageText(summary, width: 80).lines == [
        "coverage  actions  errors  fields", "notes         1/2       -     1/1",
        "timer           -     0/1       -", "in all: 50.0 %", "", "Not touched:",
        "  notes actions: remove", "  timer errors: late",
      ])
  }

  @Test("The names wrap at the width of the screen")
  func wrapping() {
    let items = ["red", "green", "blue", "yellow"].map {
      CoverageItem(feature: "paint", kind: .action, name: "paint.\($0)")
    }
    let lines = CoverageText(CoverageSummary(all: items, touched: []), width: 34).lines
    #expect(
      lines.suffix(2) == ["  paint actions: red, green, blue,", "    yellow"])
  }

  @Test("The percentage is of all parts; of none, it is all")
  func percentage() {
    #expect(CoverageSummary(all: items, touched: Set(items)).percentage == 100)
    #expect(CoverageSummary(all: items, touched: []).percentage == 0)
    #expect(CoverageSummary(all: [], touched: []).percentage == 100)
  }
}
