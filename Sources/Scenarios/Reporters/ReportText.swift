import Lua
import PrimereplFoundation
import PrimereplPlatform
import StateStore

/// How reports show texts from scenarios, which may contain anything and be of any length.
enum ReportText {
  /// The maximum number of bytes of a text in a report.
  static let maximumSize = 64 * 1024

  /// Truncates a text, and says how much is missing.
  static func limited(_ text: String, to size: Int = maximumSize) -> String {
    let count = text.utf8.count
    guard count > size else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: size)
    while end.samePosition(in: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    return beginning(text[..<end].utf8, of: count)
  }

  /// The first bytes of a text of a size, and how much is missing; `\xff` stands for a byte that isn't UTF-8.
  static func beginning(_ bytes: some Collection<UInt8>, of size: Int) -> String {
    let rest = size - bytes.count
    return String(escapingInvalid: bytes) + (rest > 0 ? "... \(rest) more bytes" : "")
  }

  /// A text of one or more lines, limited, with visible escapes for what a terminal would obey or wouldn't show.
  static func lines(_ text: String) -> String {
    limited(text).printableLines
  }

  /// A text on one line, limited, with visible escapes for line ends, too.
  static func line(_ text: String) -> String {
    limited(text).printable
  }

  static func replacing(_ replacements: [Unicode.Scalar: String], in text: String) -> String {
    guard text.unicodeScalars.contains(where: { replacements[$0] != nil }) else { return text }
    return text.unicodeScalars.map { replacements[$0] ?? String($0) }.joined()
  }

  // MARK: - Numbers

  /// A time in milliseconds below 0.1 s, to a hundredth of a second below 10 s, or to a tenth: `3 ms`, `0.25 s`, `12.5 s`.
  static func seconds(_ seconds: Double) -> String {
    let milliseconds = 1000 * seconds
    if milliseconds < 99.5 { return milliseconds.formatted("%.0f ms") }
    return seconds.formatted(seconds < 9.995 ? "%.2f s" : "%.1f s")
  }

  /// A number and its noun: "1 action", "2 actions".
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  // MARK: - Columns

  /// Cuts a line to the width of a terminal.
  static func cut(_ line: String, toColumns columns: Int) -> String {
    guard line.columns > columns else { return line }
    var used = 1
    let fitting = line.unicodeScalars.prefix { scalar in
      used += scalar.columns
      return used <= columns
    }
    return columns > 0 ? String(fitting) + "…" : ""
  }

  // MARK: - Shells

  /// A word for a shell's command line, in quotes.
  static func shellQuoted(_ word: String) -> String {
    guard !word.unicodeScalars.allSatisfy(\.isPrintable) else {
      return "'" + replacing(["'": "'\\''"], in: word) + "'"
    }
    let escaped = word.unicodeScalars.flatMap { scalar -> [UInt8] in
      let bytes = SystemByte(scalar).map { [$0.byte] } ?? Array(String(scalar).utf8)
      if scalar == "'" || scalar == "\\" { return [UInt8(ascii: "\\")] + bytes }
      guard !scalar.isPrintable else { return bytes }
      return bytes.flatMap { Array("\\x\($0 < 16 ? "0" : "")\(String($0, radix: 16))".utf8) }
    }
    // Of POSIX since 2024, and of bash, zsh and ksh long before.
    return "$'" + String(decoding: escaped, as: UTF8.self) + "'"
  }
}
