import Lua

/// Finds the name that a misspelled one was probably meant to be.
enum NearestName {
  /// The number of characters from which on a name isn't compared: nobody types such a name.
  private static let maximumLength = 100

  /// The nearest name: at most a third of the letters, and one more, are missing, superfluous, wrong or swapped.
  ///
  /// Upper and lower case count as the same. Of several names at the same distance it is one that begins with the same
  /// letter, and then the first in the alphabet.
  ///
  /// - Parameters:
  ///   - name: The misspelled name.
  ///   - names: The names that exist, in any order.
  /// - Returns: The nearest name; nil if none is near.
  static func nearest(to name: String, in names: some Sequence<String>) -> String? {
    let length = name.count
    guard (1...maximumLength).contains(length) else { return nil }
    let limit = length / 3 + 1
    let letters = name.lowercased()
    var best: Candidate?
    for other in names
    where other != name && other.utf8.count <= 4 * maximumLength
      && abs(other.count - length) <= limit
    {
      let otherLetters = other.lowercased()
      let distance = letters.editDistance(to: otherLetters)
      // At least half of the letters are right, or short names would be like any other.
      guard distance <= limit, 2 * distance <= max(length, other.count) else { continue }
      let candidate = Candidate(
        name: other, distance: distance, hasOtherStart: letters.first != otherLetters.first)
      if best.map({ candidate.isNearer(than: $0) }) ?? true { best = candidate }
    }
    return best?.name
  }

  private struct Candidate {
    let name: String
    let distance: Int
    let hasOtherStart: Bool

    func isNearer(than other: Candidate) -> Bool {
      if distance != other.distance { return distance < other.distance }
      if hasOtherStart != other.hasOtherStart { return other.hasOtherStart }
      return name < other.name
    }
  }
}
