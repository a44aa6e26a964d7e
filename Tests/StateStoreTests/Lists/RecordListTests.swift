import Foundation
import Testing
import TestSupport

@testable import StateStore

@Suite("Record list")
struct RecordListTests {
  struct Letter: Record {
    let id: Int
    var text: String

    var stateValue: StateValue { .text(text) }
  }

  private func list(
    _ order: RecordList<Letter>.Order = .oldestFirst, _ texts: String...
  ) throws -> RecordList<Letter> {
    var list = RecordList<Letter>(order: order)
    for (index, text) in texts.enumerated() {
      try list.append(Letter(id: index + 1, text: text))
    }
    return list
  }

  @Test("appended records come last, or first where the newest are first")
  func orders() throws {
    #expect(try list(.oldestFirst, "a", "b", "c").map(\.text) == ["a", "b", "c"])
    #expect(try list(.newestFirst, "a", "b", "c").map(\.text) == ["c", "b", "a"])
  }

  @Test("a record is found by its id, and its position by that")
  func findsByID() throws {
    let list = try list(.newestFirst, "a", "b", "c")
    #expect(list[id: 1]?.text == "a")
    #expect(list.position(ofID: 1) == 2)
    #expect(list.contains(id: 3))
    #expect(list[id: 4] == nil)
    #expect(list.position(ofID: 4) == nil)
    #expect(!list.contains(id: 4))
  }

  @Test("an id that is taken is refused, and nothing changes")
  func refusesDuplicate() throws {
    var list = try list(.oldestFirst, "a", "b")
    let before = list
    #expect(throws: RecordListError.duplicateIdentifier("2")) {
      try list.append(Letter(id: 2, text: "c"))
    }
    #expect(throws: RecordListError.duplicateIdentifier("7")) {
      try list.replaceAll(with: [Letter(id: 7, text: "x"), Letter(id: 7, text: "y")])
    }
    #expect(list == before)
    #expect(list.edits(since: before, as: \.self) == nil)
  }

  /// A change of a list of the letters a, b and c, the newest first, and the edits that the list reports.
  private struct Change: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let edits: ListEdits<Letter>?
    let body: @Sendable (inout RecordList<Letter>) throws -> Void

    init(
      _ title: String, _ edits: ListEdits<Letter>?,
      _ body: @escaping @Sendable (inout RecordList<Letter>) throws -> Void
    ) {
      (testDescription, self.edits, self.body) = (title, edits, body)
    }
  }

  private static let a = Letter(id: 1, text: "a")
  private static let b = Letter(id: 2, text: "b")
  private static let c = Letter(id: 3, text: "c")
  private static let z = Letter(id: 9, text: "z")

  private static let changes = [
    Change("an appended record, at its visible position", .edits([.inserted(position: 0, z)])) {
      try $0.append(Self.z)
    },
    Change(
      "the values of a record before and after an update",
      .edits([.changed(position: 2, old: a, new: Letter(id: 1, text: "z"))])
    ) { $0.update(id: 1) { $0.text = "z" } },
    Change("no update that changes nothing", nil) { $0.update(id: 1) { $0.text = "a" } },
    Change("no update of an unknown record", nil) { $0.update(id: 4) { $0.text = "z" } },
    Change("the position of a removed record", .edits([.removed(position: 1, b)])) {
      $0.remove(id: 2)
    },
    Change("an empty list after all are removed", .replaced(old: [c, b, a], new: [])) {
      $0.removeAll()
    },
    Change("new records, with later edits", .replaced(old: [c, b, a], new: [z, b])) {
      try $0.replaceAll(with: [Self.b])
      try $0.append(Self.z)
    },
    Change("a renewed list, as a replacement", .replaced(old: [c, b, a], new: [c, b, a])) {
      $0.renew()
    },
  ]

  @Test("reports", arguments: changes)
  private func reports(change: Change) throws {
    let before = try list(.newestFirst, "a", "b", "c")
    var list = before
    try change.body(&list)
    #expect(list.edits(since: before, as: \.self) == change.edits)
  }

  @Test("removing all of an empty list is no edit")
  func emptiedAgain() throws {
    let before = try list()
    var list = before
    list.removeAll()
    #expect(list.edits(since: before, as: \.self) == nil)
  }

  @Test("an update that throws leaves the list unchanged")
  func refusesChange() throws {
    var list = try list(.oldestFirst, "a", "b")
    let before = list
    #expect(throws: CancellationError.self) {
      try list.update(id: 1) {
        $0.text = "z"
        throw CancellationError()
      }
    }
    #expect(list == before)
    #expect(list.edits(since: before, as: \.self) == nil)
  }

  @Test(
    "removing at positions removes those records",
    arguments: [RecordList<Letter>.Order.oldestFirst, .newestFirst])
  func removesAtPositions(order: RecordList<Letter>.Order) throws {
    var list = try list(order, "a", "b", "c", "d", "e")
    let kept = [list[1], list[3]]
    list.remove(atPositions: [4, 0, 2, 0])
    #expect(Array(list) == kept)
    #expect(list.position(ofID: kept[1].id) == 1)
  }

  @Test("a replacement is reported unaffected by later edits")
  func keepsReplacement() throws {
    var list = try list(.newestFirst, "a", "b")
    let before = list
    try list.replaceAll(with: [Letter(id: 5, text: "c"), Letter(id: 6, text: "d")])
    let edits = list.edits(since: before, as: \.text)
    list.removeAll()
    #expect(edits == .replaced(old: ["b", "a"], new: ["c", "d"]))
  }

  @Test("a copy is unaffected by edits of the other", arguments: [10, 5000])
  func copies(count: Int) throws {
    var list = RecordList<Letter>(order: .newestFirst)
    for id in 0..<count { try list.append(Letter(id: id, text: "\(id)")) }
    let copy = list
    let records = Array(copy)
    list.update(id: count / 2) { $0.text = "changed" }
    list.remove(id: 0)
    list.remove(atPositions: stride(from: 0, to: count - 1, by: 3))
    try list.append(Letter(id: count, text: "new"))
    #expect(Array(copy) == records)
    #expect(copy.position(ofID: 0) == count - 1)
    #expect(!copy.contains(id: count))
    #expect(list != copy)
  }

  @Test(
    "the edits between any two copies, done to the first, give the second",
    arguments: [RecordList<Letter>.Order.oldestFirst, .newestFirst], [1, 2])
  func editsOfRandomChanges(order: RecordList<Letter>.Order, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var list = RecordList<Letter>(order: order)
    var copies = [list]
    var nextID = 0
    for step in 1...3_000 {
      switch Int.random(in: 0..<6, using: &random) {
      case 4 where !list.isEmpty:
        let id = list[Int.random(in: 0..<list.count, using: &random)].id
        try list.move(id: id, to: Int.random(in: 0..<list.count, using: &random))
      case 5 where step.isMultiple(of: 50):
        // Goes back, and gives sequence numbers of records to others.
        list = copies[Int.random(in: 0..<copies.count, using: &random)]
      case 0 where list.count > 1 && step.isMultiple(of: 2):
        list.remove(atPositions: [list.count - 1, 0])
      case 0 where !list.isEmpty:
        list.remove(id: list[Int.random(in: 0..<list.count, using: &random)].id)
      case 1 where !list.isEmpty:
        let id = list[Int.random(in: 0..<list.count, using: &random)].id
        list.update(id: id) { $0.text = "\(step)" }
      default:
        nextID += 1
        try list.append(Letter(id: nextID, text: "new"))
      }
      if step.isMultiple(of: 197) { copies.append(list) }
    }
    for old in copies {
      for new in copies {
        var mirror = Array(old)
        switch new.edits(since: old, as: \.self) {
        case nil: break
        case .edits(let edits):
          for edit in edits {
            mirror.apply(edit)
            #expect(Set(mirror.map(\.id)).count == mirror.count)
          }
        case .replaced: Issue.record("A copy isn't replaced as a whole.")
        }
        #expect(mirror == Array(new))
      }
    }
  }

  @Test("equality compares the records and their order, not their history")
  func equality() throws {
    var left = try list(.oldestFirst, "a")
    let right = try list(.oldestFirst, "a", "b")
    #expect(left != right)
    try left.append(Letter(id: 2, text: "b"))
    #expect(left == right)
    #expect(try left != list(.newestFirst, "a", "b"))
  }

  @Test("an array with an id twice is refused")
  func refusesToDecode() {
    let json = Data(#"[{"id": 1, "text": "a"}, {"id": 1, "text": "b"}]"#.utf8)
    #expect(throws: RecordListError.duplicateIdentifier("1")) {
      try JSONDecoder().decode(RecordList<Letter>.self, from: json)
    }
  }
}
