import LineEditing
import Lua
import Platform
import Scripting
import StateStore

/// An error as it is shown: the message, the line of code that it is in, its calls, and the corrected input.
@MainActor
struct ErrorReport {
  /// The input that was run.
  struct Input {
    /// The name of its chunk in messages.
    let chunk: String

    /// The text, in any bytes (see `String.init(systemBytes:)`).
    let text: String

    /// The offset of a syntax error in the text's UTF-8 form; nil for other errors.
    var fault: Int?
  }

  /// The surroundings of errors.
  struct Context {
    let names: KnownNames
    let sources: SourceTexts

    /// The width of the screen.
    var columns = 80

    /// Whether the code runs in the sandbox.
    var isSandboxed = false

    /// Shows an error value that isn't a text, on one line; nil if its description is enough.
    var show: ((LuaValue) -> StyledText)?
  }

  /// The message in red, then the faulty line and the calls of the user's own functions.
  private(set) var lines: [StyledText] = []

  /// The input with the name that was meant; nil if that isn't known.
  private(set) var correction: String?

  /// All calls that led to the error, with those of the host; nil if there were none.
  let fullTraceback: String?

  /// Reports an error of the input, which is nil if it isn't known, as for an error of a task or a script.
  init(_ error: LuaError, in input: Input?, _ context: Context, title: String = "") {
    fullTraceback = error.traceback?.printableLines
    let traceback = fullTraceback.map { Traceback($0, isOwn: context.sources.isOwn) }
    if let show = context.show, let value = context.names.state.value(of: error),
      Self.hasNoText(value, error)
    {
      lines = Self.lines(of: show(value), title)
    } else {
      let message = ErrorMessage(of: error, input, context.sources)
      let advice = Advice(on: message, of: error, context)
      correction = message.place?.chunk == input?.chunk ? advice.correctedSource : nil
      let text = advice.text ?? message.text
      lines =
        text.isEmpty
        ? Self.lines(of: context.show?(.string("")) ?? StyledText(""), title)
        : Self.lines(title + message.label + text, code: Self.code(of: error))
      lines += message.excerpt(calling: traceback?.calledFunction, columns: context.columns)
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

  private static func lines(of value: StyledText, _ title: String) -> [StyledText] {
    [StyledText(title.isEmpty ? "error: " : title, .error) + value]
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
@MainActor
private struct ErrorMessage {
  /// The place, if it needs to be said: "input 12:3: ", "file.lua:3: ".
  private(set) var label = ""
  private(set) var text: String

  /// The place, if its code is known.
  private(set) var place: SourcePlace?

  /// The code in which the error is.
  private(set) var source: SourceTokens?

  /// The offset of a syntax error in the code.
  private(set) var fault: Int?

  /// Whether the error is in the only line that was typed.
  private var isObvious = false

  init(of error: LuaError, _ input: ErrorReport.Input?, _ sources: SourceTexts) {
    text = error.description
    guard let (place, rest) = SourcePlace.split(text[...]) else { return }
    let isInInput = place.chunk == input?.chunk
    guard let code = isInInput ? input?.text : sources[place.chunk] else { return }
    self.place = place
    let source = SourceTokens(Array(code.utf8))
    self.source = source
    if error.is(.syntax) { fault = isInInput ? input?.fault : nil }
    isObvious = isInInput && !source.bytes.contains(UInt8(ascii: "\n"))
    var shown = rest
    if isObvious {
      // An error that was caught and raised again has several places.
      while let (other, rest) = SourcePlace.split(shown), other.chunk == place.chunk {
        shown = rest
      }
    } else {
      label = "\(place.chunk):\(place.line): "
    }
    text = String(shown)
  }

  /// The line of the error with a mark, unless it is the only one that was typed.
  func excerpt(calling function: Substring?, columns: Int) -> [StyledText] {
    guard let source, let place else { return [] }
    if let fault {
      let text = String(decoding: source.bytes, as: UTF8.self)
      return SourceExcerpt(of: text, at: fault, columns: columns).lines
    }
    guard !isObvious else { return [] }
    let quoted = text.prefix(500).matches(of: /'([\w.:]+)'/).compactMap { match in
      match.1.split { $0 == "." || $0 == ":" }.last
    }
    let names = (function.map { [$0] } ?? []) + quoted
    guard let part = source.faultyPart(ofLine: place.line, names: names) else { return [] }
    return SourceExcerpt(of: source.bytes, range: part, columns: columns).lines
  }
}

/// What to do about an error, in place of its message.
@MainActor
private struct Advice {
  /// Nil if there is no better text than the message.
  private(set) var text: String?

  /// The code with the name that was meant; nil if that isn't known.
  private(set) var correctedSource: String?

  init(on message: ErrorMessage, of error: LuaError, _ context: ErrorReport.Context) {
    if let unknown = UnknownName(in: message.text) {
      if let suggestion = NameSuggestion(
        for: unknown, in: message.source, line: message.place?.line, context.names)
      {
        text = "\(unknown.summary); did you mean '\(suggestion.name)'?"
        correctedSource = suggestion.correctedSource
      }
    } else if error.is(.syntax), let fault = message.fault {
      text = message.source?.adviceOnForeignSyntax(at: fault)
    }
  }
}
