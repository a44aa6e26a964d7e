extension LuaError {
  /// The error for a name that something with named fields doesn't have: it says which there are, and which was probably
  /// meant.
  ///
  /// - Parameters:
  ///   - name: the bytes of the name, which may be any.
  ///   - owner: what has the fields: "counter".
  ///   - names: the names of its fields.
  /// - Returns: an error of the kind `unknown_field`.
  package static func unknownField(
    _ name: some Collection<UInt8>, of owner: String, known names: [String]
  ) -> LuaError {
    let name = String(shortening: name)
    let names = names.sorted()
    let nearest = name.nearest(of: names).map { "; did you mean '\($0)'?" } ?? "."
    return LuaError(
      .unknownField,
      "\(owner) has no field '\(name)'\(nearest) It has: \(names.joined(separator: ", "))")
  }
}
