import Foundation
import Testing
import TestSupport

@testable import Scenarios

@Suite("The record of failed scenarios")
struct RunRecordTests {
  private let folder: TemporaryFolder
  private let record: RunRecord

  init() throws {
    folder = try TemporaryFolder()
    record = RunRecord(in: folder.path(of: "state/records"))
  }

  @Test("A damaged record is an error, and the next run replaces it")
  func damaged() throws {
    try record.update(["a": true])
    let name = try #require(folder.files("state/records").first)
    _ = try folder.write("{", to: "state/records/" + name)
    #expect { try record.failed() } throws: { ($0 as? RunRecordError)?.code == "record_damaged" }
    try record.update(["b": true])
    #expect(try record.failed() == ["b"])
  }

  @Test("A record that can't be written is an error with its path")
  func unwritable() throws {
    _ = try folder.write("", to: "state")
    #expect {
      try record.update(["a": true])
    } throws: { error in
      let error = error as? RunRecordError
      return error?.code == "record_unwritable" && error?.message.contains(folder.path) == true
    }
  }
}
