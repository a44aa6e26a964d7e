import PrimereplFoundation
import PrimereplPlatform
package import StateStore

/// Successive actions of a history as a user names them: `#3..#9`, `3..9`, `#3..`, `..#9`, or `#5`.
package struct ActionRange: Equatable, Sendable {
  /// The number of the first action; nil for the first that can be undone.
  package let first: Int?
  /// The number of the last action; nil for the last in effect.
  package let last: Int?

  package static func parse(_ text: String) throws -> Self {
    let bounds = text.split(separator: "..", omittingEmptySubsequences: false)
    guard let start = bounds.first, let end = bounds.last, bounds.count <= 2, text != ".." else {
      throw RecordingError.notARange(text)
    }
    let first = try number(start, in: text)
    let last = bounds.count == 1 ? first : try number(end, in: text)
    guard bounds.count == 2 || first != nil else { throw RecordingError.notARange(text) }
    if let first, let last, first > last {
      throw RecordingError.badRange("\(first) comes after \(last): write #\(last)..#\(first)")
    }
    return Self(first: first, last: last)
  }

  /// The number at one end; nil for none.
  private static func number(_ text: Substring, in whole: String) throws -> Int? {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text
    guard !digits.isEmpty || text == "#" else { return nil }
    guard digits.utf8.allSatisfy(\.isASCIIDigit),
      let number = Int(digits)
    else { throw RecordingError.notARange(whole) }
    guard number > 0 else { throw RecordingError.badRange("actions are numbered from 1") }
    return number
  }

  /// Splits arguments such as `#3..#9 file`: into the range before the first blank, if there is one, and the rest.
  ///
  /// - Throws: ``RecordingError`` if the first word begins as a range, and isn't one.
  package static func split(_ arguments: String) throws -> (range: Self?, rest: String) {
    let parts = arguments.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
    guard parts.count == 2, let word = parts.first, let rest = parts.last,
      word.allSatisfy({ "#.0123456789".contains($0) }) || word.hasPrefix("#")
    else { return (nil, arguments.trimmingWhitespace) }
    return (try parse(String(word)), rest.trimmingWhitespace)
  }

  /// The numbers of the actions in a store's history.
  ///
  /// - Throws: ``RecordingError`` if the history doesn't have all of them.
  package func numbers(in store: Store) throws -> Range<Int> {
    let known = store.reachable.lowerBound + 1..<store.reachable.upperBound + 1
    let lower = first ?? known.lowerBound
    let upper = last ?? max(lower, store.position)
    guard !known.isEmpty else { throw RecordingError.badRange("the history has no actions yet") }
    for number in [lower, upper] where !known.contains(number) {
      throw RecordingError.badRange(
        "the history has no action \(number): it has #\(known.lowerBound) to #\(known.upperBound - 1)"
      )
    }
    return lower..<upper + 1
  }
}

extension RecordingError {
  static func notARange(_ text: String) -> Self {
    badRange(
      "\"\(text.printable(limit: 200))\" names none: write #3..#9, #3.., ..#9 or #5")
  }

  static func badRange(_ reason: String) -> Self {
    Self("bad_range", "These actions can't be used: \(reason).")
  }
}
