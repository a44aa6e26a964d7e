import PrimereplPlatform
import SampleApp
import Scripting
import Testing
import TestSupport

@testable import Console
@testable import PrimereplTerminal

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
