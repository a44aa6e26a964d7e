import CLibedit
import Foundation

/// libedit, editing one line after another on a terminal.
///
/// Everything here happens on the one thread that is in `readLine`.
final class EditSession {
  private let editor: OpaquePointer
  private let history: OpaquePointer
  private let files: TerminalFiles
  private let locale: locale_t?
  private let input: InputSource
  private let mailbox: EditorMailbox
  private let complete: @Sendable (String) -> [String]

  private var signals = SignalRelay()
  private var decoder = UTF8Decoder()
  private var decoded: [Unicode.Scalar] = []
  private var prompt = PromptText("")
  private var promptForLibedit: UnsafeMutableBufferPointer<wchar_t>
  private var outcome: Result<LineInput, LineEditorError>?

  /// Sets libedit up on standard input and output, and reads the user's `.editrc`.
  ///
  /// - Parameters:
  ///   - programName: The name that lines in `.editrc` may be restricted to.
  ///   - mailbox: What other threads have for this one.
  ///   - complete: Gives what the line up to the cursor could become.
  /// - Throws: `LineEditorError.terminalUnusable` or `systemCallFailed`.
  init(
    programName: String, mailbox: EditorMailbox,
    complete: @escaping @Sendable (_ lineUpToCursor: String) -> [String]
  ) throws(LineEditorError) {
    self.mailbox = mailbox
    self.complete = complete
    input = InputSource(descriptor: STDIN_FILENO, wakePipe: mailbox.wakePipe)
    files = try TerminalFiles(input: STDIN_FILENO, output: STDOUT_FILENO)
    locale = edit_new_utf8_locale()
    let previousLocale = uselocale(locale)
    defer { uselocale(previousLocale) }
    guard let editor = el_init(programName, files.input, files.output, files.output),
      let history = history_winit()
    else { throw .terminalUnusable }
    self.editor = editor
    self.history = history
    promptForLibedit = Self.allocate("".wide)
    configure()
  }

  deinit {
    el_end(editor)
    history_wend(history)
    promptForLibedit.deallocate()
    if let locale { freelocale(locale) }
  }

  /// Edits a line, blocking the thread.
  func readLine(prompt text: String) throws(LineEditorError) -> LineInput {
    let previousLocale = uselocale(locale)
    defer { uselocale(previousLocale) }
    for line in mailbox.takeHistoryLines() {
      edit_history_add(history, line.wide)
    }
    prompt = PromptText(text)
    promptForLibedit.deallocate()
    promptForLibedit = Self.allocate(prompt.marked.wide)
    outcome = nil

    TerminalModes.save(of: STDIN_FILENO)
    signals.start(to: mailbox.wakePipe)
    mailbox.beginLine()
    let line = mailbox.isClosed ? nil : editLine()
    for text in mailbox.endLine() { files.write(text) }
    signals.stop(relayingTo: mailbox.wakePipe)
    TerminalModes.forget()
    if let line { return .line(line) }
    return try outcome?.get() ?? .endOfInput
  }

  /// Lets libedit edit a line; nil if there is none, and `outcome` says why unless it is Ctrl-D.
  private func editLine() -> String? {
    // libedit would do so only after the prompt is shown, and lose the end of a long line that is
    // pasted in between.
    edit_prepare_terminal(editor, 1)
    var count: Int32 = 0
    guard let characters = el_wgets(editor, &count), count > 0 else {
      if outcome == nil { files.write("\n") }
      return nil
    }
    let line = UnsafeBufferPointer(start: characters, count: Int(count))
    let newline = wchar_t(UInt8(ascii: "\n"))
    return UnsafeBufferPointer(rebasing: line.last == newline ? line.dropLast() : line[...]).string
  }

  // MARK: What libedit calls

  private func configure() {
    edit_set_client_data(editor, Unmanaged.passUnretained(self).toOpaque())
    edit_set_prompt(
      editor, { EditSession.of($0)?.promptForLibedit.baseAddress },
      wchar_t(bitPattern: PromptText.marker.value))
    edit_set_read_function(editor) { editor, character in
      guard let scalar = EditSession.of(editor)?.nextScalar() else { return -1 }
      character?.pointee = wchar_t(bitPattern: scalar.value)
      return 1
    }
    edit_add_command(editor, "\(Console.current.name)-complete".wide, "Complete the word".wide) {
      editor, _ in
      EditSession.of(editor)?.completeWord() ?? UInt8(CC_ERROR)
    }
    edit_history_set_size(history, Int32(HistoryFile.capacity))
    edit_set_history(editor, history)
    edit_set_key_map(editor, "emacs".wide)
    bindKeys()
    // Fails if there is no such file, which is no error.
    el_source(editor, nil)
    // Choosing vi's keys clears the bindings made before.
    if edit_key_map_is_vi(editor) { bindKeys() }
  }

  private func bindKeys() {
    edit_bind(editor, "^I".wide, "\(Console.current.name)-complete".wide)
    edit_bind(editor, "^R".wide, "em-inc-search-prev".wide)
  }

  /// The session that libedit calls.
  private static func of(_ editor: OpaquePointer?) -> EditSession? {
    edit_client_data(editor).map { Unmanaged<EditSession>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func allocate(_ text: [wchar_t]) -> UnsafeMutableBufferPointer<wchar_t> {
    let copy = UnsafeMutableBufferPointer<wchar_t>.allocate(capacity: text.count)
    _ = copy.initialize(from: text)
    return copy
  }

  // MARK: Input

  /// The next character that was typed; nil ends the line, and `outcome` says why.
  private func nextScalar() -> Unicode.Scalar? {
    while decoded.isEmpty {
      switch input.next() {
      case .byte(let byte): decoded = decoder.decode(byte)
      case .wake(WakePipe.look):
        guard !mailbox.isClosed else {
          leaveLine()
          outcome = .success(.endOfInput)
          return nil
        }
        showTexts()
      case .wake(UInt8(SIGINT)):
        leaveLine(saying: "^C")
        outcome = .success(.interrupted)
        decoder = UTF8Decoder()
        return nil
      case .wake(let signal): handle(signal: Int32(signal))
      case .end: return nil
      case .failure(let number):
        outcome = .failure(.inputUnreadable(errorNumber: number))
        return nil
      }
    }
    return decoded.removeFirst()
  }

  private func handle(signal: Int32) {
    switch signal {
    case SIGWINCH:
      // The terminal may have broken the lines anew, so the new width says where the cursor is.
      el_resize(editor)
      erase()
    case SIGCONT:
      // Whoever ran meanwhile may have changed the terminal's modes.
      edit_prepare_terminal(editor, 0)
      edit_prepare_terminal(editor, 1)
      erase()
    default:
      leaveLine()
      edit_prepare_terminal(editor, 0)
      signals.passOn(signal)
      edit_prepare_terminal(editor, 1)
    }
    edit_refresh(editor)
  }

  // MARK: Display

  /// Clears prompt and line from the screen, and leaves the cursor where the prompt began.
  ///
  /// libedit still takes them to be there, so `edit_refresh` has to follow.
  private func erase() {
    guard let line = el_wline(editor)?.pointee else { return }
    let text = UnsafeBufferPointer(start: line.buffer, count: line.cursor - line.buffer)
    let display = DisplayedLine(
      columns: Int(edit_terminal_number(editor, "co")),
      rows: Int(edit_terminal_number(editor, "li")))
    let next = UnsafeBufferPointer(start: line.cursor, count: line.cursor < line.lastchar ? 1 : 0)
    let row = display.cursorRow(
      prompt: prompt.visible, text: text.string.unicodeScalars,
      next: next.string.unicodeScalars.first)
    // ECMA-48: cursor up (CUU), erase to the end of the screen (ED).
    files.write(row > 0 ? "\r\u{1B}[\(row)A\u{1B}[J" : "\r\u{1B}[J")
  }

  /// Moves the cursor below the line, which stays on the screen.
  private func leaveLine(saying remark: String = "") {
    guard let line = el_wline(editor)?.pointee else { return }
    let rest = Int32(clamping: line.lastchar - line.cursor)
    erase()
    el_cursor(editor, rest)
    edit_refresh(editor)
    files.write(remark + "\n")
    el_cursor(editor, -rest)
  }

  private func showTexts() {
    let texts = mailbox.takeTexts()
    guard !texts.isEmpty else { return }
    erase()
    for text in texts { files.write(text) }
    edit_refresh(editor)
  }

  // MARK: Completion

  /// Does what Tab asks for, and tells libedit by a CC_ code what to draw.
  private func completeWord() -> UInt8 {
    guard let line = el_wline(editor)?.pointee else { return UInt8(CC_ERROR) }
    let typed = UnsafeBufferPointer(start: line.buffer, count: line.cursor - line.buffer).string
    if typed.allSatisfy(\.isWhitespace) { return insert("  ") }
    switch Completion(line: typed, candidates: complete(typed)) {
    case .none: return UInt8(CC_REFRESH_BEEP)
    case .insert(let text): return insert(text)
    case .list(let names):
      leaveLine()
      let width = Int(edit_terminal_number(editor, "co"))
      for line in ColumnLayout.lines(names, width: width) { files.write(line + "\n") }
      edit_refresh(editor)
      return UInt8(CC_NORM)
    }
  }

  private func insert(_ text: String) -> UInt8 {
    el_winsertstr(editor, text.wide) == 0 ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
  }
}

extension String {
  /// The characters as C's wide ones, ended by a zero.
  fileprivate var wide: [wchar_t] { Array(unicodeScalars).wide }
}

extension [Unicode.Scalar] {
  /// The characters as C's wide ones, ended by a zero.
  fileprivate var wide: [wchar_t] { map { wchar_t(bitPattern: $0.value) } + [0] }
}

extension UnsafeBufferPointer<wchar_t> {
  /// The characters as text; what isn't a Unicode scalar value becomes U+FFFD.
  fileprivate var string: String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: lazy.map { Unicode.Scalar(UInt32(bitPattern: $0)) ?? "\u{FFFD}" })
    return String(text)
  }
}
