import TestSupport
import Testing

@testable import Domain
@testable import StateStore

@Suite("A page of a SQLite file")
struct BTreePageTests {
  @Test("lists the tables of a state file, with where they begin")
  func tables() throws {
    let file = try SQLiteFile()
    try file.open().append([.numbered(1)], expecting: 0)
    guard let bare = BareFile(path: file.path), let first = bare.page(1) else {
      Issue.record("The file can't be read.")
      return
    }
    let pages = [first] + first.children.compactMap { bare.page($0) }
    let tables = pages.flatMap(\.rows).filter { $0.first == .text("table") }.map { row in
      [row[1], row[3]]
    }
    let expected = try file.rows(
      "SELECT name, rootpage FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")
    #expect(tables == expected.map { [.text($0[0]), .number(Int64($0[1]) ?? 0)] })
  }

  @Test("can have any bytes")
  func anyBytes() {
    var random = SeededGenerator(seed: 7)
    for kind: UInt8 in [0x05, 0x0A, 0x0D, 0x02] {
      for _ in 0..<500 {
        var bytes = (0..<512).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes[0] = kind
        let page = BTreePage(bytes[...])
        #expect((page == nil) == (kind == 0x02))
        #expect(page.map { $0.children.count + $0.rows.count <= 65_536 } ?? true)
      }
    }
  }

  @Test("is missing from files that aren't SQLite, or end before it")
  func missing() throws {
    let file = try SQLiteFile()
    try file.open().append([.numbered(1)], expecting: 0)
    guard let bare = BareFile(path: file.path) else {
      Issue.record("The file can't be read.")
      return
    }
    for number in [0, -1, 1_000_000, Int.max, Int.min] { #expect(bare.page(number) == nil) }
    for path in ["/dev/null", file.path + "-missing", file.folder.url.path] {
      if BareFile(path: path) != nil { Issue.record("\(path) can be read.") }
    }
  }
}
