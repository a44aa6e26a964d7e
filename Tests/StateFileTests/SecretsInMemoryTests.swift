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
    session = try JournaledSession(Sample.schema, in: file.open())
    try session.store.send(.edit(.init(password: Secret("hunter22"))), to: Account.self)
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
  }

  private var password: Secret { session.store.state(of: Account.self).profile.password }

  @Test("outlive remote actions and checkpoints")
  func checkpoint() throws {
    let other = try JournaledSession(Sample.schema, in: file.open())
    try other.store.send(.increment(by: 1), to: Counter.self)
    try other.save()
    try session.reload()
    #expect(password == Secret("hunter22") && !password.isForgotten)
    for _ in 1...5_100 {
      try other.store.undo()
      try other.store.redo()
    }
    try other.save()
    try other.compact()
    try session.reload()
    #expect(password == Secret("hunter22") && !password.isForgotten)
    #expect(session.store.state(of: Counter.self).count == 2)
  }

  @Test("don't make a session's own actions remote")
  func own() throws {
    let other = try JournaledSession(Sample.schema, in: file.open())
    for _ in 1...5_100 {
      try other.store.undo()
      try other.store.redo()
    }
    try other.save()
    try other.compact()
    try session.reload()
    try session.store.undo()
    #expect(session.store.state(of: Counter.self).count == 0)
  }

  @Test("outlive the loss of the file")
  func lost() throws {
    try FileManager.default.removeItem(atPath: file.path)
    try session.store.send(.increment(by: 100), to: Counter.self)
    try session.save()
    #expect(session.store.state(of: Counter.self).count == 101)
    #expect(password == Secret("hunter22") && !password.isForgotten)
    let reopened = try JournaledSession(Sample.schema, in: file.open())
    #expect(reopened.store.state(of: Counter.self).count == 101)
    #expect(reopened.store.state(of: Account.self).profile.password.isForgotten)
  }
}
