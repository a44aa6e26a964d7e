import Foundation

/// A text that is looked for in others, without regard to case.
///
/// The search is Knuth, Morris and Pratt's: `contains` would take hours to look for a megabyte in another.
struct FoldedQuery {
  private let bytes: [UInt8]

  /// How many bytes are still matched when the byte after the first, the first two and so on isn't the one that comes: the
  /// length of the longest beginning of the bytes that these end with, and aren't.
  private let fallbacks: [Int]

  /// Makes what finds a text.
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

  /// Whether a text contains the one that is looked for.
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

  /// How many bytes are matched once one more came.
  private static func matched(
    after byte: UInt8, _ before: Int, of bytes: [UInt8], _ fallbacks: [Int]
  ) -> Int {
    var matched = before
    while matched > 0, bytes[matched] != byte { matched = fallbacks[matched - 1] }
    return bytes[matched] == byte ? matched + 1 : 0
  }
}

/// Text compared without regard to case, by the full folding of Unicode.
enum CaseFolding {
  /// The text in a form that is the same for all its cases: "É" and "é", "STRASSE" and "straße".
  ///
  /// Letters are composed, so that the same text has the same bytes. No locale takes part, so the answer is the same
  /// everywhere.
  ///
  /// - Complexity: O(length).
  static func fold(_ text: String) -> String {
    let folded = text.folding(options: .caseInsensitive, locale: nil)
    // What is ASCII is composed already.
    if folded.utf8.allSatisfy({ $0 < 0x80 }) { return folded }
    let ordered = CombiningMarks.hasLongRun(folded) ? CombiningMarks.ordered(folded) : folded
    return ordered.precomposedStringWithCanonicalMapping
  }
}

/// The order of marks that combine with the letter before them (Unicode Standard, 3.11, D108).
///
/// Foundation and the standard library put them in order in time that grows with the square of their number, so that a letter
/// with 100,000 marks, which no language has but a script can write, takes half a minute. Marks that are in order already
/// cost them nothing.
private enum CombiningMarks {
  /// As many scalars as are given to Foundation at a time: more than the marks of a letter in any language.
  private static let chunkLength = 64

  /// Whether so many marks follow one another that their order takes long to find.
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
    // By their classes; those of one class stay in the order in which they came.
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

  /// Whether a scalar is a mark that is reordered, or is decomposed into such: as U+0F73 and its like are.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x300
      && (scalar.properties.canonicalCombiningClass != .notReordered
        || [0x0F73, 0x0F75, 0x0F81].contains(scalar.value))
  }
}
