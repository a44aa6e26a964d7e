import Synchronization

/// Identifiers that are given by a journal, so that no two processes give the same one.
///
/// They are taken in blocks, each twice as large as the one before: who adds one record leaves no gaps, and who adds a
/// thousand doesn't ask a thousand times. While the journal can't be asked, they go on after the last; what was added then
/// may meet a record of another process with the same identifier, and is told of when that comes out.
public final class JournalIdentifiers: IdentifierSource {
  private struct Block {
    var next = 1
    var end = 1
    var size = 1
  }

  private let journal: any Journal
  private let blocks = Mutex<[IdentifierKind: Block]>([:])

  /// The largest block.
  private static let maximumSize = 1024
  /// After greater identifiers, which only records of other origin have, those count from 1 that are free.
  private static let greatestLeast = 1 << 62

  /// Makes a source that asks a journal.
  public init(_ journal: any Journal) {
    self.journal = journal
    // Requests are told apart by processes, but nobody sees them: no two begin in the same place.
    let first = Int.random(in: 1...(1 << 52))
    blocks.withLock { $0[.request] = Block(next: first, end: .max) }
  }

  /// The next identifier of a kind.
  public func next(_ kind: IdentifierKind, from least: Int) -> Int {
    let least = least <= Self.greatestLeast ? least : 1
    return blocks.withLock { blocks in
      var block = blocks[kind] ?? Block()
      defer { blocks[kind] = block }
      if block.next >= block.end || block.end <= least { block = take(kind, after: block, least) }
      block.next = max(block.next, kind == .request ? 1 : least)
      defer { block.next += 1 }
      return block.next
    }
  }

  private func take(_ kind: IdentifierKind, after block: Block, _ least: Int) -> Block {
    do {
      var range = try journal.reserveIdentifiers(block.size, of: kind)
      if range.upperBound < least {
        // There are records with identifiers that the journal didn't give.
        range = try journal.reserveIdentifiers(least - range.upperBound, of: kind)
      }
      return Block(
        next: range.lowerBound, end: range.upperBound + 1,
        size: min(2 * block.size, Self.maximumSize))
    } catch {
      // A record that can't be named can't be added; the next save tells what is wrong with the journal.
      let next = max(block.next, least)
      if (error as? JournalError)?.kind == .busy {
        return Block(next: next, end: next + 1, size: block.size)
      }
      // It will be so for a while, and asking takes long.
      return Block(
        next: next, end: next + block.size, size: min(2 * block.size, Self.maximumSize))
    }
  }
}
