import SampleApp
import Scripting
import Testing

@MainActor
@Suite("The log of commands")
struct CommandLogTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test("redoes as a whole what undo took back of a command that the history has partly forgotten")
  func partlyForgotten() async throws {
    let store = app.session.store
    var log = CommandLog()
    try await app.run("store.history_limit = 5")
    for count in [3, 20] {
      let start = store.position
      try await app.run("for _ = 1, \(count) do counter.increment() end")
      log.append(from: start, in: store)
    }
    #expect(log.positionBeforeLastCommand(in: store) == 18)
    try store.jump(to: 18)
    #expect(log.positionAfterNextCommand(in: store) == 23)
    try store.jump(to: 20)
    #expect(log.positionAfterNextCommand(in: store) == 21)
  }
}
