import Foundation

/// A search text, which is compared regardless of case.
///
/// The search is Knuth, Morris and Pratt's: `contains` would take hours to look for one megabyte in another.
struct FoldedQuery {
  private let bytes: [UInt8]

  /// For each nonempty prefix of the bytes, the number of bytes that still match if the next byte doesn't: the length
  /// of the longest shorter prefix that it ends with.
  private let fallbacks: [Int]

  /// Prepares the search.
  ///
  /// - Complexity: O(length).
  init(_ text: String) {
    bytes = Array(CaseFolding.fold(text).utf8)
    var fallbacks = bytes.isEmpty ? [] : [0]
    for byte in bytes.dropFirst() {
      fallbacks.append(
        Self.matched(after: byte, fallbacks[fallbacks.count - 1], of: bytes, fallbacks))
    }
    self.fallbacks = fallbacks
  }

  /// Whether a text contains the search text.
  ///
  /// - Complexity: O(length of the text).
  func isFound(in text: String) -> Bool {
    var matched = 0
    for byte in CaseFolding.fold(text).utf8 {
      guard matched < bytes.count else { break }
      matched = Self.matched(after: byte, matched, of: bytes, fallbacks)
    }
    return matched == bytes.count
  }

  /// The number of bytes that match after one more byte.
  private static func matched(
    after byte: UInt8, _ before: Int, of bytes: [UInt8], _ fallbacks: [Int]
  ) -> Int {
    var matched = before
    while matched > 0, bytes[matched] != byte { matched = fallbacks[matched - 1] }
    return bytes[matched] == byte ? matched + 1 : 0
  }
}

/// Comparison of texts regardless of case, by the full case folding of Unicode.
enum CaseFolding {
  /// The text in a form that is the same in all cases: "É" and "é", "STRASSE" and "straße".
  ///
  /// Letters are composed, so the same text has the same bytes. It ignores the locale, so the result is the same
  /// everywhere.
  ///
  /// - Complexity: O(length).
  static func fold(_ text: String) -> String {
    let folded = text.folding(options: .caseInsensitive, locale: nil)
    // ASCII is composed already.
    if folded.utf8.allSatisfy({ $0 < 0x80 }) { return folded }
    let ordered = CombiningMarks.hasLongRun(folded) ? CombiningMarks.ordered(folded) : folded
    return ordered.precomposedStringWithCanonicalMapping
  }
}

/// The order of marks that combine with the letter before them (Unicode Standard, 3.11, D108).
///
/// Foundation and the standard library sort marks in quadratic time, so a letter with 100,000 marks, which no
/// language has but a script can write, takes half a minute. Marks that are already in order cost them nothing.
private enum CombiningMarks {
  /// The number of scalars given to Foundation at a time: more than the marks of a letter in any language.
  private static let chunkLength = 64

  /// Whether so many marks follow one another that sorting them takes long.
  static func hasLongRun(_ text: String) -> Bool {
    var length = 0
    for scalar in text.unicodeScalars {
      length = isMark(scalar) ? length + 1 : 0
      if length > chunkLength { return true }
    }
    return false
  }

  /// The text decomposed, with the marks of each letter in the canonical order.
  ///
  /// - Complexity: O(length).
  static func ordered(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    // Grouped by class; marks of one class stay in their order.
    var marks: [UInt8: [Unicode.Scalar]] = [:]
    func takeMarks() {
      for (_, scalars) in marks.sorted(by: { $0.key < $1.key }) { result += scalars }
      marks.removeAll()
    }
    var rest = text.unicodeScalars[...]
    while !rest.isEmpty {
      let chunk = rest.prefix(chunkLength)
      rest = rest[chunk.endIndex...]
      for scalar in String(chunk).decomposedStringWithCanonicalMapping.unicodeScalars {
        let order = scalar.properties.canonicalCombiningClass
        if order == .notReordered {
          takeMarks()
          result.append(scalar)
        } else {
          marks[order.rawValue, default: []].append(scalar)
        }
      }
    }
    takeMarks()
    return String(result)
  }

  /// Whether a scalar is a mark that is reordered, or decomposes into such marks, as U+0F73 does.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x300
      && (scalar.properties.canonicalCombiningClass != .notReordered
        || [0x0F73, 0x0F75, 0x0F81].contains(scalar.value))
  }
}
