import SampleFeatures
import Testing

@testable import StateStore

@Suite("Identifiers of a journal")
struct JournalIdentifiersTests {
  private let journal = InMemoryJournal()

  @Test("count from 1 in a single process")
  func alone() {
    let identifiers = JournalIdentifiers(journal)
    #expect((1...100).map { _ in identifiers.next(.person) } == Array(1...100))
    #expect(identifiers.next(.note) == 1)
  }

  @Test("count from 1 after identifiers that are too great to continue from")
  func greatest() {
    let identifiers = JournalIdentifiers(InMemoryJournal())
    #expect(identifiers.next(.note, from: .max - 5) == 1)
    #expect(identifiers.next(.note, from: 1 << 62) == 1 << 62)
    for least in [Int.max, .max - 1, 1 << 62] {
      for _ in 0..<2000 { #expect(identifiers.next(.note, from: least) < .max) }
    }
  }

  @Test("are those of one process only")
  func several() {
    let sources = (0..<4).map { _ in JournalIdentifiers(journal) }
    let given = (0..<2000).map { sources[$0 % 4].next(.note) }
    #expect(Set(given).count == 2000)
    let requests = (0..<400).map { sources[$0 % 4].next(.request) }
    #expect(Set(requests).count == 400)
  }

  @Test("continue after those of existing records")
  func least() {
    let identifiers = JournalIdentifiers(journal)
    #expect(identifiers.next(.person, from: 501) == 501)
    #expect(identifiers.next(.person, from: 502) > 501)
    #expect(JournalIdentifiers(journal).next(.person) > 501)
  }
}
