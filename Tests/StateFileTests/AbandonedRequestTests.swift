import Foundation
import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

@Suite("A request whose process ended before the answer")
struct AbandonedRequestTests {
  private let file: SQLiteFile

  init() throws {
    file = try SQLiteFile()
  }

  private func request(in session: JournaledSession) throws {
    try session.store.send(.step(of: Counter.ask, 1, .asked(NoQuestion())))
    try session.save(doing: .step(of: People.fetch, 2, .asked("")))
  }

  @Test("fails when the session is opened again")
  func fails() throws {
    try request(in: file.session())
    let store = try file.session().store
    #expect(!store.isPending(Counter.ask) && !store.isPending(People.fetch))
    let error = "The process that asked ended before the answer came."
    #expect(store.error(of: Counter.ask) == error)
    #expect(store.error(of: People.fetch) == error)
  }

  @Test("stays pending while another process has the session open, which may answer")
  func answered() throws {
    let first = try file.session()
    try request(in: first)
    let second = try file.session()
    #expect(second.store.isPending(People.fetch))
    let ann = People.Person(id: 1, name: "Ann", age: 30)
    try first.save(doing: .step(of: People.fetch, 2, .answered([ann])))
    try second.reload()
    #expect(Array(second.store.state(of: People.self).list) == [ann])
    #expect(!second.store.isPending(People.fetch))
  }

  @Test("stays pending only until the last of the others closes the session")
  func closed() throws {
    let (first, second) = (try file.open(), try file.open())
    #expect(first.isOpenElsewhere && second.isOpenElsewhere)
    second.close()
    #expect(!first.isOpenElsewhere)
    _ = try second.load()
    #expect(first.isOpenElsewhere)
  }
}
