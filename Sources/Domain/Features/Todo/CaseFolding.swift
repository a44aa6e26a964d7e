import Foundation

/// Text compared without regard to case, by the full folding of Unicode.
enum CaseFolding {
  /// The text in a form that is the same for all its cases: "É" and "é", "STRASSE" and "straße".
  ///
  /// Composed and decomposed forms of a letter needn't be made the same here: Swift compares
  /// characters by canonical equivalence. No locale takes part, so the answer is the same
  /// everywhere.
  static func fold(_ text: String) -> String {
    text.folding(options: .caseInsensitive, locale: nil)
  }
}
