import Testing
import TestSupport

@testable import Scenarios

@Suite("The record of a property's steps")
struct StepRecordTests {
  private let folder: TemporaryFolder
  private let path: String
  private let record: StepRecord

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "run/steps")
    record = StepRecord(path: path)
  }

  private func note(_ text: String, at position: Int) throws {
    try record.note(Array(text.utf8), at: position)
  }

  @Test("has none before the first one")
  func empty() { #expect(StepRecord.steps(in: path) == []) }

  @Test("has all steps, the one that was begun last included")
  func steps() throws {
    try note("a.b(\"x\\n\")", at: 0)
    try note("a.b({\n  1,\n})", at: 1)
    #expect(StepRecord.steps(in: path) == ["a.b(\"x\\n\")", "a.b({\n  1,\n})"])
  }

  @Test("forgets a step that was refused, and those of another run")
  func refused() throws {
    try note("first", at: 0)
    try note("refused and long", at: 1)
    try note("next", at: 1)
    #expect(StepRecord.steps(in: path) == ["first", "next"])
    record.clear()
    #expect(StepRecord.steps(in: path) == [])
    try note("other", at: 0)
    #expect(StepRecord.steps(in: path) == ["other"])
  }
}
