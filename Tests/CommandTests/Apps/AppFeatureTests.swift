import Foundation
import Testing
import TestSupport

@Suite("Features that files declare")
struct AppFeatureTests {
  private let app: AppFolder

  init() throws { app = try AppFolder() }

  @Test(
    "have properties, whose steps look for records in maps, too", arguments: ["string", "integer"])
  func mapsInProperties(key: String) async throws {
    let code = """
      feature "ages" {
        state = { ages = map("\(key)", "integer") },
        actions = {
          set = action {
            "key: \(key)", "age: integer", function(state, key, age) state.ages[key] = age end,
          },
        },
      }
      """
    _ = try app.folder.write(code, to: "ages.lua")
    _ = try app.folder.write(
      "property('p', { actions = { 'ages' }, runs = 2 }, function() end)", to: "p.scenario.lua")
    let result = try await app("test", "--app", "ages.lua", "--bare", "p.scenario.lua")
    #expect(result.output.contains("1 passed"))
  }

  @Test("of a new app are covered by its scenarios", arguments: ["primerepl", "notes"])
  func newApp(program: String) async throws {
    var runner = app.runner
    runner.program = program
    #expect(try await runner.run(["new", "kiosk_2"]).status == .exited(0))
    #expect(
      try app.folder.read("kiosk_2/kiosk_2.lua").hasPrefix("#!/usr/bin/env -S \(program) --app\n"))
    runner.workingDirectory = app.folder.path(of: "kiosk_2")
    let test = try await runner.run(["test", "--app", "kiosk_2.lua"])
    #expect(test.output.contains("5 passed"))
    #expect(test.status == .exited(0))
    let coverage = try await runner.run(
      ["test", "--app", "kiosk_2.lua", "--bare", "--min-coverage", "100"])
    #expect(coverage.status == .exited(0), "\(coverage.output)")
    let code = try await runner.run(
      ["--app", "kiosk_2.lua", "-e", "cart.add('pen', 120) print(cart.total, cart.items[1].name)"])
    #expect(code.output == "120\tpen\n")
  }

  @Test("of a new app pass its properties")
  func newAppProperties() async throws {
    var runner = app.runner
    #expect(try await runner.run(["new", "kiosk"]).status == .exited(0))
    runner.workingDirectory = app.folder.path(of: "kiosk")
    let properties = try await runner.run(
      ["test", "--app", "kiosk.lua", "--bare", "--properties", "--timeout", "300"])
    #expect(properties.status == .exited(0), "\(properties.output)")
  }
}
