import Foundation
import Testing

@testable import Domain

@Suite("Record list")
struct RecordListTests {
  struct Letter: Codable, Equatable, Identifiable {
    let id: Int
    var text: String
  }

  private func list(
    _ order: RecordList<Letter>.Order = .oldestFirst, _ texts: String...
  ) throws -> RecordList<Letter> {
    var list = RecordList<Letter>(order: order)
    for (index, text) in texts.enumerated() {
      try list.append(Letter(id: index + 1, text: text))
    }
    list.discardEdits()
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
    #expect(list.takeEdits(as: \.self) == nil)
  }

  @Test("appending notes an insertion where people see it")
  func notesInsertion() throws {
    var oldest = try list(.oldestFirst, "a")
    try oldest.append(Letter(id: 9, text: "z"))
    #expect(
      oldest.takeEdits(as: \.self) == .edits([.inserted(position: 1, Letter(id: 9, text: "z"))]))

    var newest = try list(.newestFirst, "a")
    try newest.append(Letter(id: 9, text: "z"))
    #expect(
      newest.takeEdits(as: \.self) == .edits([.inserted(position: 0, Letter(id: 9, text: "z"))]))
  }

  @Test("updating notes the value before and after")
  func notesChange() throws {
    var list = try list(.newestFirst, "a", "b", "c")
    #expect(list.update(id: 1) { $0.text = "z" })
    #expect(list.map(\.text) == ["c", "b", "z"])
    #expect(
      list.takeEdits(as: \.self)
        == .edits([
          .changed(position: 2, old: Letter(id: 1, text: "a"), new: Letter(id: 1, text: "z"))
        ]))
  }

  @Test("an update that changes nothing, or of an unknown id, notes nothing")
  func notesNoChange() throws {
    var list = try list(.oldestFirst, "a")
    #expect(list.update(id: 1) { $0.text = "a" })
    #expect(!list.update(id: 2) { $0.text = "b" })
    #expect(list.takeEdits(as: \.self) == nil)
  }

  @Test("removing by id notes where the record was")
  func notesRemoval() throws {
    var list = try list(.newestFirst, "a", "b", "c")
    #expect(list.remove(id: 3) == Letter(id: 3, text: "c"))
    #expect(list.remove(id: 3) == nil)
    #expect(list.map(\.text) == ["b", "a"])
    #expect(list.takeEdits(as: \.self) == .edits([.removed(position: 0, Letter(id: 3, text: "c"))]))
  }

  @Test("records after a removed one are still found by id and position")
  func findsAfterRemoval() throws {
    var list = try list(.oldestFirst, "a", "b", "c", "d")
    list.remove(id: 2)
    #expect(list[id: 4]?.text == "d")
    #expect(list.position(ofID: 4) == 2)
    #expect(list[2].text == "d")
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

  @Test(
    "doing the noted edits again on a copy gives the list",
    arguments: [RecordList<Letter>.Order.oldestFirst, .newestFirst])
  func editsAreReplayable(order: RecordList<Letter>.Order) throws {
    var list = try list(order, "a", "b", "c", "d", "e", "f")
    var copy = Array(list)
    list.remove(atPositions: [1, 4, 2])
    try list.append(Letter(id: 10, text: "x"))
    list.update(id: 1) { $0.text = "y" }
    list.remove(id: 6)
    try list.append(Letter(id: 11, text: "z"))

    guard case .edits(let edits) = list.takeEdits(as: \.self) else {
      Issue.record("no single edits")
      return
    }
    for edit in edits {
      switch edit {
      case .inserted(let position, let letter): copy.insert(letter, at: position)
      case .removed(let position, let letter): #expect(copy.remove(at: position) == letter)
      case .changed(let position, let old, let new):
        #expect(copy[position] == old)
        copy[position] = new
      }
    }
    #expect(copy == Array(list))
  }

  @Test("replacing all notes the new records, with what came after")
  func notesReplacement() throws {
    var list = try list(.newestFirst, "a", "b")
    list.remove(id: 1)
    try list.replaceAll(with: [Letter(id: 5, text: "x"), Letter(id: 6, text: "y")])
    #expect(list.map(\.text) == ["x", "y"])
    try list.append(Letter(id: 7, text: "z"))
    #expect(
      list.takeEdits(as: \.text) == .replaced(old: ["b"], new: ["z", "x", "y"]))
    #expect(list.map(\.text) == ["z", "x", "y"])
  }

  @Test("what a list became as a whole is told as it was then, whatever comes after")
  func keepsReplacement() throws {
    var list = try list(.newestFirst, "a", "b")
    try list.replaceAll(with: [Letter(id: 5, text: "c"), Letter(id: 6, text: "d")])
    let edits = list.takeEdits(as: \.text)
    list.removeAll()
    #expect(edits == .replaced(old: ["b", "a"], new: ["c", "d"]))
  }

  @Test("a copy stays as it was, whatever is done to the other", arguments: [10, 5000])
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

  @Test("removing all notes an empty list, once")
  func notesRemovalOfAll() throws {
    var list = try list(.oldestFirst, "a", "b")
    list.removeAll()
    #expect(list.isEmpty)
    #expect(list.takeEdits(as: \.text) == .replaced(old: ["a", "b"], new: []))
    list.removeAll()
    #expect(list.takeEdits(as: \.self) == nil)
  }

  @Test("edits that were taken or discarded are forgotten")
  func forgetsEdits() throws {
    var list = try list(.oldestFirst, "a")
    list.remove(id: 1)
    #expect(list.takeEdits(as: \.self) != nil)
    #expect(list.takeEdits(as: \.self) == nil)
    list.removeAll()
    try list.append(Letter(id: 2, text: "b"))
    list.discardEdits()
    #expect(list.takeEdits(as: \.self) == nil)
  }

  @Test("equality looks at the records and their order, not at the edits")
  func equality() throws {
    var left = try list(.oldestFirst, "a")
    let right = try list(.oldestFirst, "a", "b")
    #expect(left != right)
    try left.append(Letter(id: 2, text: "b"))
    #expect(left == right)
    #expect(try left != list(.newestFirst, "a", "b"))
  }

  @Test("a list is encoded as an array, in the order people see")
  func encodes() throws {
    let data = try JSONEncoder().encode(list(.newestFirst, "a", "b"))
    let letters = try JSONDecoder().decode([Letter].self, from: data)
    #expect(letters.map(\.text) == ["b", "a"])
  }

  @Test("a list of the oldest first is decoded from an array, without edits")
  func decodes() throws {
    let list = try list(.oldestFirst, "a", "b")
    let data = try JSONEncoder().encode(list)
    var decoded = try JSONDecoder().decode(RecordList<Letter>.self, from: data)
    #expect(decoded == list)
    #expect(decoded.takeEdits(as: \.self) == nil)
  }

  @Test("an array with an id twice is refused")
  func refusesToDecode() {
    let json = Data(#"[{"id": 1, "text": "a"}, {"id": 1, "text": "b"}]"#.utf8)
    #expect(throws: RecordListError.duplicateIdentifier("1")) {
      try JSONDecoder().decode(RecordList<Letter>.self, from: json)
    }
  }
}
