@testable import PrimereplLineEditing
import Testing

@Suite("~/.editrc")
struct EditrcFileTests {
  private func keyMap(_ text: String) -> KeyMap {
    var keyMap = KeyMap.emacs
    #expect(EditrcFile.apply(text, program: "primerepl", to: &keyMap) == [])
    return keyMap
  }

  private func problems(_ text: String) -> [EditrcFile.Problem] {
    var keyMap = KeyMap.emacs
    return EditrcFile.apply(text, program: "primerepl", to: &keyMap)
  }

  @Test(
    "chooses the keys of vi or Emacs by the last line for all programs or this one",
    arguments: [
      ("bind -v", .vi), ("bind -v\nbind -e", .emacs), ("bind -e\r\nbind -v\r\n", .vi),
      ("primerepl:bind -v", .vi), ("ftp:bind -v", .emacs),
    ] as [(String, KeyMap.Style)])
  func style(text: String, style: KeyMap.Style) {
    #expect(keyMap(text).style == style)
  }

  @Test(
    "binds keys in every notation",
    arguments: [
      ("^T", [Key.control("t")]), ("'^T'", [.control("t")]), (#""\e[A""#, [.up]),
      (#"\e[A"#, [.up]), (#"\\e[A"#, [.up]), ("^[[A", [.up]), (#""\033[3~""#, [.delete]),
      (#"\t"#, [.tab]), ("^I", [.tab]), ("^?", [.backspace]), (#""\^T""#, ["^", "T"]),
      ("M-x", [.alt("x")]), ("M-^H", [.altBackspace]), ("^X^E", [.control("x"), .control("e")]),
      ("q", ["q"]), (#""\\""#, [#"\"#]), ("é", ["é"]),
    ] as [(String, [Key])])
  func notation(_ notation: String, _ keys: [Key]) {
    #expect(keyMap("bind \(notation) ed-clear-screen").inserting[keys] == .clearScreen)
  }

  @Test("binds keys of vi's command mode, and arrow keys by name")
  func options() {
    #expect(keyMap("bind -a q vi-undo").commanding[["q"]] == .undo)
    #expect(keyMap("bind -k up ed-prev-line").inserting[[.up]] == .previousLine)
    #expect(keyMap("bind -r ^A").inserting[[.control("a")]] == nil)
    #expect(keyMap("bind ^I rl_complete").inserting[[.tab]] == .complete)
  }

  @Test("ignores comments, empty lines, and commands that have no meaning here")
  func ignored() {
    #expect(problems("# bind\n\n  \nedit on\nhistory size 100\nbind\nbind -l\nbind ^A\n") == [])
  }

  @Test(
    "says which lines can't be used",
    arguments: [
      ("bnd -v", "unknown command 'bnd'"),
      ("bind ^A ed-nonsense", "bind knows no command 'ed-nonsense'"),
      ("bind -s ^A text", "bind has no option -s"),
      ("bind -k top ed-insert", "there is no arrow key 'top'"),
      ("bind ^ ed-insert", "'^' ends with ^"),
      (#"bind "\777" ed-insert"#, #"'\777' has a number above \377"#),
      (#"bind "\e[99~" ed-insert"#, #"'\e[99~' isn't a key"#),
      ("bind '' ed-insert", "'' isn't a key"),
    ])
  func unusable(_ line: String, _ message: String) {
    #expect(problems("bind -v\n" + line + "\n").map(\.line) == [2])
    #expect(problems("bind -v\n" + line + "\n").map(\.message) == [message])
  }
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
  package init(extendedGraphemeClusterLiteral value: Character) { self = .character(value) }
}
