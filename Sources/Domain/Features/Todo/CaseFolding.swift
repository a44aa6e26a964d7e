import Foundation

/// Text compared without regard to case, by the full folding of Unicode.
enum CaseFolding {
  /// The text in a form that is the same for all its cases: "É" and "é", "STRASSE" and "straße".
  ///
  /// Letters are composed, so that the same text has the same bytes. No locale takes part, so the answer is the same
  /// everywhere.
  static func fold(_ text: String) -> String {
    let folded = text.folding(options: .caseInsensitive, locale: nil)
    // What is ASCII is composed already.
    return folded.utf8.allSatisfy { $0 < 0x80 }
      ? folded : folded.precomposedStringWithCanonicalMapping
  }
}
