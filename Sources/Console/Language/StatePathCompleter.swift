import LineEditing
import StateStore

/// Finds the paths of the state that a text can become.
struct StatePathCompleter {
  private let schema: Schema

  init(_ schema: Schema) { self.schema = schema }

  /// The paths that begin with a text: of features, fields and their parts, such as `persons[2].name`.
  func candidates(for text: String) -> [Completions.Candidate] {
    var paths: Set<String> = []
    for field in schema.fields {
      addParents(of: field.path, to: &paths)
      addPaths(from: field.path, field.shape, typed: text, to: &paths)
    }
    return paths.filter { $0.utf8.starts(with: text.utf8) }.sorted().map { .init($0) }
  }

  private func addParents(of path: String, to paths: inout Set<String>) {
    var rest = path[...]
    while let dot = rest.lastIndex(of: ".") {
      rest = rest[..<dot]
      paths.insert(String(rest))
    }
  }

  /// Adds a path and those of its parts; those of an element only for a position that is typed.
  private func addPaths(
    from path: String, _ shape: StateShape, typed: String, to paths: inout Set<String>
  ) {
    paths.insert(path)
    switch shape {
    case .value, .secret: break
    case .record(let members):
      for member in members {
        addPaths(from: "\(path).\(member.name)", member.shape, typed: typed, to: &paths)
      }
    case .list(let element):
      guard typed.utf8.starts(with: "\(path)[".utf8) else { return }
      let position = typed.dropFirst(path.count + 1).prefix { $0.isASCII && $0.isNumber }
      guard !position.isEmpty else { return }
      addPaths(from: "\(path)[\(position)]", element, typed: typed, to: &paths)
    }
  }
}
