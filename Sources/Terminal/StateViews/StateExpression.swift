import Lua
package import PrimereplLineEditing
import PrimereplPlatform
package import StateStore

/// A path into the state, or `#` and the path of a list for the number of its elements.
///
///     counter.count
///     todo.items[2].done
///     #favorites
package struct StateExpression: Sendable {
  package let text: String
  /// The path without `#`.
  package let path: String
  let isSize: Bool
  /// The field or part at the path, or the fields below it; at least one.
  let fields: [AnyField]

  package init(_ text: String, in schema: StoreSchema) throws(StatePathError) {
    self.text = text
    isSize = text.hasPrefix("#")
    path = isSize ? String(text.dropFirst()) : text
    do throws(StoreError) {
      fields = try schema.fields(at: path)
    } catch {
      throw .unknownPath(path, nearest: path.nearest(of: schema.paths(like: path)), schema)
    }
    guard isSize else { return }
    guard let field = onlyField else { throw .noList(path) }
    // The shape of a part of a field isn't known.
    guard schema.fields.contains(where: { $0.path == path }) else { return }
    guard field.type.element != nil else { throw .noList(path) }
  }

  var onlyField: AnyField? {
    guard fields.count == 1, let field = fields.first, field.path == path else { return nil }
    return field
  }

  package static func size(of field: AnyField, in states: States) -> Int? {
    if let elements = field.elements(in: states) { return elements.count }
    if case .list(let values, _) = field.value(in: states) { return values.count }
    return nil
  }

  /// The value in a state, on one line, shortened; reads only the first elements of lists.
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

package typealias StatePathError = PlainError<StateExpression>

extension StatePathError {
  static func unknownPath(_ path: String, nearest: String?, _ schema: StoreSchema) -> Self {
    let quoted = "\"\(path.printable(limit: 100))\""
    let hint =
      nearest.map { "; did you mean \"\($0)\"?" }
      ?? ": it has \(schema.knownPaths.filter { !$0.contains(".") }.joined(separator: ", "))."
    return Self("unknown_path", "The state has nothing at \(quoted)\(hint)")
  }

  static func noList(_ path: String) -> Self {
    Self(
      "no_list", "\"\(path.printable(limit: 100))\" isn't a list, so it has no number of elements.")
  }
}

extension StoreSchema {
  /// The paths of features, fields and their parts, such as `persons[2].name`; those of a list's elements only for a
  /// position that a text has.
  func paths(like text: String) -> Set<String> {
    var paths = Set(knownPaths)
    for field in fields { Self.add(field.path, field.type, like: text, to: &paths) }
    return paths
  }

  private static func add(
    _ path: String, _ type: ValueType, like text: String, to paths: inout Set<String>
  ) {
    paths.insert(path)
    for (name, type) in type.record?.members ?? [] {
      add("\(path).\(name)", type, like: text, to: &paths)
    }
    if let element = type.element, text.utf8.starts(with: "\(path)[".utf8) {
      let position = text.dropFirst(path.count + 1).prefix { $0.isASCII && $0.isNumber }
      guard !position.isEmpty else { return }
      add("\(path)[\(position)]", element, like: text, to: &paths)
    }
  }
}

/// Values of the state in one dim row, such as `counter.count 7 · #favorites 3`.
package struct WatchRow: Sendable {
  package let expressions: [StateExpression]

  /// The maximum length of a value, in characters.
  private static let valueLength = 40

  package init(expressions: [String], _ schema: StoreSchema) throws(StatePathError) {
    var parsed: [StateExpression] = []
    for text in expressions { parsed.append(try StateExpression(text, in: schema)) }
    self.expressions = parsed
  }

  package func row(of store: Store, columns: Int) -> StyledText {
    let values = expressions.map { expression in
      "\(expression.text) \(expression.shownValue(in: store.states, limit: Self.valueLength))"
    }
    return StyledText(values.joined(separator: " · "), .dim).fitted(to: columns)
  }
}
