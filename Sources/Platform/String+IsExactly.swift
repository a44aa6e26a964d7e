import PrimereplFoundation

extension String {
  /// Whether both have the same bytes.
  ///
  /// `==` also considers the composed and decomposed forms of a letter equal, but replacing one by the other is a
  /// change.
  ///
  /// - Complexity: O(length); that of `==` grows with the square of the number of combining marks.
  package func isExactly(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        guard let first = bytes.baseAddress, let other = others.baseAddress else { return true }
        return memcmp(first, other, bytes.count) == 0
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
