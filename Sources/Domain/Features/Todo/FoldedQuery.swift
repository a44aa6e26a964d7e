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
