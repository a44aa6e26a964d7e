import SampleFeatures
import StateStore
import Testing

@Suite("A journal in memory")
struct JournalConformanceTests {
  @Test("conforms", arguments: JournalConformance.checks)
  func conforms(to check: JournalConformance.Check) async throws {
    let journal = InMemoryJournal()
    try await check.run { journal }
  }
}
