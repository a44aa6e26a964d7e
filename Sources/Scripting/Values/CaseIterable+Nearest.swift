import Lua

extension CaseIterable where Self: RawRepresentable<String> {
  /// The case whose name was probably meant by another, whatever the letters' case; or nil.
  public static func nearest(to name: String) -> Self? {
    // Lengths of letters can't be told in time where there are many marks on them, and no name has any.
    guard name.utf8.count <= 100 else { return nil }
    let names = allCases.map { $0.rawValue.lowercased() }
    let nearest = name.lowercased().nearest(of: names)
    return allCases.first { $0.rawValue.lowercased() == nearest }
  }
}
