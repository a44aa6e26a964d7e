extension String {
  /// Whether both have the same bytes.
  ///
  /// `==` also takes the composed and the decomposed form of a letter for the same; to replace one by the other is a
  /// change nevertheless.
  func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
