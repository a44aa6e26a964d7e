import PrimereplPlatform
import Testing

@testable import StateFile

@Suite("Paths of state files")
struct StateFilePathTests {
  @Test("are URIs for SQLite, with any bytes")
  func address() {
    #expect("/a b".databaseAddress == "file:/a%20b")
    #expect(
      String(systemBytes: Array("/a?#%".utf8) + [0xFF]).databaseAddress == "file:/a%3F%23%25%FF")
  }
}
