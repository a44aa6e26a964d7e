import CLibedit
import Foundation
import StateStore
import Platform

/// libedit, editing one line after another on a terminal.
///
/// Everything here runs on the thread that is in `readLine`.
final class Libedit {
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
  private let completionCommand: [wchar_t]
  private var outcome: Result<LineInput, LineEditorError>?

  /// Sets libedit up on standard input and output, and reads the user's `.editrc`.
  init(
    programName: String, mailbox: EditorMailbox,
    complete: @escaping @Sendable (_ lineUpToCursor: String) -> [String]
  ) throws {
    self.mailbox = mailbox
    self.complete = complete
    completionCommand = "\(programName)-complete".wide
    input = InputSource(descriptor: STDIN_FILENO, wakePipe: mailbox.wakePipe)
    files = try TerminalFiles(input: STDIN_FILENO, output: STDOUT_FILENO)
    locale = edit_new_utf8_locale()
    let previousLocale = uselocale(locale)
    defer { uselocale(previousLocale) }
    guard let editor = el_init(programName, files.input, files.output, files.output),
      let history = history_winit()
    else { throw LineEditorError.terminalUnusable }
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
    // libedit would do this only after it shows the prompt, and lose the end of a long line pasted in between.
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

  // MARK: - Callbacks

  private func configure() {
    edit_set_client_data(editor, Unmanaged.passUnretained(self).toOpaque())
    edit_set_prompt(
      editor, { Libedit.of($0)?.promptForLibedit.baseAddress },
      wchar_t(bitPattern: PromptText.marker.value))
    edit_set_read_function(editor) { editor, character in
      guard let scalar = Libedit.of(editor)?.nextScalar() else { return -1 }
      character?.pointee = wchar_t(bitPattern: scalar.value)
      return 1
    }
    edit_add_command(editor, completionCommand, "Complete the word".wide) {
      editor, _ in
      Libedit.of(editor)?.completeWord() ?? UInt8(CC_ERROR)
    }
    edit_history_set_size(history, Int32(LineHistoryFile.capacity))
    edit_set_history(editor, history)
    edit_set_key_map(editor, "emacs".wide)
    bindKeys()
    // A missing file is no error.
    el_source(editor, nil)
    // Choosing vi's keys clears the bindings made before.
    if edit_key_map_is_vi(editor) { bindKeys() }
  }

  private func bindKeys() {
    edit_bind(editor, "^I".wide, completionCommand)
    edit_bind(editor, "^R".wide, "em-inc-search-prev".wide)
  }

  private static func of(_ editor: OpaquePointer?) -> Libedit? {
    edit_client_data(editor).map { Unmanaged<Libedit>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func allocate(_ text: [wchar_t]) -> UnsafeMutableBufferPointer<wchar_t> {
    let copy = UnsafeMutableBufferPointer<wchar_t>.allocate(capacity: text.count)
    _ = copy.initialize(from: text)
    return copy
  }

  // MARK: - Input

  /// The next typed character; nil ends the line, and `outcome` says why.
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
      // The terminal may have wrapped the lines again, so the cursor's row depends on the new width.
      el_resize(editor)
      erase()
    case SIGCONT:
      // Another program may have changed the terminal's modes meanwhile.
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

  // MARK: - Display

  /// Clears the prompt and the line from the screen, and leaves the cursor where the prompt began.
  ///
  /// libedit doesn't know, so call `edit_refresh` next.
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

  // MARK: - Completion

  /// Handles Tab, and returns a CC_ code that tells libedit what to draw.
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
  /// The characters as C's wide characters, ended by a zero.
  fileprivate var wide: [wchar_t] { Array(unicodeScalars).wide }
}

extension [Unicode.Scalar] {
  fileprivate var wide: [wchar_t] { map { wchar_t(bitPattern: $0.value) } + [0] }
}

extension UnsafeBufferPointer<wchar_t> {
  /// The characters as text; an invalid one becomes U+FFFD.
  fileprivate var string: String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: lazy.map { Unicode.Scalar(UInt32(bitPattern: $0)) ?? "\u{FFFD}" })
    return String(text)
  }
}

/// Decodes UTF-8 byte by byte, and returns each character as soon as its last byte arrives.
///
/// Invalid bytes become what `String.init(systemBytes:)` makes of them. (The standard library's decoders read ahead,
/// so a typed character would wait for the next one.)
struct UTF8Decoder {
  private var pending: [UInt8] = []

  /// Adds a byte and returns the characters that it completes: none, one, or two if the bytes before turn out to be
  /// incomplete.
  mutating func decode(_ byte: UInt8) -> [Unicode.Scalar] {
    let isContinuation = byte & 0b1100_0000 == 0b1000_0000
    var scalars = isContinuation ? [] : finish()
    pending.append(byte)
    if pending.count >= Self.length(leadByte: pending[0]) { scalars += finish() }
    return scalars
  }

  /// Takes the incomplete character.
  mutating func finish() -> [Unicode.Scalar] {
    defer { pending.removeAll() }
    return Array(String(systemBytes: pending).unicodeScalars)
  }

  /// The number of bytes of the character that starts with a byte; 1 if none can.
  private static func length(leadByte: UInt8) -> Int {
    switch leadByte {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }
}
