import PrimereplFoundation
import Synchronization

/// An action that was read from a journal, with its changes: both are decoded when somebody needs them.
struct SavedStep: Sendable {
  let page: SavedPage
  let number: Int

  /// Throws if the entry can't be loaded any more.
  var entry: SavedEntry { get throws { try page.entry(number) } }

  /// The entry; one that says why if it can't be loaded any more.
  var shownEntry: SavedEntry {
    do {
      return try entry
    } catch {
      return SavedEntry(
        number: 0, time: Date(timeIntervalSinceReferenceDate: 0), author: nil,
        text: "-- \(error.userMessage)", action: "", changes: "[]")
    }
  }

  /// The action; an ``UnknownAction`` if the program doesn't have it any more.
  var action: StoreAction {
    do {
      return try page.action(number)
    } catch {
      // Another time it may be there.
      return page.coding.action(of: shownEntry)
    }
  }

  var partCount: Int { action.parts.count }

  func changes(ofPart part: Int? = nil) throws -> [Change] {
    let parts = try page.coding.parts(of: try entry)
    guard let part else { return parts.flatMap(\.self) }
    return parts.indices.contains(part) ? parts[part] : []
  }

  func apply(to states: inout States, part: Int?, isUndone: Bool) throws {
    let changes = try changes(ofPart: part)
    do {
      try page.coding.schema.apply(changes, to: &states, isUndone: isUndone)
    } catch let error where !(error is ChangeError) {
      // A value isn't of its type any more.
      throw ChangeError.unreadable(number, DocumentError(describing: error))
    }
  }
}

/// Successive entries of a journal, in one object for all: they are loaded when somebody needs one.
final class SavedPage: Sendable {
  private struct Contents {
    var entries: [SavedEntry]?
    /// The actions that somebody has needed, by their numbers.
    var actions: [Int: StoreAction] = [:]
  }

  fileprivate let coding: SessionCoding
  private let load: @Sendable () throws -> [SavedEntry]
  private let contents = Mutex(Contents())

  init(_ coding: SessionCoding, load: @escaping @Sendable () throws -> [SavedEntry]) {
    (self.coding, self.load) = (coding, load)
  }

  fileprivate func entry(_ number: Int) throws -> SavedEntry {
    try contents.withLock { try entry(number, &$0) }
  }

  fileprivate func action(_ number: Int) throws -> StoreAction {
    try contents.withLock { contents in
      if let action = contents.actions[number] { return action }
      let action = coding.action(of: try entry(number, &contents))
      contents.actions[number] = action
      return action
    }
  }

  private func entry(_ number: Int, _ contents: inout Contents) throws -> SavedEntry {
    let entries = try contents.entries ?? load()
    contents.entries = entries
    let index = number - (entries.first?.number ?? number)
    guard entries.indices.contains(index), entries[index].number == number else {
      throw StoreError.historyChanged(number)
    }
    return entries[index]
  }
}

extension StoreError {
  fileprivate static func historyChanged(_ number: Int) -> Self {
    Self(
      "history_changed",
      "Action \(number) isn't in the session's history any more: another process has replaced it, or it was lost."
    )
  }
}

/// The form of actions and their changes in all journals.
final class SessionCoding: Sendable {
  let schema: StoreSchema
  // Locked by each use.
  private let decoder: JSONDecoder

  init(_ schema: StoreSchema) {
    self.schema = schema
    decoder = StateCoding.decoder(for: schema)
  }

  // MARK: - Encoding

  /// The saved form of an action of a history.
  ///
  /// - Throws: `DocumentError` for a number that JSON can't represent.
  func entry(
    _ number: Int, of history: UndoHistory, describing text: (StoreAction) -> String,
    adding parts: UnknownParts, _ encoded: EncodedActions = EncodedActions()
  ) throws -> SavedEntry {
    if let entry = try history.savedEntry(number) { return entry }
    let recorded = history.recorded(number)
    let form = try encoded.form(of: recorded.action) {
      (text(recorded.action), try json(of: recorded.action))
    }
    return SavedEntry(
      number: number, time: recorded.time, author: recorded.author, text: form.text,
      action: form.json, changes: try json(ofChangesBy: history.delta(of: number), parts))
  }

  private func json(of action: StoreAction) throws(DocumentError) -> String {
    do {
      return try action.savedJSON()
    } catch {
      throw DocumentError(encoding: error)
    }
  }

  /// A list of changes, or of one such list for each action of a group.
  private func json(ofChangesBy delta: StateDelta, _ unknown: UnknownParts) throws -> String {
    func json(_ delta: StateDelta) throws -> String {
      try Self.json(of: schema.changes(by: delta).map(unknown.added))
    }
    let parts = delta.parts
    guard parts.count > 1 else { return try json(delta) }
    return "[\(try parts.map(json).joined(separator: ","))]"
  }

  private static func json(of changes: [Change]) -> String {
    "[\(changes.map(\.savedJSON).joined(separator: ","))]"
  }

  // MARK: - Decoding

  fileprivate func action(of entry: SavedEntry) -> StoreAction {
    let json = Data(entry.action.utf8)
    do {
      let action = try decoder.decode(StoreAction.self, from: json)
      guard case .feature(let box as UnknownAction, _) = action.kind else { return action }
      return StoreAction(
        .feature(UnknownAction(box.json, of: box.name, text: entry.text), at: nil))
    } catch {
      // The program has changed since: the action's text says what was done.
      return StoreAction(.feature(unknownAction(of: entry), at: nil))
    }
  }

  private func unknownAction(of entry: SavedEntry) -> UnknownAction {
    do {
      let json = try JSONValue(text: entry.action)
      let feature: String? = if case .text(let name) = json["feature"] { name } else { nil }
      return UnknownAction(json["action"] ?? .null, of: feature ?? "store", text: entry.text)
    } catch {
      return UnknownAction(.text(entry.action), of: "store", text: entry.text)
    }
  }

  fileprivate func parts(of entry: SavedEntry) throws -> [[Change]] {
    func changes(_ json: JSONValue) throws -> [Change] {
      guard case .list(let elements) = json else { return [try Change(json)] }
      return try elements.map { try Change($0) }
    }
    do {
      guard case .list(let parts) = try JSONValue(text: entry.changes) else {
        throw DocumentError([], "it isn't a list")
      }
      let isGroup = parts.contains { if case .list = $0 { true } else { false } }
      return isGroup ? try parts.map(changes) : [try changes(.list(parts))]
    } catch {
      throw ChangeError.unreadable(
        entry.number, DocumentError(describing: error, in: Data(entry.changes.utf8)))
    }
  }
}

/// The saved forms of actions that weren't saved yet: those that are sent again, or saved again on top of those of others,
/// are encoded once.
final class EncodedActions {
  typealias Form = (text: String, json: String)

  // With the actions, as those that are released leave their identifiers to others.
  private var forms: [ObjectIdentifier: (action: any FeatureActionBox, form: Form)] = [:]

  func form(of action: StoreAction, encode: () throws -> Form) rethrows -> Form {
    guard case .feature(let box, _) = action.kind else { return try encode() }
    if let known = forms[ObjectIdentifier(box)] { return known.form }
    let form = try encode()
    forms[ObjectIdentifier(box)] = (box, form)
    return form
  }
}

extension RequestState {
  /// The value that its coding encodes, with the members in the order of their names.
  var stateValue: StateValue {
    var members: [StateValue.Member] = []
    if pending.count > 1 {
      members.append(
        .init(name: "earlier", value: .list(pending.dropLast().map { .integer($0) })))
    }
    if let error { members.append(.init(name: "error", value: .text(error))) }
    if let latest = pending.last { members.append(.init(name: "pending", value: .integer(latest))) }
    return .record(members)
  }
}

extension ChangeError {
  fileprivate static func unreadable(_ number: Int, _ problem: DocumentError) -> Self {
    Self(
      "unreadable_change",
      "What action \(number) changed can't be read: \(problem.message). It can't be undone.")
  }
}
