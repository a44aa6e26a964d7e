import Foundation

@testable import Domain
@testable import StateStore

/// An implementation of journals, for what all of them have to do.
enum JournalKind: String, CaseIterable, Sendable {
  case inMemory, sqlite

  /// A new place for a journal.
  func makePlace() throws -> any Place {
    switch self {
    case .inMemory: InMemoryPlace()
    case .sqlite: try SQLitePlace()
    }
  }

  /// Where a journal is kept.
  protocol Place {
    /// The same journal as another process opens it.
    func open() throws -> any Journal
  }

  private struct InMemoryPlace: Place {
    private let journal = InMemoryJournal()
    func open() -> any Journal { journal }
  }

  private struct SQLitePlace: Place {
    private let file: SQLiteFile
    init() throws { file = try SQLiteFile() }
    func open() throws -> any Journal { try file.open() }
  }
}
