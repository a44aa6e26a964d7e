import Collections

extension App {
  /// The fields to watch for those who observe a path.
  ///
  /// - Parameter path: The path of a field; of what contains fields, or nothing for all of them; or of a part of a field.
  /// - Returns: The fields, at least one.
  /// - Throws: `StoreError.unknownPath` where there is nothing, and can't be.
  static func fields(at path: String) throws(StoreError) -> [Field<State>] {
    // No path is so long, and comparing texts takes time that grows with the square of their combining marks.
    guard path.utf8.count <= StatePath.maximumLength else {
      throw .unknownPath(path, known: knownPaths)
    }
    if let field = fields.first(where: { $0.path == path }) { return [field] }
    let contained = fields.filter { path.isEmpty || $0.path.hasPrefix(path + ".") }
    guard contained.isEmpty else { return contained }
    guard let steps = StatePath(path)?.steps, let part = part(at: steps, path: path) else {
      throw .unknownPath(path, known: knownPaths)
    }
    return [part]
  }

  private static func part(at steps: [StatePath.Step], path: String) -> Field<State>? {
    fields.lazy.compactMap { field in
      let own = StatePath(field.path)?.steps ?? []
      return steps.starts(with: own) ? field.part(at: steps[own.count...], path: path) : nil
    }.first
  }

  /// Every path of a field and of what contains fields, each parent before its fields.
  private static var knownPaths: [String] {
    var paths = OrderedSet<String>()
    for path in fields.map(\.path) {
      for dot in path.indices where path[dot] == "." { paths.append(String(path[..<dot])) }
      paths.append(path)
    }
    return Array(paths)
  }
}
