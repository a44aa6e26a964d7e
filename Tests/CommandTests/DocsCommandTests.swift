import Foundation
import Testing
import TestSupport

@Suite("The docs command")
struct DocsCommandTests {
  @Test(
    "prints the reference of any app", arguments: [("primerepl", "counter"), ("notes", "notes")])
  func markdown(program: String, module: String) async throws {
    let runner = CommandRunner(program: program)
    let result = try await runner.run(["docs"])
    #expect(result.output.hasPrefix("# What scripts see of \(program)\n"))
    #expect(result.output.contains("\n## \(module)\n"))
    #expect(result.error == "")
    #expect(result.status == .exited(0))
  }

  @Test("prints what is in Documentation/lua-reference.md")
  func isCurrent() async throws {
    let file = Document.repository.appendingPathComponent("Documentation/lua-reference.md")
    let saved = try String(contentsOf: file, encoding: .utf8)
    let isCurrent = try await CommandRunner().run(["docs", "--format", "markdown"]).output == saved
    #expect(isCurrent, "Documentation/lua-reference.md is stale: run make docs")
  }

  @Test(
    "prints definitions that are Lua code, with annotations without a mistake",
    arguments: ["primerepl", "notes"])
  func definitions(program: String) async throws {
    let runner = CommandRunner(program: program)
    let definitions = try await runner.run(["docs", "--format", "luals"])
    #expect(definitions.output.hasPrefix("---@meta\n"))
    #expect(LuaAnnotations(definitions.output).problems == [])
    let loading = try await runner.run(
      ["-e", "assert(load(io.read('a'))) print('loaded')"], input: Array(definitions.output.utf8))
    #expect(loading.output == "loaded\n")
  }

  @Test(
    "in a shell",
    arguments: ShellCase.list(
      """
      # prints the help on one name
      $ primerepl docs counter.increment
      counter.increment([by: integer]): integer
        Adds 1, or an amount, to the count and returns it.
        Example: counter.increment(10)
      # names the nearest for an unknown name
      $ primerepl docs counter.incremnt
      primerepl: there is no help on 'counter.incremnt'; did you mean 'counter.increment'?
      [1]
      # refuses an unknown format
      $ primerepl docs --format html
      …'markdown' and 'luals'…
      [64]
      """))
  func shell(example: ShellCase) async throws { try await CommandRunner().check(example) }
}
