import Lua
import PrimereplFoundation
import PrimereplPage
import PrimereplPlatform
import Scenarios
import Scripting
import StateStore

extension Interpreter: PageHost {
  var title: String {
    guard let path = console.appPaths.first else { return console.name }
    let name = FilePath.name(of: path)
    return name.hasSuffix(".lua") ? String(name.dropLast(4)) : name
  }

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
