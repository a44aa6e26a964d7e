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

/// The identifiers of the records that an action adds, in the order in which it adds them.
///
/// They are chosen when the action is first done, and belong to it from then on: repeated on top of other actions, it
/// gives its records the same ones.
@usableFromInline final class NewIdentifiers {
  private enum Origin {
    /// The action is done for the first time.
    case source(any IdentifierSource)
    /// The action is repeated, with the identifiers that belong to it.
    case recorded([Int])
  }

  private let origin: Origin
  /// The identifiers that earlier actions left.
  private(set) var unused: [IdentifierKind: [Int]] = [:]
  private(set) var chosen: [Int] = []
  /// The identifiers that the source gave.
  private(set) var taken: [(kind: IdentifierKind, id: Int)] = []

  /// The result of the action, for the script that sent it.
  var result: DeclaredResult?

  init(from source: any IdentifierSource, unused: [IdentifierKind: [Int]]) {
    (origin, self.unused) = (.source(source), unused)
  }

  init(repeating identifiers: [Int]) { origin = .recorded(identifiers) }

  var isRepeated: Bool { if case .recorded = origin { true } else { false } }

  /// An identifier that no other record has or had; see ``IdentifierSource/next(_:after:unless:)``.
  func next(
    _ kind: @autoclosure () -> IdentifierKind, after last: Int, unless isTaken: (Int) -> Bool
  ) -> Int {
    let id: Int
    switch origin {
    case .recorded(let identifiers):
      if chosen.count < identifiers.count, !isTaken(identifiers[chosen.count]) {
        id = identifiers[chosen.count]
      } else {
        // A reducer that adds more records now than when the action was first done.
        id = SequentialIdentifiers().next(kind(), after: last, unless: isTaken)
      }
    case .source(let source):
      let kind = kind()
      if let left = unused.take(kind, after: last, unless: isTaken) {
        id = left
      } else {
        id = source.next(kind, after: last, unless: isTaken)
        taken.append((kind, id))
      }
    }
    chosen.append(id)
    return id
  }
}

extension [IdentifierKind: [Int]] {
  /// Takes the first identifier of a kind that earlier actions left.
  ///
  /// - Returns: The identifier; nil if there is none, or if records have it or a higher one.
  mutating func take(
    _ kind: IdentifierKind, after last: Int, unless isTaken: (Int) -> Bool
  ) -> Int? {
    guard let first = self[kind]?.first else { return nil }
    self[kind]?.removeFirst()
    return first > last && !isTaken(first) ? first : nil
  }
}
