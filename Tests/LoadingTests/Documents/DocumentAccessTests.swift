import Foundation
import PrimereplLoading
import Testing
import TestSupport

@Suite("Access to documents")
struct DocumentAccessTests {
  private func refusal(of source: String, by documents: DocumentAccess) async -> SourceError? {
    await #expect(throws: SourceError.self) { try await documents.read(source) }
  }

  @Test("reads any bytes of a file or an address")
  func bytes() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("<a>", to: "a.html")
    #expect(try await DocumentAccess().read(file) == Data("<a>".utf8))
    try await StandInServer.run(.text("<b>")) { server in
      let content = try await DocumentAccess().read(server.url.absoluteString)
      #expect(content == Data("<b>".utf8))
    }
  }

  @Test("reads up to a limit")
  func limit() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("abc", to: "a.txt")
    #expect(try await DocumentAccess().read(file, maximumSize: 3).count == 3)
    let error = await #expect(throws: SourceError.self) {
      try await DocumentAccess().read(file, maximumSize: 2)
    }
    #expect(error?.code == "source_too_large")
  }

  @Test("has no network in a scenario, and names the alternatives")
  func scenario() async throws {
    let documents = DocumentAccess(network: .refusedInScenario)
    let error = await refusal(of: "https://example.com/x.json", by: documents)
    #expect(error?.code == "network_not_allowed")
    #expect(error?.message.contains("--live") == true)
    #expect(error?.message.contains("stub") == true)
    let missing = await refusal(of: "/no/such/file", by: documents)
    #expect(missing?.code == "not_readable")
    #expect(
      missing?.message == "/no/such/file: no such file: check the path and the working directory")
  }

  @Test(
    "has neither files nor network in a sandbox, unless the network is allowed",
    arguments: [
      (NetworkAccess.refusedInSandbox, "x.json"), (.refusedInSandbox, "https://example.com"),
      (.allowed, "x.json"),
    ])
  func sandbox(network: NetworkAccess, source: String) async throws {
    let documents = DocumentAccess(allowsFiles: false, network: network)
    #expect(await refusal(of: source, by: documents)?.code == "source_not_allowed")
    #expect(throws: ExportError.self) { try documents.write("", to: "x.json") }
  }

  @Test("tells sources that need no network from others, for requests in scenarios")
  func local() {
    #expect(["x.json", "", "ftp://a.org/x"].allSatisfy(DocumentSource.isLocal))
    #expect(!DocumentSource.isLocal("https://a.org/x.json"))
  }
}
