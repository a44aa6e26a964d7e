import Platform

/// What a terminal shows for one character: the character itself, or an escape in its place.
///
/// Nothing that is shown can command the terminal or hide text: control characters appear as `^A`, bidirectional
/// overrides and other invisible characters by their number as `<202e>`, and bytes that aren't UTF-8 as `\xff`.
package struct DisplayForm: Equatable, Sendable {
  package let text: String
  /// The columns that the text occupies.
  package let columns: Int
  /// Whether the text stands for a character that can't be shown itself.
  package let isEscape: Bool
  /// Whether terminals disagree on the columns, as they do for emoji made of several scalars.
  package let isUncertain: Bool

  /// The columns between the tab stops of a terminal.
  package static let tabStop = 8

  /// Tabs and line breaks have forms of control characters here, as what they do depends on where they stand.
  package init(_ character: Character) {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else {
      self.init("", columns: 0)
      return
    }
    let isAlone = scalars.index(after: scalars.startIndex) == scalars.endIndex
    if first.isASCII, isAlone, first.value >= 0x20, first.value != 0x7F {
      self.init(String(character), columns: 1)
    } else if isAlone, let columns = first.letterColumns {
      self.init(String(character), columns: columns)
    } else if let escape = first.escapeAtStart ?? scalars.dropFirst().firstEscape {
      let text = isAlone ? escape : scalars.map { DisplayForm(Character($0)).text }.joined()
      self.init(text, columns: text.count, isEscape: true)
    } else if isAlone {
      self.init(alone: first)
    } else {
      self.init(cluster: character, first: first)
    }
  }

  /// - Parameter scalar: A scalar that isn't escaped.
  private init(alone scalar: Unicode.Scalar) {
    let columns = scalar.columns
    if columns == 0 {
      // Without a base character, a mark would join whatever is to its left.
      self.init("\u{25CC}" + String(scalar), columns: 1)
    } else {
      self.init(String(scalar), columns: columns, isUncertain: scalar.isRegionalIndicator)
    }
  }

  /// - Parameters:
  ///   - cluster: A character of several scalars, none of which is escaped.
  ///   - first: The first of the scalars.
  private init(cluster: Character, first: Unicode.Scalar) {
    let scalars = cluster.unicodeScalars
    let isEmoji =
      first.properties.isEmoji
      && scalars.dropFirst().contains { $0.isEmojiJoiner || $0.isRegionalIndicator }
    if isEmoji {
      self.init(String(cluster), columns: 2, isUncertain: true)
      return
    }
    let sum = scalars.reduce(0) { $0 + $1.columns }
    if first.columns == 0 {
      self.init("\u{25CC}" + String(cluster), columns: sum + 1, isUncertain: sum > 0)
    } else {
      self.init(String(cluster), columns: sum, isUncertain: sum > first.columns)
    }
  }

  private init(_ text: String, columns: Int, isEscape: Bool = false, isUncertain: Bool = false) {
    (self.text, self.columns) = (text, columns)
    (self.isEscape, self.isUncertain) = (isEscape, isUncertain)
  }
}

extension Unicode.Scalar {
  /// The columns of the scalar on a terminal, if it is shown as itself.
  package var columns: Int {
    if value < 0x300 { return value == 0xAD ? 0 : 1 }
    if isWide { return 2 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return isVisibleFormat ? 1 : 0
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
  private var isWide: Bool {
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

  /// The columns of characters of common scripts, which need no look at their properties; nil for all others.
  fileprivate var letterColumns: Int? {
    switch value {
    case 0xAE..<0x300: 1
    case 0x3041...0x3163, 0x3190...0xA4C6, 0xAC00...0xD7A3: isWide ? 2 : nil
    default: nil
    }
  }

  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  /// Whether the scalar makes an emoji of what precedes it: the emoji variation selector, the zero-width joiner, a skin
  /// tone, an enclosing keycap or a tag.
  fileprivate var isEmojiJoiner: Bool {
    switch value {
    case 0xFE0F, 0x200D, 0x20E3, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F: true
    default: false
    }
  }

  /// Whether this is a format character that is seen, such as the Arabic number sign.
  private var isVisibleFormat: Bool {
    switch value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD, 0x13430...0x1343F:
      true
    default: false
    }
  }

  /// What is shown for the scalar wherever it stands; nil if the scalar itself is.
  fileprivate var escape: String? {
    switch value {
    case 0..<0x20, 0x7F: return "^" + String(Unicode.Scalar(UInt8(value) ^ 0x40))
    case 0x80..<0xA0, 0x2028, 0x2029: return numbered
    case 0x10FE80...0x10FEFF: return SystemByte(self).map { "\\x" + String($0.byte, radix: 16) }
    default: return nil
    }
  }

  /// What is shown for the scalar at the start of a character; nil if the scalar itself is.
  ///
  /// Joiners and variation selectors are part of many characters, but alone they would be invisible.
  fileprivate var escapeAtStart: String? {
    if let escape { return escape }
    guard value >= 0xAD else { return nil }
    let isInvisible =
      properties.isDefaultIgnorableCodePoint
      || (properties.generalCategory == .format && !isVisibleFormat)
    return isInvisible ? numbered : nil
  }

  private var numbered: String { "<" + String(value, radix: 16) + ">" }
}

extension Substring.UnicodeScalarView {
  fileprivate var firstEscape: String? { lazy.compactMap(\.escape).first }
}
