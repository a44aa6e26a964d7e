import PrimereplFoundation
import PrimereplPlatform

/// Reads blocks of text from a terminal, with editing, history, completion, hints and colors.
///
/// While a block is edited, everything that is written to the terminal by other means appears above it. A process has one
/// editor, which belongs to the main actor; only `interrupt` may be called elsewhere.
@MainActor
package final class LineEditor {
  package enum Input: Equatable, Sendable {
    case text(String)
    /// Ctrl-C, which discards the text.
    case interrupted
    /// Ctrl-D without a text, or the terminal is gone.
    case endOfInput
  }

  /// Whether text can be edited on a terminal: it can move its cursor, as TERM says.
  ///
  /// Otherwise plain lines can still be read.
  package static func canEdit(
    input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, _ environment: [String: String]
  ) -> Bool {
    guard isatty(input) == 1, isatty(output) == 1 else { return false }
    return !["", "dumb"].contains(environment["TERM"] ?? "")
  }

  package let model: EditorModel

  /// Edits a text in another program; nil if there is none, or if the text is to stay as it is.
  package var editExternally: ((String) async -> String?)?

  /// The row below everything else while a block is edited; nil for none.
  package var status: StyledText? {
    didSet {
      guard status != oldValue else { return }
      model.status = status
      if isEditing { draw() }
    }
  }

  private let terminal: Terminal
  private let relay: OutputRelay
  private let input: TerminalInput
  private let wakePipe: WakePipe
  private let reflows: Bool
  private var decoder = KeyDecoder()
  private var layout = DisplayLayout()
  private var activity = Activity.none
  private var isClosed = false
  private var size = ScreenSize(columns: 80, rows: 24)
  /// Keys that came in one piece with those of the previous input.
  private var pendingKeys: [Key] = []

  private enum Activity: Equatable {
    case none
    case editing
    /// The caller draws rows of its own.
    case drawing([StyledText])
    case waiting
  }

  /// Milliseconds after which an Escape is a key rather than the start of a sequence.
  private static let escapeTimeout: Int32 = 50

  /// Makes an editor of a terminal, on which text can be edited.
  ///
  /// Without colors, other styles are still shown. Output to those descriptors of `redirecting` that are the terminal is
  /// shown above the block.
  ///
  /// - Throws: `SystemCallError` if descriptors have run out.
  package init(
    input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, environment: [String: String],
    delegate: any LineEditorDelegate, history: InputHistory, keyMap: KeyMap, usesColors: Bool,
    redirecting: [Int32] = [STDOUT_FILENO, STDERR_FILENO]
  ) throws {
    wakePipe = try WakePipe()
    terminal = try Terminal(input: input, output: output)
    relay = try OutputRelay(
      terminal: terminal, usesColors: usesColors, descriptors: redirecting)
    self.input = TerminalInput(descriptor: input, wakePipe: wakePipe)
    reflows = Terminal.reflows(in: environment)
    model = EditorModel(delegate: delegate, history: history, keyMap: keyMap)
  }

  // MARK: - Reading

  package var isEditing: Bool { activity == .editing }

  /// Lets the user edit a block, until it is complete; `.endOfInput` after `close`.
  ///
  /// Lines after the first begin with dots in the prompt's width. The suggestion is shown while nothing is typed.
  package func read(prompt: StyledText, suggestion: String? = nil) async -> Input {
    guard !isClosed else { return .endOfInput }
    finish()
    // Ignore signals that arrived before this block.
    wakePipe.drain()
    model.begin(
      prompt: prompt, continuation: Self.continuation(of: prompt), suggestion: suggestion)
    activity = .editing
    layout = DisplayLayout()
    beginSession(.editing)
    draw()
    let keys = pendingKeys
    pendingKeys = []
    var result = await handle(keys)
    while result == nil { result = await handle(await nextEvent()) }
    return result ?? .endOfInput
  }

  /// Changes the prompt of the block that is edited, if there is one.
  package func setPrompt(_ prompt: StyledText) {
    guard isEditing, prompt != model.prompt else { return }
    (model.prompt, model.continuationPrompt) = (prompt, Self.continuation(of: prompt))
    draw()
  }

  /// Interrupts a waiting `read`, as Ctrl-C does; safe on any thread, and in a signal handler.
  package nonisolated func interrupt() { wakePipe.wake(UInt8(SIGINT)) }

  /// Restores the terminal for good; a waiting `read` returns `.endOfInput`, and so do all later ones.
  package func close() {
    isClosed = true
    finish()
    wakePipe.wake(WakePipe.look)
  }

  private static func continuation(of prompt: StyledText) -> StyledText {
    let dots = StyledText(String(repeating: ".", count: max(prompt.columns - 1, 0)), .dim)
    return dots.padded(to: prompt.columns)
  }

  private func nextEvent() async -> TerminalInput.Event {
    await input.next(timeout: decoder.isInSequence ? Self.escapeTimeout : nil)
  }

  private func handle(_ event: TerminalInput.Event) async -> Input? {
    if isClosed { return .endOfInput }
    switch event {
    case .bytes(let bytes, let isFollowed):
      model.isLineFollowed = isFollowed
      defer { model.isLineFollowed = false }
      return await handle(decoder.decode(bytes))
    case .timedOut: return await handle(decoder.flush())
    case .ended:
      finish()
      return .endOfInput
    case .woken(UInt8(SIGINT)):
      discardPartialInput()
      return await handle([.control("c")])
    case .woken(let reason):
      handle(wake: reason)
      return nil
    }
  }

  /// Passes keys to the model, and shows the result; nil if editing continues.
  private func handle(_ keys: [Key]) async -> Input? {
    for (index, key) in keys.enumerated() {
      switch model.handle(key) {
      case .editing: break
      case .refused: ringBell()
      case .suspended: suspend()
      case .screenCleared: relay.draw { $0.clearScreen() }
      case .externalEditor(let text): await edit(text)
      case .accepted(let text):
        pendingKeys = Array(keys[(index + 1)...])
        finish()
        return .text(text)
      case .interrupted:
        finish(appending: "^C")
        return .interrupted
      case .endOfInput:
        finish()
        return .endOfInput
      }
      if isClosed { return .endOfInput }
    }
    draw()
    return nil
  }

  private func handle(wake reason: UInt8) {
    switch Int32(reason) {
    case SIGWINCH: resize()
    case SIGCONT:
      // The shell has written below what was shown.
      beginDrawing()
      draw()
    default: break
    }
  }

  /// Forgets a sequence or a paste that an interrupt has cut off.
  private func discardPartialInput() {
    decoder.reset()
    pendingKeys = []
    input.discardPartialInput()
  }

  // MARK: - Drawing

  /// Shows text above the block, or at the cursor if no block is edited.
  package func print(above text: StyledText) {
    relay.drain()
    relay.draw { $0.write(lines: text) }
  }

  package var screen: ScreenSize { terminal.screen }

  private func draw() {
    switch activity {
    case .editing:
      let frame = layout.frame(of: model.view, on: size)
      relay.draw { $0.draw(frame) }
    case .drawing(let rows):
      let frame = DisplayFrame(rows, on: size)
      relay.draw { $0.draw(frame) }
    case .none, .waiting: break
    }
  }

  private func resize() {
    let new = terminal.screen
    guard new != size else { return }
    size = new
    model.screen = new
    relay.draw { [reflows] in $0.resize(to: new, reflows: reflows) }
    draw()
  }

  private func ringBell() { relay.draw { _ in [0x07] } }

  // MARK: - Sessions at the terminal

  private func beginSession(_ mode: Terminal.Mode) {
    terminal.enter(mode, reportingTo: wakePipe)
    if mode == .editing { input.countTypeAhead() }
    relay.open(isUnbuffered: mode == .editing)
    beginDrawing()
  }

  private func endSession() {
    relay.close()
    terminal.leave()
  }

  private func beginDrawing() {
    let new = terminal.screen
    size = new
    model.screen = new
    relay.draw { renderer in
      renderer.begin(on: new)
      return []
    }
  }

  /// Ends the block: its text stays in full, and the terminal is as before.
  private func finish(appending mark: String = "") {
    switch activity {
    case .none: return
    case .editing: leaveBlock(appending: mark)
    case .drawing: relay.draw { $0.erase() }
    case .waiting:
      terminal.setRowBelowCursor(false)
      relay.draw { $0.showWaiting(nil) }
    }
    activity = .none
    endSession()
  }

  private func leaveBlock(appending mark: String = "") {
    relay.drain()
    var view = model.view
    if let last = view.lines.indices.last { view.lines[last].append(mark) }
    let rows = DisplayLayout.rows(ofWhole: view, columns: size.columns)
    relay.draw { $0.finish(with: rows) }
  }

  private func suspend() {
    switch activity {
    case .editing: leaveBlock()
    case .drawing: relay.draw { $0.erase() }
    case .none, .waiting: break
    }
    endSession()
    Terminal.stopProcess()
    beginSession(.editing)
    draw()
  }

  private func edit(_ text: String) async {
    guard let editExternally else { return ringBell() }
    relay.draw { $0.erase() }
    endSession()
    let edited = await editExternally(text)
    guard !isClosed else { return }
    beginSession(.editing)
    if let edited { model.setText(edited) }
  }

  // MARK: - Rows and keys of the caller

  /// Shows rows in place of those drawn before; `erase` must follow at the end.
  ///
  /// Not while a block is edited.
  package func draw(_ rows: [StyledText]) {
    guard beginDrawingRows() else { return }
    activity = .drawing(rows)
    draw()
  }

  /// Erases the rows, and restores the terminal.
  package func erase() {
    guard case .drawing = activity else { return }
    finish()
  }

  /// Waits for a key, with the terminal set up as for `draw`; `erase` must follow at the end.
  ///
  /// Not while a block is edited. Ctrl-C is `.control("c")`. After a change of the screen's size, the result is
  /// `.unknown`, so that the caller can draw again.
  ///
  /// - Returns: The key; nil if the terminal is gone or closed.
  package func readKey() async -> Key? {
    guard beginDrawingRows() else { return nil }
    while pendingKeys.isEmpty {
      switch await nextEvent() {
      case .bytes(let bytes, _): pendingKeys = decoder.decode(bytes)
      case .timedOut: pendingKeys = decoder.flush()
      case .ended: return nil
      case .woken(UInt8(SIGINT)):
        discardPartialInput()
        return .control("c")
      case .woken(let reason):
        if isClosed { return nil }
        handle(wake: reason)
        if Int32(reason) == SIGWINCH { return .unknown }
      }
      if isClosed { return nil }
    }
    let key = pendingKeys.removeFirst()
    guard key == .control("z") else { return key }
    suspend()
    return .unknown
  }

  /// Any key other than y that ends the question means no.
  package func ask(_ question: String) async -> Bool {
    let text = StyledText(question + " (y/n) ")
    draw([text])
    var isYes = false
    waiting: while let key = await readKey() {
      switch key {
      case .character("y"), .character("Y"):
        isYes = true
        break waiting
      case .character("n"), .character("N"), .escape, .enter, .control("c"), .control("d"),
        .control("g"), .control("j"):
        break waiting
      case .unknown: draw([text])
      default: ringBell()
      }
    }
    erase()
    print(above: text + StyledText(isYes ? "yes" : "no"))
    return isYes
  }

  private func beginDrawingRows() -> Bool {
    if isClosed { return false }
    if case .drawing = activity { return true }
    guard activity == .none else { return false }
    wakePipe.drain()
    activity = .drawing([])
    beginSession(.editing)
    return true
  }

  // MARK: - Waiting

  /// Prepares the terminal for a row that is shown while a program's code waits.
  ///
  /// Keys aren't echoed meanwhile, and stay for the next reader of the terminal. Ctrl-T is SIGQUIT, which the caller must
  /// handle. Output to the terminal continues at the cursor.
  package func beginWaiting() {
    guard activity == .none, !isClosed else { return }
    activity = .waiting
    beginSession(.waiting)
  }

  /// Shows a row below the cursor in place of the one before; nil for none.
  package func showWaiting(_ row: StyledText?) {
    guard activity == .waiting else { return }
    relay.drain()
    // A column stays free, so that a narrower screen is less likely to break the row.
    let columns = max(terminal.screen.columns - 1, 1)
    let row = row.map { DisplayRow($0, fittedTo: columns) }
    relay.draw { $0.showWaiting(row) }
    terminal.setRowBelowCursor(row != nil)
  }

  /// Erases the row, and restores the terminal.
  package func endWaiting() {
    guard activity == .waiting else { return }
    relay.drain()
    finish()
  }
}
