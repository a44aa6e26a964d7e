import PrimereplPlatform
import StateStore

/// How reports show texts from scenarios, which may contain anything and be of any length.
enum ReportText {
  /// The most bytes of one text that a report contains.
  static let maximumSize = 64 * 1024

  /// Truncates a text, and says how much is missing.
  ///
  /// - Complexity: O(size).
  static func limited(_ text: String, to size: Int = maximumSize) -> String {
    let count = text.utf8.count
    guard count > size else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: size)
    while end.samePosition(in: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    let kept = text[..<end]
    return "\(kept)... \(count - kept.utf8.count) more bytes"
  }

  /// A text of one or more lines, limited, with visible escapes for what a terminal would obey or wouldn't show.
  static func lines(_ text: String) -> String {
    limited(text).printableLines
  }

  /// A text on one line, limited, with visible escapes for line ends, too.
  static func line(_ text: String) -> String {
    limited(text).printable
  }

  static func hexadecimal(_ number: UInt32, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// Replaces ASCII characters.
  ///
  /// - Complexity: O(length).
  static func replacing(_ replacements: KeyValuePairs<Unicode.Scalar, String>, in text: String)
    -> String
  {
    let pairs = replacements.map { (byte: UInt8(truncatingIfNeeded: $0.key.value), text: $0.value) }
    func replacement(for byte: UInt8) -> String? { pairs.first { $0.byte == byte }?.text }
    guard text.utf8.contains(where: { replacement(for: $0) != nil }) else { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if let replacement = replacement(for: byte) {
        bytes += replacement.utf8
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - Numbers

  /// A time in milliseconds below 0.1 s, to a hundredth of a second below 10 s, or to a tenth: `3 ms`, `0.25 s`, `12.5 s`.
  static func seconds(_ seconds: Double) -> String {
    let milliseconds = 1000 * seconds
    if milliseconds.magnitude < 99.5 { return fixed(milliseconds, digits: 0) + " ms" }
    let digits = seconds.magnitude < 9.995 ? 2 : 1
    return fixed(seconds, digits: digits) + " s"
  }

  /// A number with a fixed number of digits after the point.
  static func fixed(_ number: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
    // Not a number and the infinities have no digits; this is far beyond any time.
    let number = number.isFinite ? min(max(number, -1e12), 1e12) : 0
    let scaled = Int((number.magnitude * Double(scale)).rounded())
    let fraction = String(scaled % scale + scale).dropFirst()
    return (number < 0 && scaled > 0 ? "-" : "") + "\(scaled / scale)"
      + (digits > 0 ? ".\(fraction)" : "")
  }

  /// A number and its noun: "1 action", "2 actions".
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  // MARK: - Columns

  /// The columns that a terminal needs for a text without control characters.
  static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + $1.columns }
  }

  /// Cuts a line to the width of a terminal.
  static func cut(_ line: String, toColumns columns: Int) -> String {
    guard width(line) > columns else { return line }
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
      return bytes.flatMap { Array("\\x\(hexadecimal(UInt32($0), digits: 2))".utf8) }
    }
    // Of POSIX since 2024, and of bash, zsh and ksh long before.
    return "$'" + String(decoding: escaped, as: UTF8.self) + "'"
  }
}
