import Lua
import Testing

@MainActor
@Suite("Closing a state that is in use", .timeLimit(.minutes(1)))
struct ClosingTests {
  private let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    fixture.addLater()
    let state = fixture.state
    fixture.host.function("quit") { [weak state] in _ = state?.close() }
    try fixture.install()
  }

  /// A record whose fields are read one by one.
  private struct Person: LuaReadable {
    let name: String
    static let luaTypeName = "person"

    static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Person {
      do {
        let table = try LuaTable.read(from: stack, at: index)
        return Person(name: try table.get("name"))
      } catch {
        throw LuaTypeMismatch(expected: luaTypeName, got: "\(error)")
      }
    }
  }

  /// A value that a function of Lua makes.
  private struct Made: LuaPushable {
    let function: LuaFunction
    static let luaTypeName = "any"

    func push(to stack: LuaStack) throws(LuaError) {
      try (function.call().first ?? .nil).push(to: stack)
    }
  }

  @Test("waits until the results of the call have been read")
  func whileReading() throws {
    let chunk = try fixture.state.load("host.quit() return {name = 'ada'}")
    #expect(try chunk.call(as: Person.self).name == "ada")
    #expect(try closedCode { _ = try chunk.call() } == .stateClosed)
  }

  @Test("waits until a value that is being pushed is there")
  func whilePushing() throws {
    let made = Made(function: try fixture.state.load("host.quit() return 7"))
    try fixture.state.setGlobal("x", to: made)
    #expect(try closedCode { _ = try fixture.state.globals() } == .stateClosed)
  }

  @Test("happens once, though what its tasks hold releases it again")
  func reentrant() throws {
    final class Owner {
      let state: LuaState
      init(_ state: LuaState) { self.state = state }
    }
    let module = LuaModule("own")
    var owner: Owner? = Owner(try LuaState(isolation: nil))
    try owner?.state.setGlobal("task", to: LuaModule.task(for: #require(owner).state))
    module.asyncFunction("wait") { [owner] in { () async -> Void in _ = owner } }
    try owner?.state.setGlobal("own", to: module)
    let chunk = try #require(owner).state.load("task.spawn(own.wait)")
    try chunk.call()
    owner?.state.close()
    owner = nil
    #expect(try closedCode { _ = try chunk.call() } == .stateClosed)
  }

  private func closedCode(_ body: () throws -> Void) throws -> LuaError.Code {
    try #require(throws: LuaError.self) { try body() }.code
  }
}
