import LineEditing
import Lua
import Platform
import Scripting
import StateStore

/// An error as the prompt shows it: the message, its place and calls, and the corrected input.
@MainActor
struct ErrorReport {
  /// The input that was run.
  struct Input {
    /// The text, in any bytes (see `String.init(systemBytes:)`).
    let text: String

    /// The offset of a syntax error in the text's UTF-8 form; nil for other errors.
    var fault: Int?
  }

  /// The surroundings of a session's errors.
  struct Context {
    let names: KnownNames

    /// The width of the screen.
    var columns = 80

    /// Shows an error value that isn't a text, on one line.
    let show: (LuaValue) -> StyledText
  }

  /// The message in red, then the faulty line or the calls of the user's own functions.
  private(set) var lines: [StyledText] = []

  /// The input with the name that was meant; nil if that isn't known.
  private(set) var correction: String?

  /// All calls that led to the error, with those of the host; nil if there were none.
  let fullTraceback: String?

  /// Reports an error of the input, which is nil if it isn't known, as for an error of an earlier input's task.
  init(_ error: LuaError, in input: Input?, _ context: Context, title: String = "") {
    fullTraceback = error.traceback?.printableLines
    let traceback = fullTraceback.map { Traceback($0, ownChunk: PromptInput.chunkName) }
    if let value = context.names.state.value(of: error), Self.hasNoText(value, error) {
      lines = Self.lines(of: value, title, context)
    } else {
      let source = input.map { SourceTokens(Array($0.text.utf8)) }
      let message = ErrorMessage(
        of: error, chunk: PromptInput.chunkName, input: input?.text,
        isOfEarlierInput: traceback?.endsInOwnFunction == true
          && source?.tokens.contains { $0.kind == .word && $0.text == "function" } != true)
      var text = message.text
      if let unknown = UnknownName(in: message.text),
        let suggestion = NameSuggestion(
          for: unknown, in: source, line: message.inputLine, context.names)
      {
        text = "\(unknown.summary); did you mean '\(suggestion.name)'?"
        correction = suggestion.correctedSource
      } else if error.is(.syntax), let fault = input?.fault,
        let advice = source?.adviceOnForeignSyntax(at: fault)
      {
        text = advice
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

  /// The maximum number of characters shown of a message.
  private static let maximumLength = 2_000

  /// The maximum number of lines shown of a message.
  private static let maximumLineCount = 20

  private static func lines(_ text: String, code: String?) -> [StyledText] {
    let shortened = String(text.unicodeScalars.prefix(maximumLength))
    var parts = shortened.printableLines.split(separator: "\n", omittingEmptySubsequences: false)
    let isCut = shortened.utf8.count < text.utf8.count || parts.count > maximumLineCount
    parts = Array(parts.prefix(maximumLineCount))
    var lines = parts.map { StyledText(String($0), .error) }
    if isCut { lines.append(StyledText("... (\(text.utf8.count) bytes)", .dim)) }
    if let code, let last = lines.indices.last {
      lines[last].append("  [\(code.printable)]", .dim)
    }
    return lines
  }
}

extension Style {
  /// The style of errors.
  static let error = Style(.red)
}

/// An error's message without the place that it begins with.
private struct ErrorMessage {
  /// The place, if it needs to be said: "line 3: " in a block, "file.lua:3: " in a file.
  let label: String
  let text: String
  /// The line of the input in which the error is; nil if it is elsewhere.
  let inputLine: Int?

  /// Places an error, which may be in a function that an earlier input defined.
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
