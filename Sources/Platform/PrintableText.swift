/// Text from files, servers, scripts and users, as terminals and reports show it.
///
/// Nothing printable commands a terminal or hides other text: whoever writes a message to a terminal or a report makes it
/// printable there, and messages themselves keep text as it is.
extension String {
  /// The text on one line, with an escape in place of each scalar that isn't printable.
  ///
  /// - Complexity: O(length).
  package var printable: String { printable(keeping: []) }

  /// The text in its lines, with an escape in place of each scalar that isn't printable but line ends and tabs.
  ///
  /// - Complexity: O(length).
  package var printableLines: String { printable(keeping: ["\n", "\t"]) }

  /// The beginning of a text of any length, on one line and printable.
  ///
  /// - Parameter limit: The maximum number of scalars; a longer text ends in `…`.
  /// - Returns: The text.
  /// - Complexity: O(`limit`).
  package func printable(limit: Int) -> String {
    let beginning = unicodeScalars.prefix(limit)
    return beginning.endIndex == endIndex ? printable : String(beginning).printable + "…"
  }

  private func printable(keeping kept: [Unicode.Scalar]) -> String {
    // Nearly all texts are printable ASCII.
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
    // Bytes, since appending to a view of a text takes time proportional to its length.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    var tags: ArraySlice<Unicode.Scalar> = []
    for (index, scalar) in zip(unicodeScalars.indices, unicodeScalars) {
      if scalar == FlagOfTags.blackFlag { tags = FlagOfTags.tags(in: unicodeScalars[index...]) }
      let isTagOfFlag = tags.popFirst() != nil
      if isTagOfFlag || scalar.isPrintable || kept.contains(scalar) {
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      } else {
        bytes += scalar.escape.utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The flags of England, Scotland and Wales: a black flag and tags, which are invisible anywhere else.
package enum FlagOfTags {
  fileprivate static let blackFlag: Unicode.Scalar = "\u{1F3F4}"

  private static let all: [[Unicode.Scalar]] = ["gbeng", "gbsct", "gbwls"].map { region in
    // A tag for each letter, and the tag that ends the sequence.
    let tags = region.unicodeScalars.map(\.value) + [0x7F]
    return [blackFlag] + tags.compactMap { Unicode.Scalar(0xE0000 + $0) }
  }

  package static func contains(_ character: Character) -> Bool {
    all.contains { character.unicodeScalars.elementsEqual($0) }
  }

  /// The scalars of the flag with which a text begins; none if it begins with no flag.
  fileprivate static func tags(in text: Substring.UnicodeScalarView) -> ArraySlice<Unicode.Scalar> {
    all.first { text.starts(with: $0) }?[...] ?? []
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is seen as itself, or changes how another one looks.
  ///
  /// Not printable are control characters, separators of lines and paragraphs, characters that change the direction of
  /// text, other invisible characters except joiners and variation selectors, noncharacters, and scalars that stand for
  /// bytes that aren't UTF-8.
  package var isPrintable: Bool {
    switch value {
    case 0x20..<0x7F: return true
    case 0..<0xA0, 0xAD: return false
    // Joiners, variation selectors, and fillers of Hangul syllables.
    case 0xAE..<0x300, 0x34F, 0x1160, 0x180B...0x180D, 0x180F, 0x200C...0x200D, 0xFE00...0xFE0F,
      0xE0100...0xE01EF:
      return true
    // Format characters that are seen, such as the Arabic number sign.
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD, 0x13430...0x1343F:
      return true
    default: break
    }
    switch properties.generalCategory {
    case .format, .lineSeparator, .paragraphSeparator: return false
    case .privateUse: return SystemByte(self) == nil
    default:
      return !properties.isDefaultIgnorableCodePoint && !properties.isNoncharacterCodePoint
    }
  }

  /// The escape for the scalar in a string of Lua, such as `\n`, `\x1b` and `\u{202e}`, or `\xff` for a byte that isn't
  /// UTF-8.
  package var escape: String {
    if let byte = SystemByte(self)?.byte { return "\\x" + String(byte, radix: 16) }
    return switch self {
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    case "\"", "\\": "\\\(self)"
    case "\0"..."\u{7F}": "\\x" + (value < 0x10 ? "0" : "") + String(value, radix: 16)
    default: "\\u{" + String(value, radix: 16) + "}"
    }
  }

  // MARK: - Columns

  /// The columns of the scalar on a terminal, if it is shown as itself.
  package var columns: Int {
    if value < 0x300 { return value == 0xAD ? 0 : 1 }
    if isWide { return 2 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return isPrintable && !properties.isDefaultIgnorableCodePoint ? 1 : 0
    default: break
    }
    // Vowels and final consonants of Hangul syllables combine with the first consonant.
    let combinesAsHangul =
      (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value)
    if combinesAsHangul { return 0 }
    return properties.isEmojiPresentation ? 2 : 1
  }

  /// Whether East_Asian_Width is W or F, except for emoji.
  ///
  /// From EastAsianWidth.txt of Unicode 14.0; every wide character above U+1F265 and below U+20000 is an emoji
  /// (Emoji_Presentation). Gaps without assigned characters are filled.
  package var isWide: Bool {
    guard value >= 0x1100 else { return false }
    switch value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
      0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAD9, 0xFE10...0xFE19,
      0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F265,
      0x20000...0x3FFFD:
      return true
    default: return false
    }
  }
}

extension String {
  /// The columns that a terminal needs for a text without control characters.
  package var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }
}

extension [[String]] {
  /// Writes the rows as lines, with their cells below each other and two spaces between them.
  ///
  /// With `isRightAligned`, all cells but a row's first are aligned on the right.
  package func inColumns(isRightAligned: Bool = false) -> [String] {
    let widths = (first ?? []).indices.map { column in self.map { $0[column].columns }.max() ?? 0 }
    return map { row in
      let cells = row.indices.map { column -> String in
        let padding = String(repeating: " ", count: widths[column] - row[column].columns)
        if isRightAligned, column > 0 { return padding + row[column] }
        return column == row.count - 1 ? row[column] : row[column] + padding
      }
      return cells.joined(separator: "  ")
    }
  }
}
