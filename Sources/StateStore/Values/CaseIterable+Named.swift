extension CaseIterable where Self: RawRepresentable<String> {
  /// Finds the case with a name, which may be any text.
  package init?(named name: String) {
    guard let named = Self.allCases.first(where: { $0.rawValue.isExactly(name) }) else {
      return nil
    }
    self = named
  }
}
