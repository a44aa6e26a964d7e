package import Lua
import PrimereplFoundation
package import PrimereplLineEditing
import PrimereplPlatform
import Scripting

/// A text that was typed: an expression, whose values are shown, or statements; in any bytes (see
/// `String.init(systemBytes:)`).
package struct PromptInput {
  private let text: String

  /// The name of the chunk in messages: "input 12".
  package let chunkName: String

  /// The number of a session's first input is 1.
  package init(_ text: String, number: Int = 0) {
    self.text = text
    chunkName = "\(Self.chunkPrefix)\(number)"
  }

  static let chunkPrefix = "input "

  /// Compiles the text as an expression, or else as statements.
  ///
  /// - Throws: The syntax error of the statements.
  package func compile(in state: LuaState) throws(LuaError) -> LuaFunction {
    do throws(LuaError) {
      return try Reading.expression.compile(text.systemBytes, named: chunkName, in: state)
    } catch {
      return try Reading.statements.compile(text.systemBytes, named: chunkName, in: state)
    }
  }

  /// Whether the text can be run; compiling it runs nothing.
  ///
  /// More lines are needed if one of its readings, as an expression or as statements, ends too early. A fault is that of
  /// the reading that gets further.
  package func verdict(in state: LuaState) -> InputVerdict {
    if text.isBlank || DotCommandLine(Array(text.utf8)) != nil
      || HelpQuestion(text) != nil
    {
      return .complete
    }
    lazy var source = SourceTokens(Array(text.utf8))
    var faults: [Fault] = []
    for reading in [Reading.expression, .statements] {
      switch reading.failure(of: text.systemBytes, in: state) {
      case nil: return .complete
      case let failure? where failure.isIncomplete:
        if let string = source.brokenString {
          return .fault(offset: string.range.lowerBound, message: "unfinished string")
        }
        return .incomplete
      case let failure?:
        let offset = offset(of: failure, in: reading, source, state)
        faults.append(Fault(offset: offset, message: failure.message))
      }
    }
    // Statements, if both get equally far.
    guard let fault = faults.max(by: { $0.offset <= $1.offset }) else { return .complete }
    let advice = source.adviceOnForeignSyntax(at: fault.offset)
    return .fault(offset: fault.offset, message: advice ?? fault.message)
  }

  /// The place of the syntax error of the text as a script; nil if it compiles, which runs nothing.
  func scriptFault(in state: LuaState) -> (offset: Int, line: Int)? {
    guard let failure = Reading.script.failure(of: text.systemBytes, in: state) else { return nil }
    let source = SourceTokens(Array(text.utf8), isFile: true)
    return (offset(of: failure, in: .script, source, state), failure.line)
  }

  /// Whether the text is an expression and no statement.
  package func isExpression(in state: LuaState) -> Bool {
    !text.isBlank
      && Reading.expression.failure(of: text.systemBytes, in: state) == nil
      && Reading.statements.failure(of: text.systemBytes, in: state) != nil
  }

  private struct Fault {
    let offset: Int
    let message: String
  }

  /// The offset of the token at which a reading fails: the first one after which the text, cut off there, fails in the
  /// same way.
  ///
  /// Lua says only the line, so the tokens of that line are searched, in O(log tokens) compilations.
  private func offset(
    of failure: Failure, in reading: Reading, _ source: SourceTokens, _ state: LuaState
  ) -> Int {
    let tokens = source.tokens
    var low = tokens.firstIndex { $0.line >= failure.line } ?? 0
    // A token may begin on a line before.
    low = max(0, low - 1)
    let end = tokens.firstIndex { $0.line > failure.line } ?? tokens.count
    let index = tokens[low..<end].partitioningIndex { token in
      let end = token.range.upperBound
      // With the line's end, an unfinished string fails as in the whole text.
      let prefix = source.bytes.prefix(token.isUnfinished ? end + 1 : end)
      let bytes = String(decoding: prefix, as: UTF8.self).systemBytes
      return reading.failure(of: bytes, in: state)?.message == failure.message
    }
    guard let token = source.token(index) else { return source.bytes.count }
    // An operator of several characters is several tokens.
    let operatorStart = token.range.upperBound - failure.near.count
    if token.kind == .symbol, operatorStart >= 0, operatorStart < token.range.lowerBound,
      source.bytes[operatorStart..<token.range.upperBound].elementsEqual(failure.near)
    {
      return operatorStart
    }
    return token.range.lowerBound
  }
}

// MARK: - Readings

/// A way to compile a text.
private enum Reading {
  case expression
  case statements
  /// Statements of a file.
  case script

  /// The text before the input; for statements a space, as Lua skips a first line of a file that begins with "#".
  private var prefix: String {
    switch self {
    case .expression: "return "
    case .statements: " "
    case .script: ""
    }
  }

  func compile(
    _ bytes: [UInt8], named chunk: String, in state: LuaState
  ) throws(LuaError) -> LuaFunction {
    try state.load(prefix.utf8 + bytes, name: .text(chunk))
  }

  /// The error of compiling the text; nil if it compiles, or memory is short.
  func failure(of bytes: [UInt8], in state: LuaState) -> Failure? {
    do throws(LuaError) {
      _ = try compile(bytes, named: Failure.chunkName, in: state)
      return nil
    } catch {
      return error.is(.syntax) ? Failure(error.message) : nil
    }
  }
}

/// A syntax error of Lua's, in its parts: `input:3: unexpected symbol near '='`.
private struct Failure {
  /// Counted from 1.
  let line: Int
  /// The message without the place, on one line.
  let message: String
  /// The token in quotes at its end; empty if there is none.
  let near: [UInt8]
  let isIncomplete: Bool

  private static let shownLength = 100

  /// The name of chunks that are compiled only to see their errors.
  static let chunkName = "input"

  init(_ message: String) {
    isIncomplete = message.hasSuffix("near <eof>")
    var rest = message[...]
    if rest.hasPrefix(Self.chunkName + ":") { rest = rest.dropFirst(Self.chunkName.count + 1) }
    let digits = rest.prefix(while: \.isNumber)
    line = Int(digits) ?? 1
    rest = rest[digits.endIndex...]
    if rest.hasPrefix(": ") { rest = rest.dropFirst(2) }
    let shown = String(rest).printable
    self.message =
      shown.count > Self.shownLength ? shown.prefix(Self.shownLength) + "\u{2026}" : shown
    near = rest.end(ofLast: " near '").map { Array(rest[$0...].dropLast().utf8) } ?? []
  }
}

extension Substring {
  fileprivate func end(ofLast text: String) -> Index? { ranges(of: text).last?.upperBound }
}

extension SourceTokens {
  /// The string in quotes within which the text ends, unless it ends in an escape that continues the string on the next
  /// line.
  fileprivate var brokenString: Token? {
    guard let string = openString, bytes[string.range].first != UInt8(ascii: "[") else {
      return nil
    }
    let backslash = UInt8(ascii: "\\")
    var end = bytes[string.range]
    if end.last != backslash {
      while let last = end.last, last == UInt8(ascii: " ") || (9...13).contains(last) {
        end.removeLast()
      }
      guard end.last == UInt8(ascii: "z") else { return string }
      end.removeLast()
    }
    let backslashes = end.reversed().prefix { $0 == backslash }.count
    return backslashes % 2 == 1 ? nil : string
  }
}
