import Lua
import StateStore

/// A path into the state, or `#` and the path of a list for the number of its elements.
///
///     counter.count
///     todo.items[2].done
///     #favorites
struct StateExpression: Sendable {
  /// As it was written.
  let text: String
  /// The path without `#`.
  let path: String
  /// Whether only the number of elements is asked for.
  let isSize: Bool
  /// The field or part at the path, or the fields below it; at least one.
  let fields: [StateField]

  /// Parses an expression.
  ///
  /// - Throws: ``StatePathError`` that names the nearest path if the state can't have a value there.
  init(_ text: String, in schema: Schema) throws(StatePathError) {
    self.text = text
    isSize = text.hasPrefix("#")
    path = isSize ? String(text.dropFirst()) : text
    do throws(StoreError) {
      fields = try schema.fields(at: path)
    } catch {
      throw .unknownPath(path, nearest: schema.nearestPath(to: path), known: schema.knownPaths)
    }
    guard isSize else { return }
    guard let field = onlyField else { throw .noList(path) }
    // The shape of a part of a field isn't known.
    guard schema.fields.contains(where: { $0.path == path }) else { return }
    guard case .list = field.shape else { throw .noList(path) }
  }

  /// The only field or part; nil if there are several, or its number of elements is asked for.
  var onlyField: StateField? {
    guard fields.count == 1, let field = fields.first, field.path == path else { return nil }
    return field
  }

  /// The number of elements of a list; nil if there is none.
  ///
  /// - Complexity: O(1) for a list of records.
  static func size(of field: StateField, in states: States) -> Int? {
    if let elements = field.elements(in: states) { return elements.count }
    if case .list(let values, _) = field.value(in: states) { return values.count }
    return nil
  }

  /// The value in a state, on one line, shortened.
  ///
  /// - Complexity: O(`limit` + fields), as it reads only the first elements of lists.
  func shownValue(in states: States, limit: Int) -> String {
    guard let field = onlyField else {
      let prefix = path.isEmpty ? 0 : path.utf8.count + 1
      return StateValue.record(
        fields.map { field in
          let name = String(field.path.dropFirst(prefix))
          let size = field.isList ? Self.size(of: field, in: states) : nil
          return .init(name: name, value: size.map { .integer($0) } ?? field.value(in: states))
        }
      ).shown(limit: limit)
    }
    if isSize { return Self.size(of: field, in: states).map { $0.grouped } ?? "nil" }
    if let elements = field.elements(in: states) { return elements.shownElements(limit: limit) }
    return field.value(in: states).shown(limit: limit)
  }
}

/// Why a path isn't one of the state.
typealias StatePathError = PlainError<StateExpression>

extension StatePathError {
  static func unknownPath(_ path: String, nearest: String?, known: [String]) -> Self {
    let quoted = "\"\(path.shown(limit: 100))\""
    let hint =
      nearest.map { "; did you mean \"\($0)\"?" }
      ?? ": it has \(known.filter { !$0.contains(".") }.joined(separator: ", "))."
    return Self("unknown_path", "The state has nothing at \(quoted)\(hint)")
  }

  static func noList(_ path: String) -> Self {
    Self("no_list", "\"\(path.shown(limit: 100))\" isn't a list, so it has no number of elements.")
  }
}

extension Schema {
  /// The path that was probably meant, with the positions in lists as written; nil if none is near.
  func nearestPath(to path: String) -> String? {
    var positions: [Substring] = []
    var plain = ""
    for (index, part) in path.split(separator: "[", omittingEmptySubsequences: false).enumerated() {
      guard index > 0, let end = part.firstIndex(of: "]") else {
        plain += part
        continue
      }
      positions.append(part[..<end])
      plain += "[]" + part[part.index(after: end)...]
    }
    let candidates = knownPaths + fields.flatMap { Self.paths(in: $0.shape, at: $0.path) }
    guard !candidates.contains(plain), let nearest = plain.nearest(of: candidates) else {
      return nil
    }
    var rest = positions[...]
    return nearest.split(separator: "[", omittingEmptySubsequences: false).enumerated().map {
      index, part in
      index == 0 ? String(part) : "[\(rest.popFirst() ?? "1")\(part)"
    }.joined()
  }

  /// The paths of the parts of a value, with `[]` for any position.
  private static func paths(in shape: StateShape, at path: String) -> [String] {
    switch shape {
    case .value, .secret: []
    case .list(let element): ["\(path)[]"] + paths(in: element, at: "\(path)[]")
    case .record(let members):
      members.flatMap { ["\(path).\($0.name)"] + paths(in: $0.shape, at: "\(path).\($0.name)") }
    }
  }
}
