package import StateStore

/// A journal that fails when a test wants it to, on one thread.
package final class FaultyJournal: Journal, @unchecked Sendable {
  /// The journal that works; another one in its place has lost the session.
  package var journal: any Journal
  /// Runs before each exchange, which its error prevents.
  package var willExchange: () throws -> Void = {}
  /// Runs after each exchange; its error takes the place of the reply.
  package var didExchange: () throws -> Void = {}

  package init(_ journal: any Journal) { self.journal = journal }

  package var author: String? { journal.author }
  package var isOpenElsewhere: Bool { journal.isOpenElsewhere }

  package func load() throws -> SavedSession { try journal.load() }

  package func entries(
    _ numbers: ClosedRange<Int>, at point: JournalPoint
  ) throws -> [SavedEntry] {
    try journal.entries(numbers, at: point)
  }

  package func exchange(
    _ write: SessionWrite?, after point: JournalPoint
  ) throws -> JournalReply {
    try willExchange()
    let reply = try journal.exchange(write, after: point)
    try didExchange()
    return reply
  }

  package func restore(_ write: SessionWrite, at point: JournalPoint) throws {
    try journal.restore(write, at: point)
  }

  package func reserveIdentifiers(
    _ count: Int, of kind: IdentifierKind
  ) throws -> ClosedRange<Int> {
    try journal.reserveIdentifiers(count, of: kind)
  }
}
