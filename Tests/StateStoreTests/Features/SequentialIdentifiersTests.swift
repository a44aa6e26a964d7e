import SampleFeatures
import Testing

@testable import StateStore

@Suite("Sequential identifiers")
struct SequentialIdentifiersTests {
  private static let kinds: [IdentifierKind] = [.note, .person, .request]

  @Test("each kind is counted separately, from 1", arguments: kinds)
  func counts(kind: IdentifierKind) {
    let identifiers = SequentialIdentifiers()
    for other in Self.kinds where other != kind { _ = identifiers.next(other) }
    #expect((1...3).map { _ in identifiers.next(kind) } == [1, 2, 3])
  }

  @Test("can continue from a given number")
  func goesOn() {
    let identifiers = SequentialIdentifiers()
    #expect(identifiers.next(.person, from: 10) == 10)
    #expect(identifiers.next(.person) == 11)
    #expect(identifiers.next(.person, from: 5) == 12)
    #expect(identifiers.next(.person, from: .max) == .max)
    #expect(identifiers.next(.person) == 1)
  }

  @Test("for records come after the greatest that a record had")
  func afterRecords() {
    let identifiers = SequentialIdentifiers()
    #expect(identifiers.next(.note, after: 100_000) { _ in false } == 100_001)
    #expect(identifiers.next(.note, after: 100_000) { _ in false } == 100_002)
    // After the greatest integer only lower ones are left.
    let taken: Set = [1, 2, Int.max]
    #expect(identifiers.next(.person, after: .max, unless: taken.contains) == 3)
  }

  @Test("none is issued twice")
  func unique() async {
    let identifiers = SequentialIdentifiers()
    let given = await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<8 {
        group.addTask { @concurrent in (0..<500).map { _ in identifiers.next(.person) } }
      }
      return await group.reduce(into: Set<Int>()) { $0.formUnion($1) }
    }
    #expect(given == Set(1...4000))
  }
}
