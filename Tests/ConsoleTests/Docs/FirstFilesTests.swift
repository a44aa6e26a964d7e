import Lua
import PrimereplPlatform
import SampleApp
import Scripting
import Testing
import TestSupport

@testable import Console
@testable import PrimereplTerminal

@MainActor
@Suite("The first app")
struct FirstAppTests {
  @Test("has a feature whose name no module of the program has", arguments: [0, 1, 2])
  func names(count: Int) async throws {
    let taken = ["cart", "my_cart"].prefix(count)
    let console = Console(
      "shop", features: [], modules: taken.map { ScriptModule($0, help: "Taken.") { _ in } })
    let app = FirstApp("notes", of: console)
    let folder = try TemporaryFolder()
    for file in app.files { _ = try folder.write(file.content, to: file.path) }
    let files = AppFiles(paths: [folder.path(of: app.path)], isBare: false)
    let feature = ["cart", "my_cart", "my_my_cart"][count]
    #expect(
      try console.app(of: files, DeclaredApp.Limits()).schema.get().featureNames == [feature])
    #expect(app.files[1].content.contains("\(feature).add("))
    #expect(!app.files[1].content.contains(" cart.add(") || feature == "cart")
  }
}

@MainActor
@Suite("The first scenario")
struct FirstScenarioTests {
  @Test("expects the initial state if no example changes it, and passes")
  func plain() async throws {
    let content = try await FirstScenario(of: .odd, in: ProjectFolder(".")).file().content
    #expect(content.contains("scenario(\"every app starts in the same state\""))
    let folder = try TemporaryFolder()
    let path = try folder.write(content, to: "first.scenario.lua")
    let session = try SessionApp()
    #expect(try await session.scenario().run(path) == [])
  }
}
