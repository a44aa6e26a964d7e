import StateFile
import SampleFeatures
import StateStore
import Testing
import TestSupport

@Suite("A journal in a file")
struct JournalConformanceTests {
  @Test("conforms", arguments: JournalConformance.checks)
  func conforms(to check: JournalConformance.Check) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "notes.sqlite")
    try await check.run {
      try SQLiteJournal(
        of: Sample.schema, program: Program("conformance"), path: path, busyTimeout: 20)
    }
  }
}
