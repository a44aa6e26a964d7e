import Synchronization

/// What an identifier is for; each kind is counted by itself.
///
/// Journals know the kinds by their names. People see and type the ids of records, so neither other records nor requests,
/// which nobody sees, use them up.
public struct IdentifierKind: Hashable, Sendable {
  /// The name in snake case.
  public let name: String

  /// Makes a kind.
  public init(_ name: String) { self.name = name }

  /// A request whose answer is told from those of others.
  public static let request = IdentifierKind("request")
}

/// Gives identifiers, none of them twice.
public protocol IdentifierSource: Sendable {
  /// The next identifier of a kind.
  ///
  /// - Parameters:
  ///   - kind: What the identifier is for.
  ///   - least: The identifier and all after it are at least this.
  /// - Returns: The identifier.
  func next(_ kind: IdentifierKind, from least: Int) -> Int
}

extension IdentifierSource {
  /// The next identifier of a kind.
  public func next(_ kind: IdentifierKind) -> Int { next(kind, from: 1) }

  /// The next identifier of a kind after all that records had, so that it is that of no other record, past or present.
  ///
  /// A store that was restored had records whose identifiers this source never gave.
  ///
  /// - Parameters:
  ///   - kind: What the identifier is for.
  ///   - last: The greatest identifier that a record had.
  ///   - isTaken: Whether a record has an identifier: after the greatest integer there are only such as were used before.
  /// - Returns: The identifier.
  public func next(_ kind: IdentifierKind, after last: Int, unless isTaken: (Int) -> Bool) -> Int {
    var id = next(kind, from: last == .max ? 1 : last + 1)
    while isTaken(id) { id = next(kind) }
    return id
  }
}

/// Identifiers that count from 1, for each kind.
public final class SequentialIdentifiers: IdentifierSource {
  private let next = Mutex<[IdentifierKind: Int]>([:])

  /// Makes a source whose first identifier of each kind is 1.
  public init() {}

  /// The next identifier of a kind.
  public func next(_ kind: IdentifierKind, from least: Int) -> Int {
    next.withLock { next in
      let id = max(next[kind] ?? 1, least)
      // After the greatest there is none but the first, which may have become free.
      next[kind] = id == .max ? 1 : id + 1
      return id
    }
  }
}

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
