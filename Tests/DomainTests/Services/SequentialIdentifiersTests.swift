import Testing

@testable import Domain
@testable import StateStore

@Suite("Sequential identifiers")
struct SequentialIdentifiersTests {
  private static let kinds: [IdentifierKind] = [.todoItem, .person, .request]

  @Test("each kind counts from 1 by itself", arguments: kinds)
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
