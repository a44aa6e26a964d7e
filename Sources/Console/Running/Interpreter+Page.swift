import Lua
import PrimereplFoundation
import PrimereplPage
import Scenarios
import Scripting
import StateStore

extension Interpreter: PageHost {
  var title: String { console.appFiles?.name ?? console.name }

  var declaredNames: [String] { console.declaredNames }

  func reload() { session?.reload() }

  func save() { session?.save() }

  nonisolated func interrupt() { InterruptHandler.stopRunningCode() }

  func write(output: LuaString) {
    CurrentProcess.flush()
    CurrentProcess.write(output.bytes, to: STDOUT_FILENO)
  }

  func scenario(named name: String, of actions: ClosedRange<Int>) async throws -> String {
    try await app.scenario(
      named: name, actions: actions.lowerBound..<actions.upperBound + 1
    ).text
  }
}
