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

  private func write(_ text: String, at position: Int) throws {
    try record.write(Array(text.utf8), at: position)
  }

  @Test("has none before the first one")
  func empty() { #expect(StepRecord.steps(in: path) == []) }

  @Test("has all steps, the one that was begun last included")
  func steps() throws {
    try write("a.b(\"x\\n\")", at: 0)
    try write("a.b({\n  1,\n})", at: 1)
    #expect(StepRecord.steps(in: path) == ["a.b(\"x\\n\")", "a.b({\n  1,\n})"])
  }

  @Test("forgets a step that was refused, and those of another run")
  func refused() throws {
    try write("first", at: 0)
    try write("refused and long", at: 1)
    try write("next", at: 1)
    #expect(StepRecord.steps(in: path) == ["first", "next"])
    record.clear()
    #expect(StepRecord.steps(in: path) == [])
    try write("other", at: 0)
    #expect(StepRecord.steps(in: path) == ["other"])
  }
}
