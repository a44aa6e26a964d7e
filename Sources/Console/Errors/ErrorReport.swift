import LineEditing
import Lua
import Platform
import Scripting
import StateStore

/// An error as the prompt shows it: the message, what it takes to understand it, and the corrected input.
@MainActor
struct ErrorReport {
  /// The input that was run.
  struct Input {
    /// The text, in any bytes (see `String.init(systemBytes:)`).
    let text: String

    /// The offset of a syntax error in the text's UTF-8 form; nil for other errors.
    var fault: Int?
  }

  /// What the errors of a session are reported with.
  struct Context {
    let names: KnownNames

    /// The name of the chunks of input in messages.
    var chunk = "stdin"

    /// The width of the screen.
    var columns = 80

    /// Shows an error value that isn't a text, on one line.
    let show: (LuaValue) -> StyledText
  }

  /// The message in red, and below it the faulty line or the calls of the user's own functions.
  private(set) var lines: [StyledText] = []

  /// The input with the name that was meant; nil if that isn't known.
  private(set) var correction: String?

  /// All calls that led to the error, with those of the host; nil if there were none.
  let fullTraceback: String?

  /// Reports an error of the input.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - input: The input; nil if it isn't known, as for an error of an earlier input's task.
  ///   - context: What it is reported with.
  init(_ error: LuaError, in input: Input?, _ context: Context) {
    self.init(error, in: input, context, title: "")
  }

  /// Reports the error of a task that nothing waited for: "task failed: 8 is not prime".
  init(ofTask error: LuaError, _ context: Context) {
    self.init(error, in: nil, context, title: "task failed: ")
  }

  private init(_ error: LuaError, in input: Input?, _ context: Context, title: String) {
    fullTraceback = error.traceback.map(Self.shown)
    let traceback = error.traceback.map { Traceback(Self.shown($0), ownChunk: context.chunk) }
    if let value = context.names.state.value(of: error), Self.hasNoText(value, error) {
      lines = Self.lines(of: value, title, context)
    } else {
      let source = input.map { SourceNames($0.text) }
      let message = ErrorMessage(
        of: error, chunk: context.chunk, input: input?.text,
        isOfEarlierInput: traceback?.endsInOwnFunction == true && source?.hasFunction != true)
      var text = message.text
      if let unknown = UnknownName(in: message.text),
        let suggestion = NameSuggestion(
          for: unknown, in: source, line: message.inputLine, context.names)
      {
        text = "\(unknown.summary); did you mean '\(suggestion.name)'?"
        correction = suggestion.correctedSource
      }
      lines =
        text.isEmpty
        ? Self.lines(of: .string(""), title, context)
        : Self.lines(title + message.label + text, code: Self.code(of: error))
      if let input, let fault = input.fault, error.is(.syntax), message.inputLine != nil {
        lines += SourceExcerpt(of: input.text, at: fault, columns: context.columns).lines
      }
    }
    lines += (traceback?.ownCalls ?? []).map { StyledText("  \($0)", .dim) }
  }

  /// Whether a value that was raised has no text of its own, as strings, the app's errors, and tables with `__tostring`
  /// have.
  private static func hasNoText(_ value: LuaValue, _ error: LuaError) -> Bool {
    switch value {
    case .string: false
    case .nil, .boolean, .integer, .number: true
    case .table, .function, .userdata, .coroutine: error.message.hasPrefix("(error object is a ")
    }
  }

  private static func lines(
    of value: LuaValue, _ title: String, _ context: Context
  ) -> [StyledText] {
    [StyledText(title.isEmpty ? "error: " : title, .error) + context.show(value)]
  }

  /// The code of an error that the app raised, which scripts test; nil for those of Lua.
  private static func code(of error: LuaError) -> String? {
    error.underlying is any CodedError ? error.code.rawValue : nil
  }

  // MARK: - Text

  /// The number of characters that are shown of a message.
  private static let maximumLength = 2_000

  /// The number of lines that are shown of a message.
  private static let maximumLineCount = 20

  private static func lines(_ text: String, code: String?) -> [StyledText] {
    let shortened = String(text.unicodeScalars.prefix(maximumLength))
    var parts = shown(shortened).split(separator: "\n", omittingEmptySubsequences: false)
    let isCut = shortened.utf8.count < text.utf8.count || parts.count > maximumLineCount
    parts = Array(parts.prefix(maximumLineCount))
    var lines = parts.map { StyledText(String($0), .error) }
    if isCut { lines.append(StyledText("... (\(text.utf8.count) bytes)", .dim)) }
    if let code, let last = lines.indices.last {
      lines[last].append("  [\(shown(code))]", .dim)
    }
    return lines
  }

  /// A text without anything that a terminal obeys.
  nonisolated static func shown(_ text: String) -> String {
    let text = text.shownSystemText.escapingControls
    // Left are those that change the direction in which the text after them is shown.
    guard text.unicodeScalars.contains(where: \.isTerminalControl) else { return text }
    return text.unicodeScalars.map { scalar in
      scalar.isTerminalControl ? scalar.luaEscape : String(scalar)
    }.joined()
  }
}

extension Style {
  /// What is wrong.
  static let error = Style(.red)
}

/// An error's message without the place that it begins with.
private struct ErrorMessage {
  /// The place, if it needs to be said: "line 3: " in a block, "file.lua:3: " in a file.
  let label: String
  let text: String
  /// The line of the input in which the error is; nil if it is elsewhere.
  let inputLine: Int?

  /// - Parameters:
  ///   - error: The error.
  ///   - chunk: The name of the chunks of input.
  ///   - input: The input that was run; nil if it isn't known.
  ///   - isOfEarlierInput: Whether the error is in a function that an earlier input defined.
  init(of error: LuaError, chunk: String, input: String?, isOfEarlierInput: Bool) {
    let description = error.description
    guard let (line, text) = Self.place(in: description[...], chunk), let input else {
      (label, self.text, inputLine) = ("", description, nil)
      return
    }
    let lineCount = input.utf8.count { $0 == UInt8(ascii: "\n") } + 1
    let isInInput = line <= lineCount && !isOfEarlierInput
    inputLine = isInInput ? line : nil
    if lineCount == 1, line == 1 {
      label = ""
      var text = text
      // An error that was caught and raised again has several places.
      while let (_, rest) = Self.place(in: text, chunk) { text = rest }
      self.text = String(text)
    } else {
      label = isInInput ? "line \(line): " : "\(chunk):\(line): "
      self.text = String(text)
    }
  }

  /// Splits "stdin:3: text" into the line and the text; nil if a text doesn't begin with a place in the chunk.
  private static func place(in text: Substring, _ chunk: String) -> (line: Int, text: Substring)? {
    guard text.hasPrefix(chunk + ":") else { return nil }
    let rest = text.dropFirst(chunk.count + 1)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard let line = Int(digits), line > 0 else { return nil }
    let end = rest.dropFirst(digits.count)
    return end.hasPrefix(": ") ? (line, end.dropFirst(2)) : nil
  }
}
