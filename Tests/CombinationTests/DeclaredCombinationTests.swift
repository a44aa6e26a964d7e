import Lua
import Scripting
import Testing
import TestSupport

@testable import StateStore

/// An app in a file of Lua, or one of its versions.
struct DeclaredVersion {
  let schema: StoreSchema
  let app: DeclaredApp
  private let folder: TemporaryFolder

  init(_ source: String) throws {
    folder = try TemporaryFolder()
    app = try DeclaredApp(files: [try folder.write(source, to: "app.lua")])
    schema = try StoreSchema(features: [], declared: app.features, derived: [])
    try app.connect(to: schema)
  }

  func open(_ place: JournalPlace) throws -> JournaledSession {
    try JournaledSession(schema, in: place.open(schema))
  }
}

/// Features that a file of Lua declares, in a session with scripts.
final class DeclaredSession {
  let check: SessionCheck
  private let version: DeclaredVersion
  private let state: LuaState
  private let scripted: ScriptedApp

  init(_ source: String, _ place: JournalPlace) throws {
    version = try DeclaredVersion(source)
    check = try SessionCheck(version.schema, place)
    state = try LuaState()
    scripted = try ScriptedApp(
      in: state, store: check.store, modules: version.app.modules,
      environment: ScriptEnvironment())
  }

  func run(_ code: String) async throws {
    _ = try await state.start(state.load(code, name: .text("test"))).value()
  }
}

@Suite("Every type that files of Lua declare")
struct DeclaredCombinationTests {
  @Test(
    "is saved, followed, reopened, undone and redone before and after that, exported and imported by every journal",
    arguments: DeclaredCase.allCases, JournalKind.available)
  func isKept(_ type: DeclaredCase, by journal: JournalKind) async throws {
    let session = try await DeclaredSession(type.declaration, JournalPlace(journal))
    for script in type.scripts {
      try await session.check.make(script) { try await session.run(script) }
    }
    try session.check.exportAndImport()
    try session.check.retrace()
  }

  @Test("is in one of the cases")
  func isComplete() throws {
    let version = try DeclaredVersion(DeclaredCase.allCases.map(\.declaration).joined())
    let kinds = version.app.features.flatMap {
      $0.fields.flatMap { DeclaredKind.kinds(of: $0.kind) }
    }
    #expect(Set(kinds) == Set(DeclaredKind.allCases))
  }
}

@Suite("An element of a set")
struct DeclaredSetChangeTests {
  private static let source = """
    feature "f" {
      state = { tags = set "string" },
      actions = {
        add = action { "tag: string", function(s, tag) s.tags:add(tag) end },
        replace = action { "old: string", "new: string", function(s, old, new) s.tags:remove(old) s.tags:add(new) end },
      },
    }
    """

  @Test("is what an action saves, however many there are")
  func savedChanges() async throws {
    let place = try await JournalPlace(.memory)
    let session = try DeclaredSession(Self.source, place)
    try await session.run("for i = 101, 300 do f.add('x' .. i) end f.replace('x200', 'y')")
    try session.check.session.save()
    let entries = try place.open(session.check.schema).load().entries
    #expect(entries[199].changes == #"[{"set":"f.tags","position":199,"to":"x300"}]"#)
    #expect(
      entries[200].changes
        == #"[{"set":"f.tags","position":99,"from":"x200"},{"set":"f.tags","position":199,"to":"y"}]"#
    )
  }

  @Test(
    "is kept in a file beside another one whose bytes make the same number",
    arguments: [JournalKind.memory, .sqlite])
  func sameNumbers(_ journal: JournalKind) async throws {
    let session = try DeclaredSession(Self.source, try await JournalPlace(journal))
    try await session.run("f.add('Aw1ES1qzxqD') f.add('2ww2JB0Bi9D')")
    try session.check.save("two texts with the same FNV-1a hash")
    try await session.run("f.replace('Aw1ES1qzxqD', 'x')")
    try session.check.save("the first of them is gone")
  }

  @Test("is taken back while those that others have added stay", arguments: JournalKind.available)
  func takingBack(_ journal: JournalKind) async throws {
    let place = try await JournalPlace(journal)
    let (first, second) = (
      try DeclaredSession(Self.source, place), try DeclaredSession(Self.source, place)
    )
    try await first.run("f.add('a')")
    try first.check.session.save()
    try second.check.session.reload()
    try await second.run("f.add('b') f.replace('b', 'c')")
    try second.check.session.save()
    try first.check.session.reload()
    try first.check.store.takeBack(1...1)
    try first.check.save("taken back")
    let tags = try first.check.schema.value(at: "f.tags", in: first.check.store.states)
    #expect(tags == .list([.text("c")]))
    #expect(throws: ChangeError.self) { try first.check.store.takeBack(2...2) }
  }
}

@Suite("A command whose actions get other numbers, as those of others were saved first")
struct RebasedCommandTests {
  private static let source = """
    feature "f" {
      state = { tags = set "string" },
      actions = { add = action { "tag: string", function(s, tag) s.tags:add(tag) end } },
    }
    """

  @Test(
    "is undone as a whole, without those of others, whatever was saved of it before",
    arguments: [0, 1], JournalKind.available)
  func undo(savedCount: Int, journal: JournalKind) async throws {
    let place = try await JournalPlace(journal)
    let (first, second) = (
      try DeclaredSession(Self.source, place), try DeclaredSession(Self.source, place)
    )
    let (session, store) = (first.check.session, first.check.store)
    session.onAutosaveDue = {}
    var commands = CommandLog()
    session.onRebase = { commands.renumber($1, from: $0, to: store.contents) }
    for index in 0...2 {
      try await first.run("f.add('\(index)')")
      if index + 1 == savedCount { try session.save() }
    }
    commands.append(from: 0, in: store, by: "ann")
    try second.check.session.reload()
    try await second.run("f.add('b')")
    try second.check.session.save()
    try session.reload()
    #expect(store.position == 4)
    #expect(commands.positionBeforeLastCommand(in: store) == 1 + savedCount)
    #expect(commands.undoneNext(for: "ann", in: store) == 2 + savedCount...4)
    try store.jump(to: 1 + savedCount)
    #expect(commands.positionAfterNextCommand(in: store) == 4)
  }
}

@Suite("Random changes of the lists and sets that files of Lua declare")
struct DeclaredListSequenceTests {
  @Test(
    "are shown by the tables after each save, and reopened", arguments: 0..<2, JournalKind.available
  )
  func randomSequences(seed: Int, journal: JournalKind) async throws {
    let session = try await DeclaredSession(ListSequence.source(), JournalPlace(journal))
    var random = ListSequence(seed: seed)
    for save in 1...15 {
      for _ in 0..<random.number(1...6) {
        if try !random.travel(session.check.store) {
          let code = (0..<random.number(1...4)).map { _ in random.declaredChange() }
          try await session.run("f.run([==[\(code.joined(separator: " "))]==])")
        }
      }
      try session.check.save("save \(save) of seed \(seed)")
    }
    try session.check.retrace()
  }
}

/// Random changes, the same for each seed.
struct ListSequence {
  /// An app with the lists and sets, whose actions do something else in each version.
  static func source(version: Int = 1) -> String {
    """
    feature "f" {
      state = {
        plain = list { k = editable(0), t = "" }, newest = list { newest_first = true, k = 0, t = "" },
        sorted = list { k = editable(0), t = "", sorted_by = "k" }, numbers = set "integer", texts = set "string",
        total = 0,
      },
      derived = { double = function(s) return s.total * \(version) end },
      actions = {
        run = action { "code: string", function(s, code) load(code, "code", "t", { s = s })() s.total = s.total + \(version) end },
        only\(version) = function(s) s.total = -s.total s.plain:clear() end,
      },
    }
    """
  }

  private var generator: SeededGenerator

  init(seed: Int) { generator = SeededGenerator(seed: UInt64(seed)) }

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  /// Moves in the history, or resets the state, in a fifth of the cases; returns whether it did.
  mutating func travel(_ store: Store) throws -> Bool {
    switch number(0...19) {
    case 0: try store.undo(min(number(1...3), store.position))
    case 1, 2:
      let undone = store.reachable.upperBound - store.position
      try store.redo(min(number(1...3), undone))
    case 3: try store.jump(to: number(store.reachable))
    case 4 where number(0...3) == 0: try store.reset()
    default: return false
    }
    return true
  }

  /// A change of a list or set, as code of an action with the state `s`.
  mutating func declaredChange() -> String {
    let (list, other) = (["s.plain", "s.newest", "s.sorted"][number(0...2)], number(0...9))
    let text = [#""a""#, #""b""#, #""\u{e9}""#, #""e\u{301}""#][number(0...3)]
    func position() -> String { "#\(list) * \(number(0...99)) // 100 + 1" }
    let (i, j) = (position(), position())
    switch number(0...13) {
    case 0...3: return "\(list):append { k = \(other), t = \(text) }"
    case 4 where list != "s.sorted": return "\(list):insert(\(i), { k = \(other) })"
    case 5...6 where list != "s.sorted":
      return "if #\(list) > 0 then \(list):move(\(list)[\(i)].id, \(j)) end"
    case 7: return "if #\(list) > 0 then \(list):remove(\(list)[\(i)].id) end"
    case 8: return "if #\(list) > 0 then \(list)[\(i)].t = \(text) end"
    case 9, 10: return "if #\(list) > 0 then \(list)[\(i)].k = \(other) end"
    case 11: return "s.numbers:\(other < 6 ? "add" : "remove")(\(number(-3...3)))"
    case 12: return "s.texts:\(other < 6 ? "add" : "remove")(\(text))"
    default: return other == 0 ? "\(list):clear()" : "s.texts:add(\(text))"
    }
  }
}
