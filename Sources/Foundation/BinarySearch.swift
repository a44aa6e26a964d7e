extension RandomAccessCollection {
  /// The first index from which on a condition holds, in a collection where it holds for no element before.
  ///
  /// - Complexity: O(log `count`).
  @inlinable package func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Index {
    var (low, rest) = (startIndex, self.count)
    while rest > 0 {
      let half = rest / 2
      let middle = index(low, offsetBy: half)
      if isInSecondPart(self[middle]) {
        rest = half
      } else {
        low = index(after: middle)
        rest -= half + 1
      }
    }
    return low
  }
}
