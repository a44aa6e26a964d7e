import Synchronization

/// Identifiers that a journal reserves, so that no two processes get the same one.
///
/// They are reserved in blocks, each twice as large as the one before: adding one record leaves no gaps, and adding a
/// thousand records takes about ten writes. While the journal fails, counting continues after the last identifier. A
/// record added then may have the same identifier as a record of another process, which is reported when it is found.
public final class JournalIdentifiers: IdentifierSource {
  private struct Block {
    var next = 1
    var end = 1
    var size = 1
  }

  private let journal: any Journal
  private let blocks = Mutex<[IdentifierKind: Block]>([:])

  private static let maximumSize = 1024
  /// Only imported records have greater identifiers; after them, the free identifiers are counted from 1.
  private static let maximumStart = 1 << 62

  /// Makes a source for a journal.
  public init(_ journal: any Journal) {
    self.journal = journal
    // Request identifiers must differ between processes, but are never shown: each process starts at a random one.
    let first = Int.random(in: 1...(1 << 52))
    blocks.withLock { $0[.request] = Block(next: first, end: .max) }
  }

  /// The next identifier of a kind.
  public func next(_ kind: IdentifierKind, from least: Int) -> Int {
    let least = least <= Self.maximumStart ? least : 1
    return blocks.withLock { blocks in
      var block = blocks[kind] ?? Block()
      defer { blocks[kind] = block }
      if block.next >= block.end || block.end <= least {
        block = reserve(kind, after: block, least)
      }
      block.next = max(block.next, kind == .request ? 1 : least)
      defer { block.next += 1 }
      return block.next
    }
  }

  private func reserve(_ kind: IdentifierKind, after block: Block, _ least: Int) -> Block {
    do {
      let range = try journal.reserveIdentifiers(block.size, of: kind, from: least)
      return Block(
        next: range.lowerBound, end: range.upperBound + 1,
        size: min(2 * block.size, Self.maximumSize))
    } catch {
      // A record can't be added without an identifier; the next save reports what is wrong with the journal.
      let next = max(block.next, least)
      if (error as? JournalError)?.kind == .busy {
        return Block(next: next, end: next + 1, size: block.size)
      }
      // The failure will last a while, and each attempt takes long: continue for a whole block.
      return Block(
        next: next, end: next + block.size, size: min(2 * block.size, Self.maximumSize))
    }
  }
}
