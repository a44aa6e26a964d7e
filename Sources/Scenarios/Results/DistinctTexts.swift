import PrimereplFoundation
import PrimereplPlatform

/// The texts of an expected and an actual value, so that what differs is seen: characters that are invisible, or look like
/// others, become escapes.
struct DistinctTexts {
  let expected: String
  let actual: String

  init(_ expected: String, _ actual: String) {
    guard !expected.isExactly(actual) else {
      (self.expected, self.actual) = (expected, actual)
      return
    }
    // `==` considers composed and decomposed letters equal, which are shown by their parts.
    let areAlike = Self.outline(expected) == Self.outline(actual)
    let others = Self.lettersOfOtherScripts(expected, actual)
    func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
      areAlike ? !scalar.isASCII : Self.isEasilyMissed(scalar) || others.contains(scalar)
    }
    self.expected = Self.escaping(expected, isEscaped)
    self.actual = Self.escaping(actual, isEscaped)
  }

  /// The characters that may be taken for the ASCII characters in their places, as the Cyrillic "а" for "a".
  ///
  /// None unless most characters are the same: words of other scripts remain readable.
  private static func lettersOfOtherScripts(_ one: String, _ other: String) -> Set<Unicode.Scalar> {
    let (one, other) = (Array(one.unicodeScalars), Array(other.unicodeScalars))
    guard one.count == other.count else { return [] }
    let pairs = zip(one, other).filter { $0 != $1 }
    let letters = pairs.map { $0.isASCII ? $1 : $0 }
    let areAlike = zip(pairs, letters).allSatisfy { pair, letter in
      // Up to U+24F are Latin letters, whose accents are seen; an emoji has two columns.
      (pair.0.isASCII || pair.1.isASCII) && letter.value > 0x24F && letter.columns == 1
    }
    return areAlike && pairs.count * 2 < one.count ? Set(letters) : []
  }

  /// A text without the characters that are hardly seen.
  private static func outline(_ text: String) -> String {
    var outline = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
      outline.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
    }
    return String(outline)
  }

  /// Whether a character is a space other than the usual one; joiners are parts of many emoji.
  private static func isEasilyMissed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .spaceSeparator && scalar != " "
  }

  /// A text with escapes for some scalars, and for spaces at the ends of lines, where no quotes show them.
  private static func escaping(
    _ text: String, _ isEscaped: (Unicode.Scalar) -> Bool
  ) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in
      let spaces = line.reversed().prefix { $0 == " " }.count
      let scalars = line.dropLast(spaces).unicodeScalars
      return scalars.map { isEscaped($0) ? $0.escape : String($0) }.joined()
        + String(repeating: "\\x20", count: spaces)
    }.joined(separator: "\n")
  }
}
