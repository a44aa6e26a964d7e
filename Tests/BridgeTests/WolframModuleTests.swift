import PrimereplDomain
import StateStore
import Testing
import TestSupport

@MainActor
@Suite("wolfram")
struct WolframModuleTests {
  @Test("never shows the app id, whatever goes wrong")
  func secret() async throws {
    try await StandInServer.run(.text("nonsense")) { server in
      let app = try AppInLua(wolfram: .init(appID: "S3CRET", baseURL: server.url))
      let error = await app.failure("wolfram.query('x')")
      #expect(error?.code == "unexpected_answer")
      #expect(error.map { "\($0)\($0.traceback ?? "")" }?.contains("S3CRET") == false)
    }
  }

  @Test("reports the status of a failed request, and suggestions")
  func errorFields() async throws {
    try await StandInServer.run(.text("", status: 404)) { server in
      let app = try AppInLua(wolfram: .init(appID: "S3CRET", baseURL: server.url))
      let text = try await app.text(
        "local _, err = pcall(wolfram.query, 'x') return err.code, err.status, #err.suggestions")
      #expect(text == "http_status 404 0")
    }
  }

  @Test("needs an app id, and says so")
  func notConfigured() async throws {
    let app = try AppInLua()
    #expect(try await app.text("return wolfram.configured") == "false")
    let error = await app.failure("wolfram.query('x')")
    #expect(error?.code == "no_app_id")
    #expect(error?.message.contains("WOLFRAM_APP_ID") == true)
  }
}
