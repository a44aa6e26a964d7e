/// The commands that keys perform, in each mode.
package struct KeyMap: Equatable, Sendable {
  package enum Style: Sendable {
    case emacs
    /// Keys type text in the insert mode, and are commands in the command mode.
    case vi
  }

  /// The meaning of the keys pressed so far.
  enum Match {
    case command(EditorCommand)
    /// The beginning of a longer sequence.
    case incomplete
    case none
  }

  /// The keys of one mode.
  package struct Table: Equatable, Sendable {
    private var commands: [[Key]: EditorCommand] = [:]

    init(_ commands: [(Key, EditorCommand)], sequences: [([Key], EditorCommand)] = []) {
      for (key, command) in commands { self[[key]] = command }
      for (keys, command) in sequences { self[keys] = command }
    }

    package subscript(keys: [Key]) -> EditorCommand? {
      get { commands[keys] }
      set { commands[keys] = newValue }
    }

    func match(_ keys: [Key]) -> Match {
      if let command = commands[keys] { return .command(command) }
      return commands.keys.contains { $0.starts(with: keys) } ? .incomplete : .none
    }
  }

  package let style: Style
  /// A character without a binding is inserted.
  package var inserting: Table
  /// The keys of vi's command mode.
  package var commanding: Table

  /// Emacs' keys; the others are for `vi-command-mode`, which can be bound to a key.
  package static let emacs = KeyMap(
    style: .emacs, inserting: emacsTable, commanding: vi.commanding)

  // MARK: - The default keys

  static let commonKeys: [(Key, EditorCommand)] = [
    (.enter, .newline), (.control("j"), .newline), (.altEnter, .insertLine),
    (.left, .previousCharacter), (.right, .nextCharacter),
    (.up, .searchPreviousHistory), (.down, .searchNextHistory),
    (.controlUp, .previousHistory), (.controlDown, .nextHistory),
    (.pageUp, .previousHistory), (.pageDown, .nextHistory),
    (.controlLeft, .previousWord), (.controlRight, .nextWord),
    (.home, .moveToStart), (.end, .moveToEnd),
    (.delete, .deleteNextCharacter), (.controlDelete, .deleteNextWord),
    (.control("c"), .interrupt), (.control("z"), .suspend), (.control("l"), .clearScreen),
    (.control("g"), .abort), (.control("_"), .undo), (.alt("_"), .redo),
    (.control("s"), .searchForward),
  ]

  private static let emacsTable = Table(
    commonKeys + [
      (.control("a"), .moveToStart), (.control("e"), .moveToEnd),
      (.control("b"), .previousCharacter), (.control("f"), .nextCharacter),
      (.control("p"), .searchPreviousHistory), (.control("n"), .searchNextHistory),
      (.alt("b"), .previousWord), (.alt("f"), .nextWord),
      (.alt("<"), .firstHistory), (.alt(">"), .lastHistory),
      (.alt("p"), .searchPreviousHistory), (.alt("n"), .searchNextHistory),
      (.control("r"), .searchBackward),
      (.backspace, .emacsDeletePreviousCharacter), (.control("h"), .emacsDeletePreviousCharacter),
      (.control("d"), .deleteOrEnd), (.tab, .complete), (.escape, .ignore),
      (.control("k"), .killLine), (.control("u"), .killLineStart),
      (.control("w"), .deletePreviousBigWord), (.altBackspace, .deletePreviousWord),
      (.alt("d"), .deleteNextWord), (.control("@"), .setMark), (.alt("w"), .copyRegion),
      (.control("y"), .yank), (.alt("y"), .yankPop), (.alt("."), .insertLastArgument),
      (.altControl("_"), .copyPreviousWord),
      (.control("t"), .transposeCharacters), (.alt("t"), .transposeWords),
      (.alt("u"), .upperCase), (.alt("l"), .lowerCase), (.alt("c"), .capitalize),
      (.control("q"), .quotedInsert), (.control("v"), .quotedInsert),
    ] + "0123456789".map { (.alt($0), .argumentDigit) },
    sequences: [
      ([.control("x"), .control("e")], .externalEditor),
      ([.control("x"), .control("u")], .undo),
      ([.control("x"), .control("x")], .exchangeMark),
    ])
}
