package import Lua
package import PrimereplLineEditing
import PrimereplPlatform
import Scripting
import StateStore

/// An error as it is shown: the message, the line of code that it is in, its calls, and the corrected input.
@MainActor
package struct ErrorReport {
  package struct Input {
    /// The name of its chunk in messages.
    let chunk: String

    /// The text, in any bytes (see `String.init(systemBytes:)`).
    package let text: String

    /// The offset of a syntax error in the text's UTF-8 form; nil for other errors.
    package var fault: Int?

    package init(chunk: String, text: String, fault: Int? = nil) {
      (self.chunk, self.text, self.fault) = (chunk, text, fault)
    }
  }

  package struct Context {
    let names: KnownNames
    let sources: SourceTexts

    package var columns = 80
    let isSandboxed: Bool

    /// The files of the app, whose places say nothing to its user.
    let appPaths: Set<String>

    /// Whether a line of code may contain a secret, and so isn't shown.
    let isSecret: (String) -> Bool

    /// Whether the code is a script, which shows no more than what is reported at its end.
    package var isScript = false

    /// Shows an error value that isn't a text, on one line; nil if its description is enough.
    package var show: ((LuaValue) -> StyledText)?

    package init(
      names: KnownNames, sources: SourceTexts, isSandboxed: Bool = false,
      appPaths: Set<String> = [], isSecret: @escaping (String) -> Bool = { $0.mayShowPassword }
    ) {
      (self.names, self.sources, self.appPaths) = (names, sources, appPaths)
      (self.isSandboxed, self.isSecret) = (isSandboxed, isSecret)
    }

    fileprivate func hasAppFile(_ chunk: Substring) -> Bool {
      appPaths.contains {
        $0 == chunk || (chunk.hasPrefix("...") && $0.hasSuffix(chunk.dropFirst(3)))
      }
    }
  }

  /// The message in red, then the faulty line and the calls of the user's own functions.
  package private(set) var lines: [StyledText] = []

  /// The input with the name that was meant; nil if that isn't known.
  package private(set) var correction: String?

  /// All calls that led to the error, with those of the host, after the places where a module was searched; nil if there
  /// were none.
  package let fullTraceback: String?

  /// `input` is nil if it isn't known, as for an error of a task or a script.
  package init(_ error: LuaError, in input: Input?, _ context: Context, title: String = "") {
    let calls = error.traceback?.printableLines
    let places = MissingModule(error.description)?.searchedPlaces.printableLines
    fullTraceback = calls.map { (places.map { $0 + "\n" } ?? "") + $0 } ?? places
    // The message of `fail` is for the app's user, who may not know its code.
    let isFailure = error.underlying is DeclaredFailure
    let traceback = calls.map {
      Traceback($0) { chunk in
        context.sources.isOwn(chunk) && !(isFailure && context.hasAppFile(chunk))
      }
    }
    var hasPlace = false
    if let show = context.show, let value = context.names.state.value(of: error),
      Self.hasNoText(value, error)
    {
      lines = Self.lines(of: show(value), title)
    } else {
      let message = ErrorMessage(of: error, input, traceback, context)
      hasPlace = !message.label.isEmpty
      let advice = Advice(on: message, of: error, context)
      correction = message.place?.chunk == input?.chunk ? advice.correctedSource : nil
      let text = advice.text ?? message.text
      lines =
        text.isEmpty
        ? Self.lines(of: context.show?(.string("")) ?? StyledText(""), title)
        : Self.lines(title + message.label + text, code: Self.code(of: error))
      if !advice.isEnough {
        lines += message.excerpt(
          calling: traceback?.calledFunction, columns: context.columns, isSecret: context.isSecret)
      }
    }
    let shownCalls = traceback.map { Self.calls(in: $0, context, hasPlace: hasPlace) } ?? []
    lines += shownCalls.map { StyledText("  \($0)", .dim) }
  }

  /// The calls that are shown; those of a script include its code outside of functions, unless the message names it.
  private static func calls(
    in traceback: Traceback, _ context: Context, hasPlace: Bool
  ) -> [String] {
    let functions = traceback.ownCalls()
    guard context.isScript else { return functions }
    let calls = traceback.ownCalls(includingMain: true)
    return hasPlace && functions.isEmpty && calls.count == 1 ? [] : calls
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

/// An error's message without the place that it begins with.
@MainActor
private struct ErrorMessage {
  /// The place, if it needs to be said: "input 12:3: ", "file.lua:3: ".
  private(set) var label = ""
  private(set) var text: String

  /// The place and its code; nil if the code isn't known.
  private(set) var place: SourcePlace?
  private(set) var source: SourceTokens?
  private(set) var fault: Int?

  /// Whether the error is in the only line that was typed.
  private var isObvious = false

  init(
    of error: LuaError, _ input: ErrorReport.Input?, _ traceback: Traceback?,
    _ context: ErrorReport.Context
  ) {
    text = error.description
    if error.underlying is DeclaredFailure, let traceback,
      error.location.map({ context.hasAppFile($0.chunk[...]) }) == true
    {
      text = error.message
      if let place = traceback.place, find(place, in: input, context), !isObvious {
        label = "\(place.chunk):\(place.line): "
      }
    } else if let (place, rest) = SourcePlace.split(text[...]), find(place, in: input, context) {
      if error.is(.syntax) { fault = faultOffset(in: input, context) }
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
    } else if context.isScript, let place = traceback?.place {
      _ = find(place, in: input, context)
    }
  }

  /// Finds the code of a place; returns whether it is known.
  private mutating func find(
    _ place: SourcePlace, in input: ErrorReport.Input?, _ context: ErrorReport.Context
  ) -> Bool {
    let isInInput = place.chunk == input?.chunk
    guard let code = isInInput ? input?.text : context.sources[place.chunk] else { return false }
    let source = SourceTokens(Array(code.utf8), isFile: !isInInput)
    (self.place, self.source) = (place, source)
    isObvious = isInInput && !source.bytes.contains(UInt8(ascii: "\n"))
    return true
  }

  private func faultOffset(
    in input: ErrorReport.Input?, _ context: ErrorReport.Context
  ) -> Int? {
    guard let source, let place else { return nil }
    if place.chunk == input?.chunk { return input?.fault }
    let code = String(decoding: source.bytes, as: UTF8.self)
    let fault = PromptInput(code).scriptFault(in: context.names.state)
    return fault?.line == place.line ? fault?.offset : nil
  }

  /// The element of a list that the message says is nil, as the code writes it: `todo.items[9]`; nil if it isn't known.
  ///
  /// Lua names an element only as "?" or "integer index".
  var missingElement: String? {
    guard let source, let place,
      text.wholeMatch(of: /attempt to index a nil value \(field '(\?|integer index)'\)/) != nil
    else { return nil }
    let ends = source.tokens.indices.filter { index in
      source.tokens[index].line == place.line && source.isSingle(index, "]")
        && [".", ":", "["].contains { source.isSingle(index + 1, $0) }
    }
    guard ends.count == 1, let start = source.expressionStart(endingAt: ends[0]),
      let first = source.token(start)
    else { return nil }
    let range = first.range.lowerBound..<source.tokens[ends[0]].range.upperBound
    return String(decoding: source.bytes[range], as: UTF8.self)
  }

  /// The line of the error with a mark, unless it is the only one that was typed.
  func excerpt(
    calling function: Substring?, columns: Int, isSecret: (String) -> Bool
  ) -> [StyledText] {
    guard let source, let place, !isSecret(source.text(ofLine: place.line)) else { return [] }
    if let fault {
      let end = source.tokens.first { $0.range.contains(fault) }?.range.upperBound ?? fault
      return source.excerpt(of: fault..<end, columns: columns)
    }
    guard !isObvious else { return [] }
    let quoted = text.prefix(500).matches(of: /'([\w.:]+)'/).compactMap { match in
      match.1.split { $0 == "." || $0 == ":" }.last
    }
    let names = (function.map { [$0] } ?? []) + quoted
    guard let part = source.faultyPart(ofLine: place.line, names: names) else { return [] }
    return source.excerpt(of: part, columns: columns)
  }
}

/// The message of `require` for a module that isn't there.
private struct MissingModule {
  /// The first line, without the colon at its end.
  let summary: String
  let searchedPlaces: String

  /// The message may begin with a place.
  init?(_ message: String) {
    guard let end = message.firstRange(of: "' not found:\n\tno field package.preload["),
      message[..<end.lowerBound].contains("module '")
    else { return nil }
    summary = message[..<end.lowerBound] + "' not found"
    searchedPlaces = String(message[message.index(end.lowerBound, offsetBy: 13)...])
  }
}

/// A better text for an error than its message, with the corrected code if that is known.
@MainActor
private struct Advice {
  /// Nil if there is no better text than the message.
  private(set) var text: String?
  private(set) var correctedSource: String?

  /// Whether the text needs no line of code.
  private(set) var isEnough = false

  init(on message: ErrorMessage, of error: LuaError, _ context: ErrorReport.Context) {
    if let unknown = UnknownName(in: message.text) {
      if unknown.kind == .global,
        let advice = DeclarationVocabulary.advice(onGlobal: unknown.name)
      {
        text = advice
      } else if context.isSandboxed, let name = Sandbox.missingName(unknown, in: message) {
        text = "\(name) isn't available in the sandbox"
      } else if let suggestion = NameSuggestion(
        for: unknown, in: message.source, line: message.place?.line, context.names)
      {
        text = "\(unknown.summary); did you mean '\(suggestion.name)'?"
        correctedSource = suggestion.correctedSource
      }
    } else if let advice = MessageAdvice.loop(in: message.text) {
      text = message.text + advice
    } else if let element = message.missingElement {
      text = "attempt to index a nil value (\(element))"
    } else if let module = MissingModule(message.text) {
      if !context.isScript {
        text = module.summary + "; .traceback lists where it was searched"
      } else if context.isSandboxed {
        text = message.text + "\n\tno file: the sandbox reads none"
      }
    } else if error.is(.syntax), let source = message.source {
      let code = String(decoding: source.bytes, as: UTF8.self)
      if context.isScript, PromptInput(code).isExpression(in: context.names.state) {
        let expression = Self.trimmed(code)
        let isShort = expression.utf8.count <= 40 && !expression.contains(where: \.isNewline)
        let call = isShort ? "print(\(expression))" : "print(...)"
        text = "an expression isn't a statement; \(call) shows its value"
        isEnough = true
      } else if let fault = message.fault {
        text = source.adviceOnForeignSyntax(at: fault)
      }
    }
  }
}

extension Advice {
  private static func trimmed(_ code: String) -> Substring {
    var code = code[...]
    while let last = code.last, last == ";" || last.isWhitespace { code.removeLast() }
    return code
  }
}

/// The parts of Lua's library that the sandbox leaves out (see `LuaLibraries.restricted`).
@MainActor
private enum Sandbox {
  private static let globals: Set = ["io", "debug", "dofile", "loadfile"]
  private static let fields: Set = [
    "os.execute", "os.exit", "os.getenv", "os.remove", "os.rename", "os.setlocale", "os.tmpname",
    "string.dump", "package.loadlib",
  ]

  /// The part that an unknown name would be outside of the sandbox; nil if it is another name.
  static func missingName(_ unknown: UnknownName, in message: ErrorMessage) -> String? {
    if unknown.kind == .global { return globals.contains(unknown.name) ? unknown.name : nil }
    guard let source = message.source, let place = message.place else { return nil }
    return source.tokens.indices.lazy
      .filter {
        source.tokens[$0].line == place.line && source.isWord($0, unknown.name)
          && source.isSingle($0 - 1, ".")
      }
      .compactMap { source.name($0 - 2).map { "\($0).\(unknown.name)" } }
      .first(where: fields.contains)
  }
}
