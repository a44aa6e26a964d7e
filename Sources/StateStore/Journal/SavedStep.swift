import PrimereplFoundation
import Synchronization

/// An action that was read from a journal, with its changes: both are decoded when somebody needs them.
final class SavedStep: Sendable {
  private enum Source: Sendable {
    case entry(SavedEntry)
    /// The entry with a number, which is loaded when somebody needs it.
    case page(SavedPage, number: Int)
  }

  private let source: Source
  private let coding: SessionCoding
  private let found = Mutex<StoreAction?>(nil)

  init(_ entry: SavedEntry, _ coding: SessionCoding) {
    (source, self.coding) = (.entry(entry), coding)
  }

  fileprivate init(_ number: Int, of page: SavedPage, _ coding: SessionCoding) {
    (source, self.coding) = (.page(page, number: number), coding)
  }

  /// Throws if the entry can't be loaded any more.
  var entry: SavedEntry {
    get throws {
      switch source {
      case .entry(let entry): entry
      case .page(let page, let number): try page.entry(number)
      }
    }
  }

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
    found.withLock { found in
      if let found { return found }
      do {
        let action = coding.action(of: try entry)
        found = action
        return action
      } catch {
        // Another time it may be there.
        return coding.action(of: shownEntry)
      }
    }
  }

  var partCount: Int { action.parts.count }

  func changes(ofPart part: Int? = nil) throws -> [Change] {
    let parts = try coding.parts(of: try entry)
    guard let part else { return parts.flatMap(\.self) }
    return parts.indices.contains(part) ? parts[part] : []
  }

  func apply(to states: inout States, part: Int?, isUndone: Bool) throws {
    let changes = try changes(ofPart: part)
    do {
      try coding.schema.apply(changes, to: &states, isUndone: isUndone)
    } catch let error where !(error is ChangeError) {
      // A value isn't of its type any more.
      throw ChangeError.unreadable(try entry.number, DocumentError(describing: error))
    }
  }
}

/// Entries that were left out when a session was loaded: all are loaded when somebody needs one.
final class SavedPage: Sendable {
  private let coding: SessionCoding
  private let load: @Sendable () throws -> [SavedEntry]
  private let entries = Mutex<[SavedEntry]?>(nil)
  /// The steps that somebody has needed, by the numbers of their actions.
  private let steps = Mutex<[Int: SavedStep]>([:])

  init(_ coding: SessionCoding, load: @escaping @Sendable () throws -> [SavedEntry]) {
    (self.coding, self.load) = (coding, load)
  }

  func step(_ number: Int) -> SavedStep {
    steps.withLock { steps in
      if let step = steps[number] { return step }
      let step = SavedStep(number, of: self, coding)
      steps[number] = step
      return step
    }
  }

  fileprivate func entry(_ number: Int) throws -> SavedEntry {
    let loaded = try entries.withLock { entries in
      if let entries { return entries }
      let loaded = try load()
      entries = loaded
      return loaded
    }
    let index = number - (loaded.first?.number ?? number)
    guard loaded.indices.contains(index), loaded[index].number == number else {
      throw StoreError.historyChanged(number)
    }
    return loaded[index]
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
