import PrimereplFoundation
package import StateStore
import Synchronization

/// A journal that lasts as long as the process.
package final class InMemoryJournal: Journal {
  fileprivate struct Contents {
    var session: SavedSession
    /// The writes, by their numbers from 1; and the number of the write with each entry.
    var writes: [UUID] = []
    var sequences: [Int] = []
    var nextIdentifiers: [IdentifierKind: Int] = [:]
  }

  private let contents = Mutex(
    Contents(
      session: SavedSession(
        point: .beginning(of: UUID()), state: SavedState(), entries: [],
        extent: HistoryExtent())))

  package init() {}

  package func load() -> SavedSession { contents.withLock(\.session) }

  package func exchange(_ write: SessionWrite?, after point: JournalPoint) throws -> JournalReply {
    try contents.withLock { contents in
      let last = contents.session.point
      guard point.session == last.session else { throw JournalError.lost("the session") }
      if let write, let index = contents.writes.firstIndex(of: write.id) {
        return .saved(
          JournalPoint(session: point.session, sequence: index + 1, write: write.id))
      }
      if point == last {
        if let write { try contents.apply(write) }
        return .saved(contents.session.point)
      }
      let hasPoint =
        point.sequence == 0
        || contents.writes.indices.contains(point.sequence - 1)
          && contents.writes[point.sequence - 1] == point.write
      guard hasPoint else { return .outdated(isRestored: true) }
      let start = contents.sequences.firstIndex { $0 > point.sequence }
      return .news(
        SessionNews(
          point: last, entries: start.map { Array(contents.session.entries[$0...]) } ?? [],
          extent: contents.session.extent))
    }
  }

  package func restore(_ write: SessionWrite, at point: JournalPoint) throws {
    try contents.withLock { contents in
      contents.session = SavedSession(
        point: .beginning(of: point.session), state: SavedState(), entries: [],
        extent: HistoryExtent())
      (contents.writes, contents.sequences) = ([], [])
      try contents.apply(write)
      contents.session.point = point
      contents.writes =
        Array(repeating: point.session, count: max(0, point.sequence - 1)) + [point.write]
    }
  }

  package func reserveIdentifiers(
    _ count: Int, of kind: IdentifierKind
  ) throws -> ClosedRange<Int> {
    contents.withLock { contents in
      let first = contents.nextIdentifiers[kind, default: 1]
      contents.nextIdentifiers[kind] = first + count
      return first...(first + count - 1)
    }
  }

  /// True, because its users don't close it.
  package var isOpenElsewhere: Bool { true }
}

extension InMemoryJournal.Contents {
  fileprivate mutating func apply(_ write: SessionWrite) throws {
    var session = session
    let kept = session.entries.prefix { $0.number <= write.common }
    let forgotten = kept.count { $0.number < write.extent.first }
    session.entries = kept.dropFirst(forgotten) + write.entries
    session.extent = write.extent
    if write.replacesState { session.state = SavedState() }
    for change in write.changes { try session.state.apply(change) }
    writes.append(write.id)
    session.point = JournalPoint(
      session: session.point.session, sequence: session.point.sequence + 1, write: write.id)
    sequences =
      Array(sequences.prefix(kept.count).dropFirst(forgotten))
      + Array(repeating: session.point.sequence, count: write.entries.count)
    self.session = session
  }
}

extension SavedState {
  /// Applies a change of a field.
  ///
  /// - Throws: `DocumentError` if the list isn't as it was before the change.
  fileprivate mutating func apply(_ change: FieldChange) throws(DocumentError) {
    switch change.change {
    case .value(let new, _): values[change.path] = new.savedJSON
    case .list(.replaced(_, let new)): lists[change.path] = new.map(\.savedJSON)
    case .list(.edits(let edits)):
      var list = lists[change.path] ?? []
      for edit in edits {
        switch edit {
        case .inserted(let position, let element) where position <= list.count:
          list.insert(element.savedJSON, at: position)
        case .removed(let position, _) where position < list.count: list.remove(at: position)
        case .changed(let position, _, let element) where position < list.count:
          list[position] = element.savedJSON
        default: throw DocumentError(change.path, "it has no such record")
        }
      }
      lists[change.path] = list
    }
  }
}
