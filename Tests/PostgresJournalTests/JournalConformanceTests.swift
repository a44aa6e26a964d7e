import PostgresJournal
import SampleFeatures
import StateStore
import Testing
import TestSupport

@Suite(
  "A journal on a server",
  .enabled(if: DatabaseServer.isInstalled, "\(DatabaseServer.missingReason)"))
struct JournalConformanceTests {
  private static let database = Task { try await DatabaseServer.shared().newDatabase() }

  @Test("conforms", arguments: JournalConformance.checks)
  func conforms(to check: JournalConformance.Check) async throws {
    let server = try await DatabaseServer.shared()
    let address = server.address(database: try await Self.database.value, session: "\(check)")
    try await check.run {
      try PostgresJournal(
        of: Sample.schema, program: Program("conformance"), address: address)
    }
  }
}
