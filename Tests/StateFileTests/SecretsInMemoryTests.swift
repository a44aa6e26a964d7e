import Foundation
import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

/// A state file has no secrets, so reloading from it must not remove them.
@Suite("Secrets in memory")
struct SecretsInMemoryTests {
  private let file: SQLiteFile
  private let session: JournaledSession

  init() throws {
    file = try SQLiteFile()
    session = try file.session()
    try session.save(
      doing: .account(.edit(.init(password: Secret("hunter22")))), .counter(.increment(by: 1)))
  }

  private var password: Secret { session.store.state(of: Account.self).profile.password }

  @Test("outlive own undos and redos, also after a reload")
  func undo() throws {
    let other = try file.session()
    try other.save(doing: .counter(.increment(by: 1)))
    try session.reload()
    try session.store.undo(3)
    #expect(password.isEmpty)
    try session.store.redo(3)
    #expect(password == Secret("hunter22") && !password.isForgotten)
  }

  @Test("outlive the loss of the file")
  func lost() throws {
    try FileManager.default.removeItem(atPath: file.path)
    try session.save(doing: .counter(.increment(by: 100)))
    #expect(session.store.state(of: Counter.self).count == 101)
    #expect(password == Secret("hunter22") && !password.isForgotten)
    let reopened = try file.session()
    #expect(reopened.store.state(of: Counter.self).count == 101)
    #expect(reopened.store.state(of: Account.self).profile.password.isForgotten)
  }
}
