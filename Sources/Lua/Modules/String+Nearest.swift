extension String {
  /// The name that this one was probably meant to be: at most a third of its letters differ.
  ///
  /// Complexity: O(length), and O(length²) for each name of about that length.
  package func nearest(of names: [String]) -> String? {
    let length = count
    let limit = Swift.max(1, length / 3)
    // The distance is never less than the difference in length.
    return names.filter { abs($0.count - length) <= limit }
      .map { (name: $0, distance: editDistance(to: $0)) }
      .filter { $0.distance <= limit }
      .min { $0.distance < $1.distance }?.name
  }

  /// The least number of letters to insert, remove, replace, or swap with their neighbor (optimal string alignment,
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
