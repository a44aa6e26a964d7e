import StateStore
import Platform

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
    escaped(limited(text), keeps: ["\n", "\t"])
  }

  /// A text on one line, limited, with visible escapes for line ends, too.
  static func line(_ text: String) -> String {
    escaped(limited(text), keeps: [])
  }

  /// Whether a reader wouldn't see a scalar as it is: a control character, one that changes the direction of the text
  /// around it, a separator, a byte that isn't UTF-8, or no character at all.
  static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: false
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFDD0...0xFDEF, 0xFEFF, 0xFFF9...0xFFFB:
      true
    case let value: value & 0xFFFE == 0xFFFE || SystemByte(scalar) != nil
    }
  }

  /// - Complexity: O(length).
  private static func escaped(_ text: String, keeps kept: [Unicode.Scalar]) -> String {
    // Nearly all texts are printable ASCII.
    func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }
    if text.utf8.allSatisfy(isPlain) { return text }
    // Bytes, since appending to a view of a text takes time proportional to its length.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if !isInvisible(scalar) || kept.contains(scalar) {
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      } else {
        bytes += escape(of: scalar).utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The scalar as in a string literal of Lua.
  private static func escape(of scalar: Unicode.Scalar) -> String {
    if let byte = SystemByte(scalar)?.byte { return "\\x" + hexadecimal(UInt32(byte), digits: 2) }
    return switch scalar {
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    case "\0"..."\u{7F}": "\\x" + hexadecimal(scalar.value, digits: 2)
    default: "\\u{" + hexadecimal(scalar.value, digits: 1) + "}"
    }
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

  /// A time to a tenth of a second, or to a hundredth below 10 s: `0.03 s`, `12.5 s`.
  static func seconds(_ seconds: Double) -> String {
    let digits = seconds.magnitude < 9.995 ? 2 : 1
    return fixed(seconds, digits: digits) + " s"
  }

  /// A number with exactly so many digits after the point.
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
    text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  /// Cuts a line to the width of a terminal.
  static func cut(_ line: String, toColumns columns: Int) -> String {
    guard width(line) > columns else { return line }
    var used = 1
    let fitting = line.unicodeScalars.prefix { scalar in
      used += width(scalar)
      return used <= columns
    }
    return columns > 0 ? String(fitting) + "…" : ""
  }

  /// The columns of a character, as terminals commonly count them.
  private static func width(_ scalar: Unicode.Scalar) -> Int {
    guard scalar.value >= 0x300 else { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD:
      return 2
    default: return scalar.properties.isEmojiPresentation ? 2 : 1
    }
  }

  // MARK: - Shells

  /// A word for a shell's command line, in quotes.
  static func shellQuoted(_ word: String) -> String {
    guard word.unicodeScalars.contains(where: isInvisible) else {
      return "'" + replacing(["'": "'\\''"], in: word) + "'"
    }
    let escaped = word.unicodeScalars.flatMap { scalar -> [UInt8] in
      let bytes = SystemByte(scalar).map { [$0.byte] } ?? Array(String(scalar).utf8)
      if scalar == "'" || scalar == "\\" { return [UInt8(ascii: "\\")] + bytes }
      guard isInvisible(scalar) else { return bytes }
      return bytes.flatMap { Array("\\x\(hexadecimal(UInt32($0), digits: 2))".utf8) }
    }
    // Of POSIX since 2024, and of bash, zsh and ksh long before.
    return "$'" + String(decoding: escaped, as: UTF8.self) + "'"
  }

  /// The command line that runs only one scenario.
  static func command(_ program: String, running scenario: ScenarioDescription) -> String {
    let file = scenario.id.file.hasPrefix("-") ? "./" + scenario.id.file : scenario.id.file
    let name = limited(scenario.fullName)
    let separator = name.hasPrefix("-") ? "=" : " "
    let path = file == ScenarioFile.defaultProperties ? "--properties" : shellQuoted(file)
    return "\(line(program)) test \(path) --filter\(separator)\(shellQuoted(name))"
  }
}
