extension KeyMap {
  package static let vi = KeyMap(style: .vi, inserting: viInsertTable, commanding: viTable)

  private static let viInsertTable = Table(
    commonKeys + [
      (.escape, .viCommandMode), (.tab, .complete),
      (.backspace, .viDeletePreviousCharacter), (.control("h"), .viDeletePreviousCharacter),
      (.control("d"), .endIfEmpty), (.control("u"), .killLineStart),
      (.control("w"), .deletePreviousWord), (.control("v"), .quotedInsert),
      (.control("q"), .quotedInsert), (.control("r"), .searchBackward),
      (.control("p"), .searchPreviousHistory), (.control("n"), .searchNextHistory),
    ])

  private static let viTable = Table(
    commonKeys + viMotions + viChanges + "123456789".map { (.character($0), .argumentDigit) },
    sequences: [
      ([.character("g"), .character("g")], .viToFirstLine),
      ([.control("x"), .control("e")], .externalEditor),
    ])

  private static let viMotions: [(Key, EditorCommand)] =
    [
      ("h", .previousCharacter), ("l", .nextCharacter), (" ", .nextCharacter),
      ("j", .searchNextHistory), ("k", .searchPreviousHistory),
      ("+", .nextHistory), ("-", .previousHistory),
      ("w", .viNextWord), ("b", .viPreviousWord), ("e", .viEndWord),
      ("W", .viNextBigWord), ("B", .viPreviousBigWord), ("E", .viEndBigWord),
      ("0", .zeroOrStart), ("^", .viFirstNonBlank), ("$", .moveToEnd), ("|", .viToColumn),
      ("f", .viFindNext), ("F", .viFindPrevious),
      ("t", .viFindToNext), ("T", .viFindToPrevious),
      (";", .viRepeatFind), (",", .viRepeatFindBackward), ("%", .viMatch), ("G", .viToLine),
      ("/", .viSearchBackward), ("?", .viSearchForward),
      ("n", .viRepeatSearch), ("N", .viRepeatSearchBackward),
    ].map { (.character($0), $1) } + [
      (.backspace, .previousCharacter), (.control("h"), .previousCharacter),
      (.control("a"), .moveToStart), (.control("e"), .moveToEnd),
      (.control("n"), .searchNextHistory), (.control("p"), .searchPreviousHistory),
    ]

  private static let viChanges: [(Key, EditorCommand)] =
    [
      ("i", .viInsert), ("a", .viAdd), ("I", .viInsertAtStart), ("A", .viAddAtEnd),
      ("o", .viOpenBelow), ("O", .viOpenAbove), ("R", .viReplaceMode),
      ("x", .deleteNextCharacter), ("X", .deletePreviousCharacter),
      ("d", .viDelete), ("c", .viChange), ("y", .viYank), ("Y", .viYankEnd),
      ("D", .killLine), ("C", .viChangeToEnd),
      ("s", .viSubstituteCharacter), ("S", .viSubstituteLine), ("r", .viReplaceCharacter),
      ("~", .viChangeCase), ("J", .viJoinLines),
      ("p", .viPasteNext), ("P", .viPastePrevious),
      ("u", .undo), (".", .viRepeatChange), ("v", .externalEditor), ("#", .viCommentOut),
    ].map { (.character($0), $1) } + [
      (.control("r"), .redo), (.control("d"), .endIfEmpty), (.escape, .viCommandMode),
      (.control("k"), .killLine), (.control("u"), .killLineStart),
      (.control("w"), .deletePreviousWord),
    ]
}
