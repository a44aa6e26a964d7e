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

  @Test(
    "in a shell",
    arguments: ShellCase.list(
      """
      # keeps its session in its own file, which other programs refuse
      $ notes --state f -e "notes.add('milk')"
      $ NOTES_STATE=f notes -e "notes.add('bread') print(#notes)"
      2
      $ primerepl --state f -e "print(1)"
      …not a state file of primerepl…
      [1]
      # uses its own name in help, messages and its version
      $ notes --help > help; grep -c -i primerepl help; grep -q NOTES_STATE help && cat help
      0
      …USAGE: notes [<options>]…
      $ notes --version
      notes 0.1.0 (Lua 5.4…
      $ notes -e "error('no', 0)"
      notes: no
      …
      [1]
      """))
  func shell(example: ShellCase) async throws { try await notes.check(example) }
}
