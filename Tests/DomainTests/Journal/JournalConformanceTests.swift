import Foundation
import Testing

@testable import Domain
@testable import StateStore

/// The behaviour of every journal: each is written and then reopened, which shows what it kept.
@Suite("A journal of any kind", .serialized)
struct JournalConformanceTests {
  @Test("is empty at first", arguments: JournalKind.allCases)
  func empty(kind: JournalKind) throws {
    let place = try kind.makePlace()
    defer { withExtendedLifetime(place) {} }
    #expect(try place.open().load() == JournalContents(checkpoint: nil, entries: []))
    #expect(try place.open().changes(since: 0) == [])
  }

  @Test("keeps what is appended, in order", arguments: JournalKind.allCases)
  func append(kind: JournalKind) throws {
    let place = try kind.makePlace()
    defer { withExtendedLifetime(place) {} }
    let entries = (1...5).map { JournalEntry.numbered($0, count: $0) }
    let journal = try place.open()
    #expect(try journal.append(Array(entries[..<3]), expecting: 0) == 3)
    #expect(try journal.append(Array(entries[3...]), expecting: 3) == 5)
    #expect(try journal.load().entries == entries)
    #expect(try place.open().load() == JournalContents(checkpoint: nil, entries: entries))
  }

  @Test(
    "refuses entries that don't follow the last one",
    arguments: JournalKind.allCases
  )
  func conflict(kind: JournalKind) throws {
    let place = try kind.makePlace()
    defer { withExtendedLifetime(place) {} }
    let journal = try place.open()
    try journal.append([.numbered(1), .numbered(2)], expecting: 0)
    let kept = try journal.load()
    for head in [0, 1, 3] {
      #expect(throws: JournalError.conflict(head: 2)) {
        try journal.append([.numbered(3)], expecting: head)
      }
    }
    #expect(try place.open().load() == kept)
  }

  @Test("adds all entries of a batch or none", arguments: JournalKind.allCases)
  func atomicity(kind: JournalKind) async throws {
    let place = try kind.makePlace()
    defer { withExtendedLifetime(place) {} }
    let journals = try (0..<4).map { _ in try place.open() }
    try await withThrowingTaskGroup { group in
      for (number, journal) in journals.enumerated() {
        group.addTask {
          try Self.appendBatches(to: journal, number: number + 1)
        }
      }
      try await group.waitForAll()
    }
    let entries = try place.open().load().entries
    #expect(entries.count == 4 * 10 * 5)
    for start in stride(from: 0, to: entries.count, by: 5) {
      #expect(Set(entries[start..<start + 5].map(\.writer)).count == 1)
    }
  }

  private static func appendBatches(to journal: any Journal, number: Int) throws {
    var head = 0
    for _ in 0..<10 {
      let batch = Array(repeating: JournalEntry.numbered(number), count: 5)
        .map { _ in JournalEntry.numbered(number, writer: UUID(number)) }
      while true {
        do {
          head = try journal.append(batch, expecting: head)
          break
        } catch let error as JournalError where error.kind == .conflict {
          head = try journal.load().head
        }
      }
    }
  }

  @Test("returns the entries after a number", arguments: JournalKind.allCases)
  func changes(kind: JournalKind) throws {
    let place = try kind.makePlace()
    defer { withExtendedLifetime(place) {} }
    let (one, other) = (try place.open(), try place.open())
    let entries = (1...4).map { JournalEntry.numbered($0) }
    try one.append(entries, expecting: 0)
    for head in 0...4 {
      #expect(try other.changes(since: head) == Array(entries[head...]))
    }
  }

  @Test("lets several write in turn", arguments: JournalKind.allCases)
  func writers(kind: JournalKind) throws {
    let place = try kind.makePlace()
    defer { withExtendedLifetime(place) {} }
    let journals = try (0..<3).map { _ in try place.open() }
    let entries = (0..<12).map { JournalEntry.numbered($0) }
    for (index, entry) in entries.enumerated() {
      try journals[index % 3].append([entry], expecting: index)
    }
    for journal in journals { #expect(try journal.load().entries == entries) }
  }

  @Test("has a checkpoint in place of the entries up to it", arguments: JournalKind.allCases)
  func checkpoint(kind: JournalKind) throws {
    let place = try kind.makePlace()
    defer { withExtendedLifetime(place) {} }
    let journal = try place.open()
    let entries = (1...5).map { JournalEntry.numbered($0) }
    try journal.append(entries, expecting: 0)
    let checkpoint = try JournalCheckpoint.sample(head: 3)
    try journal.checkpoint(checkpoint)
    let expected = JournalContents(checkpoint: checkpoint, entries: Array(entries[3...]))
    #expect(try journal.load() == expected)
    #expect(try place.open().load() == expected)
    #expect(try journal.append([.numbered(6)], expecting: 5) == 6)
    let last = try JournalCheckpoint.sample(head: 6)
    try journal.checkpoint(last)
    #expect(try place.open().load() == JournalContents(checkpoint: last, entries: []))
    #expect(try journal.append([.numbered(7)], expecting: 6) == 7)
    #expect(try journal.changes(since: 6).count == 1)
  }

  @Test("says that entries before the checkpoint are gone", arguments: JournalKind.allCases)
  func gone(kind: JournalKind) throws {
    let place = try kind.makePlace()
    defer { withExtendedLifetime(place) {} }
    let journal = try place.open()
    try journal.append((1...5).map { .numbered($0) }, expecting: 0)
    try journal.checkpoint(.sample(head: 3))
    #expect(throws: JournalError.gone(since: 2)) { try journal.changes(since: 2) }
    #expect(try journal.changes(since: 3).count == 2)
  }

  @Test("reports a number beyond its last entry", arguments: JournalKind.allCases)
  func unknown(kind: JournalKind) throws {
    let place = try kind.makePlace()
    defer { withExtendedLifetime(place) {} }
    let journal = try place.open()
    try journal.append([.numbered(1)], expecting: 0)
    #expect(throws: JournalError.gone(since: 2)) { try journal.changes(since: 2) }
  }

  @Test(
    "refuses a checkpoint of entries it doesn't have, or no longer has",
    arguments: JournalKind.allCases)
  func wrongCheckpoint(kind: JournalKind) throws {
    let place = try kind.makePlace()
    defer { withExtendedLifetime(place) {} }
    let journal = try place.open()
    try journal.append((1...5).map { .numbered($0) }, expecting: 0)
    try journal.checkpoint(.sample(head: 3))
    let kept = try journal.load()
    for head in [2, 6] {
      #expect(throws: JournalError.conflict(head: 5)) {
        try journal.checkpoint(.sample(head: head))
      }
    }
    #expect(try journal.load() == kept)
  }

  @Test("issues every identifier once, for each kind from 1", arguments: JournalKind.allCases)
  func identifiers(kind: JournalKind) throws {
    let place = try kind.makePlace()
    defer { withExtendedLifetime(place) {} }
    let (one, other) = (try place.open(), try place.open())
    #expect(try one.reserveIdentifiers(3, of: .person) == 1...3)
    #expect(try other.reserveIdentifiers(1, of: .person) == 4...4)
    #expect(try other.reserveIdentifiers(2, of: .todoItem) == 1...2)
    #expect(try place.open().reserveIdentifiers(10, of: .person) == 5...14)
  }

  @Test("issues every identifier once, to many at the same time", arguments: JournalKind.allCases)
  func identifiersForMany(kind: JournalKind) async throws {
    let place = try kind.makePlace()
    defer { withExtendedLifetime(place) {} }
    let journals = try (0..<4).map { _ in try place.open() }
    let given = try await withThrowingTaskGroup(of: [Int].self) { group in
      for journal in journals {
        group.addTask {
          try (1...25).flatMap { try Array(journal.reserveIdentifiers($0 % 3 + 1, of: .request)) }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(given.sorted() == Array(1...given.count))
  }

  @Test("keeps every kind of action and travel", arguments: JournalKind.allCases)
  func actions(kind: JournalKind) throws {
    let place = try kind.makePlace()
    defer { withExtendedLifetime(place) {} }
    var actions = RandomActions(seed: 1)
    let writer = UUID()
    let entries = (0..<3_000).map { number in
      JournalEntry(
        number % 50 == 0 ? .travel(to: number) : .action(actions.next()),
        time: Date(timeIntervalSince1970: Double(number)), writer: writer)
    }
    try place.open().append(entries, expecting: 0)
    let loaded = try place.open().load().entries
    #expect(loaded == entries)
  }
}

extension UUID {
  /// The same for the same number.
  fileprivate init(_ number: Int) {
    self.init(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
}
