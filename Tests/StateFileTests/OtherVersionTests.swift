import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

/// The feature as the files have it.
private enum Old: Feature {
  struct State: Codable, Equatable, Sendable { var title = "" }
  enum Action: Codable, Equatable, Sendable { case rename(String) }

  static let name = "notes"
  static var initial: State { State() }
  static let fields: [Field<Old>] = [.value("title", \.title)]

  static func reduce(_ state: inout State, _ action: Action) {
    if case .rename(let title) = action { state.title = title }
  }
}

/// Version 2, whose title is a number.
private enum Migrating: Feature {
  struct State: Codable, Equatable, Sendable { var title = 0 }
  enum Action: Codable, Equatable, Sendable { case rename(Int) }

  static let name = "notes"
  static var initial: State { State() }
  static let fields: [Field<Migrating>] = [.value("title", \.title)]
  static var version: Int { 2 }

  static func reduce(_ state: inout State, _ action: Action) {
    if case .rename(let title) = action { state.title = title }
  }

  static func migrate(_ state: inout JSONValue, from version: Int) {
    guard case .text(let title)? = state["title"] else { return }
    state["title"] = Int(title).map { JSONValue.integer($0) }
  }
}

@Suite("A session of another version")
struct OtherVersionTests {
  private let file: SQLiteFile

  /// Writes the file as the old version does.
  init() throws {
    file = try SQLiteFile()
    let session = try session(Old.self)
    for title in ["5", "7"] { try session.store.send(.rename(title), to: Old.self) }
    try session.save()
  }

  private func session(_ feature: any Feature.Type) throws -> JournaledSession {
    try file.session(StoreSchema(features: [feature]))
  }

  @Test("notes a conversion as an action, before which nothing is undone")
  func migrationInHistory() throws {
    for round in 1...2 {
      let session = try session(Migrating.self)
      let store = session.store
      if round == 1 { try store.send(.rename(8), to: Migrating.self) }
      #expect(store.reachable == 3...4)
      #expect(try store.history().map(\.recorded.number) == [3, 4])
      #expect(code { try store.undo(2) } == "nothing_to_undo")
      #expect(code { try store.jump(to: 2) } == "out_of_history")
      try store.undo()
      #expect(store.state(of: Migrating.self).title == 7)
      try store.redo()
      try session.save()
    }
    #expect(
      try file.rows("SELECT number, action FROM history WHERE number = 3")
        == [["3", #"{"migration":["notes"]}"#]])
  }

  @Test("is converted once by two processes that open it together")
  func migratedTwice() throws {
    let (first, second) = (try session(Migrating.self), try session(Migrating.self))
    try second.store.send(.rename(9), to: Migrating.self)
    try first.save()
    try second.save()
    try first.reload()
    for session in [first, second, try session(Migrating.self)] {
      #expect(session.store.state(of: Migrating.self).title == 9)
      #expect(session.store.reachable == 3...4)
    }
  }

  @Test("keeps what isn't saved if it is converted by another process meanwhile")
  func migratedMeanwhile() throws {
    let old = try session(Old.self)
    try old.store.send(.rename("8"), to: Old.self)
    try session(Migrating.self).save()
    for _ in 1...2 {
      #expect(code { try old.save() } == "other_version")
      #expect(old.hasUnsavedEntries)
      #expect(old.store.state(of: Old.self).title == "8")
    }
    #expect(try session(Migrating.self).store.state(of: Migrating.self).title == 7)
  }
}
