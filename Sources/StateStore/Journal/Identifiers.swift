import Synchronization

/// The kind of thing that an identifier is for; each kind has its own sequence.
///
/// A journal knows the kinds by their names. Users see and type the ids of records, so neither other kinds of records
/// nor requests, whose ids are never shown, use them up.
public struct IdentifierKind: Hashable, Sendable {
  /// The name in snake case.
  public let name: String

  /// Makes a kind.
  public init(_ name: String) { self.name = name }

  /// A request; its identifier distinguishes its answer from the answers to other requests.
  public static let request = IdentifierKind("request")
}

/// Hands out identifiers, each only once.
public protocol IdentifierSource: Sendable {
  /// The next identifier of a kind; it and all later ones are at least `least`.
  func next(_ kind: IdentifierKind, from least: Int) -> Int
}

extension IdentifierSource {
  /// The next identifier of a kind.
  public func next(_ kind: IdentifierKind) -> Int { next(kind, from: 1) }

  /// The next identifier of a kind that no other record has or had.
  ///
  /// It comes after the highest identifier of any record: a restored store has records with identifiers of other
  /// sources.
  ///
  /// - Parameters:
  ///   - kind: The kind of identifier.
  ///   - last: The highest identifier of a record so far.
  ///   - isTaken: Whether a record has an identifier. After the maximum integer, only identifiers that were used
  ///     before are left.
  /// - Returns: The identifier.
  public func next(_ kind: IdentifierKind, after last: Int, unless isTaken: (Int) -> Bool) -> Int {
    var id = next(kind, from: last == .max ? 1 : last + 1)
    while isTaken(id) { id = next(kind) }
    return id
  }
}

/// Identifiers that count from 1, separately for each kind.
public final class SequentialIdentifiers: IdentifierSource {
  private let next = Mutex<[IdentifierKind: Int]>([:])

  /// Makes a source whose first identifier of each kind is 1.
  public init() {}

  /// The next identifier of a kind.
  public func next(_ kind: IdentifierKind, from least: Int) -> Int {
    next.withLock { next in
      let id = max(next[kind] ?? 1, least)
      // After the maximum integer, only 1 can follow, which may have become free.
      next[kind] = id == .max ? 1 : id + 1
      return id
    }
  }
}

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
      if block.next >= block.end || block.end <= least { block = take(kind, after: block, least) }
      block.next = max(block.next, kind == .request ? 1 : least)
      defer { block.next += 1 }
      return block.next
    }
  }

  private func take(_ kind: IdentifierKind, after block: Block, _ least: Int) -> Block {
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
