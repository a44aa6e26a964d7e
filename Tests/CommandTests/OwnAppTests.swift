import Testing
import TestSupport

/// `Examples/Notes`, a program of somebody else's that imports the kit.
@Suite("A program made with the kit")
struct OwnAppTests {
  private let notes = CommandRunner(program: "notes")

  @Test("runs code on its own feature, with history, help and errors")
  func code() async throws {
    let result = try await notes.run([
      "-e",
      """
      notes.add("milk") notes.add("bread") notes.pin(2) store.undo()
      print(#notes, notes[1], notes[2])
      for _, entry in ipairs(store.history()) do print(entry.undone, entry.action) end
      local ok, err = pcall(notes.add, "")
      print(ok, err.code, err)
      notes.remind(0.01, "call Ann")
      print(#notes, app.notes == notes)
      """,
    ])
    #expect(
      result.output == """
        2\tnote 1: milk\tnote 2: bread
        false\tnotes.add("milk")
        false\tnotes.add("bread")
        true\tnotes.pin(2)
        false\tempty_text\tA note needs a text.
        3\ttrue

        """)
    #expect(result.error == "")
    #expect(result.status == .exited(0))
  }

  @Test("keeps its session in its own file, which other programs refuse")
  func stateFile() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("notes.sqlite").path
    _ = try await notes.run(["--state", file, "-e", "notes.add('milk')"])
    let result = try await notes.run(["--state", file, "-e", "notes.add('bread') print(#notes)"])
    #expect(result.output == "2\n")
    let other = try await CommandRunner().run(["--state", file, "-e", "print(1)"])
    #expect(other.error.contains("not a state file of primerepl"))
    var runner = notes
    runner.environment = ["NOTES_STATE": file]
    #expect(try await runner.run(["-e", "print(notes[2].text)"]).output == "bread\n")
  }

  @Test("exports and imports its state, but not in the sandbox")
  func documents() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("notes.json").path
    let result = try await notes.run([
      "-e",
      """
      notes.add("milk") store.export("\(file)") store.reset() store.import("\(file)")
      print(#notes, notes[1].text, store.history()[3].action:sub(1, 13))
      print(select(2, pcall(store.import, "\(file)x")).code)
      """,
    ])
    #expect(result.output == "1\tmilk\tstore.import(\nnot_readable\n")
    let sandboxed = try await notes.run([
      "--sandbox", "-e", "print(select(2, pcall(store.import, 'x')).code)",
    ])
    #expect(sandboxed.output == "source_not_allowed\n")
  }

  @Test("uses its own name in help, messages and its version")
  func name() async throws {
    let help = try await notes.run(["--help"])
    #expect(help.output.contains("USAGE: notes [<options>]"))
    #expect(help.output.contains("NOTES_STATE"))
    #expect(!help.output.contains("primerepl") && !help.output.contains("PRIMEREPL"))
    #expect(try await notes.run(["--version"]).output.hasPrefix("notes 0.1.0 (Lua 5.4"))
    let failure = try await notes.run(["-e", "error('no', 0)"])
    #expect(failure.error.hasPrefix("notes: no\n"))
    #expect(failure.status == .exited(1))
  }
}
