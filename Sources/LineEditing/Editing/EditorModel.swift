/// The state of an edit: the text, the cursor, the history, menus and searches.
///
/// It knows no terminal: it takes keys and returns a view to show.
@MainActor
package final class EditorModel {
  /// The result of a key that the terminal or the caller has to act on.
  package enum Outcome: Equatable, Sendable {
    /// The edit continues; its view may have changed.
    case editing
    /// Enter on a complete text.
    case accepted(String)
    /// Ctrl-C on a text; the view is that of the discarded text.
    case interrupted
    /// Ctrl-D on an empty text.
    case endOfInput
    /// Ctrl-Z.
    case suspended
    /// Ctrl-L.
    case screenCleared
    /// A key without effect that deserves a bell.
    case refused
    /// Ctrl-X Ctrl-E: the text is to be edited in another program.
    case externalEditor(String)
  }

  /// The kind of a command, for commands that continue the previous one.
  enum Action: Equatable {
    case typing
    case deleting
    case killing
    /// The text that was inserted from the kill ring.
    case yanking(Range<Int>)
    /// The last word of an entry of the history, and where it was inserted.
    case insertingArgument(entry: Int, Range<Int>)
    case other
  }

  /// The handler of the next key or command, in place of the usual one.
  enum Awaiting {
    case key((Key) -> Outcome)
    /// A command with the number typed before it.
    case command((EditorCommand, Int?) -> Outcome)
  }

  let delegate: any LineEditorDelegate
  let history: InputHistory
  private let keyMap: KeyMap
  private(set) lazy var mode = keyMap.style.makeMode(for: self)

  /// Menus are laid out for it.
  package var screen = ScreenSize(columns: 80, rows: 24)
  package var status: StyledText?

  /// Whether there is more input after the next Enter already, as of a paste into a terminal without brackets for
  /// pastes: after a fault in a line, the lines after it must neither run nor mix with it.
  package var isLineFollowed = false

  var prompt = StyledText()
  var continuationPrompt = StyledText()
  var suggestion: String?

  var buffer = EditBuffer()
  var killRing = KillRing()
  var mark: Int?
  /// The line that was moved back as it closes a block, while it is typed, and its indentation before that.
  var reindented: (line: Int, indentation: Int)?
  /// Whether keys type text, and the cursor is between characters; if not, keys are commands, and it is on one.
  var isInserting = true
  var isOverwriting = false
  /// Whether edits extend the current step of undo instead of beginning their own.
  var isStepHeld = false

  var walk: HistoryWalk?
  var search: IncrementalSearch?
  var lastPattern = ""
  var menu: CompletionMenu?
  /// The description of a completion's only candidate.
  var detail = StyledText()
  var annotation = StyledText()

  var argument: Int?
  var awaiting: Awaiting?
  private var pendingKeys: [Key] = []
  var previousAction = Action.other
  var action = Action.other
  /// Whether the text was accepted or discarded: only the text is shown.
  private(set) var isFinished = false

  var styled: StyledLines?

  package init(
    delegate: any LineEditorDelegate, history: InputHistory, keyMap: KeyMap = .emacs
  ) {
    (self.delegate, self.history, self.keyMap) = (delegate, history, keyMap)
  }

  /// Begins an empty text, for which a completion can be suggested, such as a corrected input.
  package func begin(prompt: StyledText, continuation: StyledText, suggestion: String? = nil) {
    (self.prompt, continuationPrompt, self.suggestion) = (prompt, continuation, suggestion)
    buffer = EditBuffer()
    (mark, reindented, walk, search, menu) = (nil, nil, nil, nil, nil)
    (detail, annotation) = (StyledText(), StyledText())
    isFinished = false
    (action, previousAction) = (.other, .other)
    (argument, awaiting, pendingKeys) = (nil, nil, [])
    (isInserting, isOverwriting, isStepHeld) = (true, false, false)
    mode.reset()
  }

  package var text: String { buffer.text }

  /// Replaces the text, as a step of undo, and moves the cursor to its end.
  package func setText(_ text: String) {
    closeMenus()
    buffer.setText(text)
  }

  // MARK: - Keys

  package func handle(_ key: Key) -> Outcome {
    isFinished = false
    (annotation, detail) = (StyledText(), StyledText())
    let outcome = route(key)
    mode.didHandle(key, outcome)
    if let suggestion, !suggestion.hasPrefix(buffer.text) { self.suggestion = nil }
    return outcome
  }

  var isAtCommandStart: Bool { pendingKeys.isEmpty && argument == nil && awaiting == nil }

  private func route(_ key: Key) -> Outcome {
    if key == .unknown { return .editing }
    if case .key(let handle) = awaiting {
      awaiting = nil
      return handle(key)
    }
    if search != nil, let outcome = handleInSearch(key) { return outcome }
    if menu != nil, let outcome = handleInMenu(key) { return outcome }
    if case .paste(let text) = key { return paste(text) }
    return dispatch(key)
  }

  /// Runs the command of a key, or waits for the rest of a sequence.
  private func dispatch(_ key: Key) -> Outcome {
    pendingKeys.append(key)
    let keys = pendingKeys
    let table = isInserting ? keyMap.inserting : keyMap.commanding
    switch table.match(keys) {
    case .incomplete: return .editing
    case .command(let command):
      pendingKeys = []
      return run(command, key)
    case .none:
      pendingKeys = []
      if keys.count == 1, case .character = key, isInserting { return run(.insert, key) }
      (argument, awaiting) = (nil, nil)
      return .refused
    }
  }

  private func run(_ command: EditorCommand, _ key: Key) -> Outcome {
    previousAction = action
    action = .other
    return perform(command, key)
  }

  /// Handles keys again, up to a refused one.
  func play(_ keys: [Key]) -> Outcome {
    var outcome = Outcome.editing
    for key in keys {
      outcome = route(key)
      guard outcome == .editing else { break }
    }
    return outcome
  }

  private func paste(_ text: String) -> Outcome {
    (previousAction, action) = (action, .other)
    (argument, pendingKeys, awaiting) = (nil, [], nil)
    beginStep()
    buffer.insert(text)
    beginStep()
    return .editing
  }

  /// Lets the next edit begin a step of undo, unless the current step is held.
  func beginStep() {
    if !isStepHeld { buffer.endStep() }
  }

  // MARK: - Ending

  /// Runs the text if it is complete, and adds a line if it isn't, or if the cursor is in the middle of a block.
  func enter() -> Outcome {
    let rest = buffer.characters[buffer.cursor...]
    let isInBlock = rest.contains("\n") && !rest.isBlank
    if isInBlock, isInserting { return insertLine() }
    switch delegate.verdict(on: buffer.text) {
    case .complete: return finish(.accepted(buffer.text))
    case .incomplete:
      if !isInserting {
        buffer.moveCursor(to: buffer.count)
        isInserting = true
      }
      return insertLine()
    case .fault where isLineFollowed: return insertLine()
    case .fault(let offset, let message):
      buffer.moveCursor(to: buffer.position(ofOffset: offset))
      annotation = StyledText(message, Style(.red))
      return .editing
    }
  }

  /// Shows nothing but the text from now on.
  func finish(_ outcome: Outcome) -> Outcome {
    endSearch(taking: true)
    closeMenus()
    isFinished = true
    buffer.moveCursor(to: buffer.count)
    return outcome
  }

  func closeMenus() {
    endSearch(taking: false)
    menu = nil
  }
}
