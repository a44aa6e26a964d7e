import PrimereplPlatform

/// A character as a terminal shows it: itself, or an escape in its place.
///
/// Nothing that is shown can command the terminal or hide text: see `Unicode.Scalar.isPrintable`.
package struct DisplayForm: Equatable, Sendable {
  package let text: String
  package let columns: Int
  package let isEscape: Bool
  /// Whether terminals disagree on the columns, as they do for emoji made of several scalars.
  package let isUncertain: Bool

  package static let tabStop = 8

  /// Tabs and line breaks are escaped here, since their effect depends on where they stand.
  package init(_ character: Character) {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else {
      self.init("", columns: 0)
      return
    }
    let isAlone = scalars.index(after: scalars.startIndex) == scalars.endIndex
    if first.isASCII, isAlone, first.value >= 0x20, first.value != 0x7F {
      self.init(String(character), columns: 1)
    } else if !first.isVisible {
      let text = isAlone ? first.escape : scalars.map { DisplayForm(Character($0)).text }.joined()
      self.init(text, columns: text.count, isEscape: true)
    } else if isAlone {
      self.init(alone: first)
    } else if !scalars.allSatisfy(\.isPrintable), !FlagOfTags.contains(character) {
      let forms = String(character).printable.map { DisplayForm($0) }
      self.init(
        forms.map(\.text).joined(), columns: forms.reduce(0) { $0 + $1.columns }, isEscape: true)
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

  /// The form of a cluster of several scalars, which are shown as themselves.
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
  /// Whether the scalar can be shown at the start of a character: joiners and variation selectors are invisible there.
  fileprivate var isVisible: Bool { isPrintable && !properties.isDefaultIgnorableCodePoint }

  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  /// Whether the scalar makes an emoji of what precedes it: the emoji variation selector, the zero-width joiner, a skin
  /// tone, an enclosing keycap or a tag.
  fileprivate var isEmojiJoiner: Bool {
    switch value {
    case 0xFE0F, 0x200D, 0x20E3, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F: true
    default: false
    }
  }
}
