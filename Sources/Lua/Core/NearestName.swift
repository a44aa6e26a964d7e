/// The number of characters from which on a name isn't compared: nobody types such a name.
private let maximumLength = 100

extension String {
  /// The name that this one was probably meant to be: at most a third of the letters, and one more, are missing,
  /// superfluous, wrong or swapped.
  ///
  /// Upper and lower case count as the same. Of several names at the same distance it is one that begins with the same
  /// letter, and then the first in the alphabet.
  package func nearest(of names: some Sequence<String>) -> String? {
    let length = count
    guard (1...maximumLength).contains(length) else { return nil }
    let limit = length / 3 + 1
    let letters = lowercased()
    var best: (distance: Int, otherStart: Int, name: String)?
    for name in names
    where name != self && name.utf8.count <= 4 * maximumLength
      && abs(name.count - length) <= limit
    {
      let nameLetters = name.lowercased()
      let distance = letters.editDistance(to: nameLetters)
      // More than half of the letters are right, or short names would be like any other.
      guard distance <= limit, 2 * distance < Swift.max(length, name.count) else { continue }
      let candidate = (distance, letters.first == nameLetters.first ? 0 : 1, name)
      if best.map({ candidate < $0 }) ?? true { best = candidate }
    }
    return best?.name
  }

  /// A suggestion for a message, if another name was probably meant: "; did you mean 'red'?"; nil if none is near.
  package func suggestion(of names: some Sequence<String>) -> String? {
    nearest(of: names).map { "; did you mean '\($0)'?" }
  }

  /// The minimum number of letters to insert, remove, replace, or swap with their neighbor (optimal string alignment,
  /// after Damerau, 1964).
  private func editDistance(to other: String) -> Int {
    let letters = Array(self)
    let other = Array(other)
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for row in letters.indices {
      var current = [row + 1]
      for column in other.indices {
        let replaced = last[column] + (letters[row] == other[column] ? 0 : 1)
        var distance = Swift.min(replaced, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letters[row] == other[column - 1], letters[row - 1] == other[column]
        {
          distance = Swift.min(distance, beforeLast[column - 1] + 1)
        }
        current.append(distance)
      }
      beforeLast = last
      last = current
    }
    return last[other.count]
  }
}
