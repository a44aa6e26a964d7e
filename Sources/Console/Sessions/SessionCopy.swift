import PrimereplPlatform
import StateStore

/// A copy of a session in another place: from a file to a server, the other way round, or between two of a kind.
struct SessionCopy {
  let console: Console
  let source: String
  let target: String

  /// Copies the session with its history, as far as a process remembers it.
  ///
  /// - Returns: The number of actions in the history.
  /// - Throws: `CommandError` if there is no session to copy, or the target has one or is open; `JournalError`.
  func run() throws -> Int {
    // Opening it would create it.
    let exists =
      if let server = try console.server(at: source) {
        try server.sessions().contains { $0.name == server.session }
      } else { FileSystem.kind(of: source) == .file }
    guard exists else { throw missingSource }
    let schema = try console.schema.get()
    let from = try console.journal(at: source, schema)
    let session = try from.load()
    guard session.point.sequence > 0 || !session.entries.isEmpty || !session.state.isEmpty else {
      throw missingSource
    }
    let to = try console.journal(at: target, schema)
    let found = try to.load()
    guard found.point.sequence == 0, found.entries.isEmpty, found.state.isEmpty else {
      throw occupiedTarget
    }
    // Its process wouldn't notice that it has another history now.
    guard !to.isOpenElsewhere else {
      throw refusal(target, "somebody has this session open; name another file or session")
    }
    for kind in schema.recordKinds { try reserveIdentifiers(of: kind, in: to, asIn: from) }
    var whole = session
    if let numbers = session.omittedNumbers {
      whole.entries = try from.entries(numbers, at: session.point) + session.entries
    }
    guard case .saved = try to.exchange(SessionWrite(copying: whole), after: found.point) else {
      throw occupiedTarget
    }
    return whole.entries.count
  }

  /// Reserves the identifiers that a session has used, so that its copy doesn't use those of removed records again.
  private func reserveIdentifiers(
    of kind: IdentifierKind, in copy: any Journal, asIn original: any Journal
  ) throws {
    let next: Int
    do {
      next = try original.reserveIdentifiers(1, of: kind).lowerBound
    } catch let error as JournalError where error.kind == .unwritable {
      // It can only be read: the identifiers of the copy continue after those of its records.
      return
    }
    if next > 1 { _ = try copy.reserveIdentifiers(next - 1, of: kind) }
  }

  private var missingSource: CommandError { refusal(source, "there is no session to copy") }

  private var occupiedTarget: CommandError {
    refusal(target, "already has a session; name another file or session")
  }

  private func refusal(_ place: String, _ text: String) -> CommandError {
    let server = console.servers.first { $0.recognizes(place) }
    let shown = server?.withoutPassword(place) ?? place
    return CommandError(description: "\(shown.printable(limit: 200)): \(text)")
  }
}
