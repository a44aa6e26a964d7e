package import PrimereplLineEditing
package import StateStore

/// Values of the state in one dim row, such as `counter.count 7 · #favorites 3`.
package struct WatchRow: Sendable {
  /// The watched paths, and lists whose number of elements is watched.
  package let expressions: [StateExpression]

  /// The maximum length of a value, in characters.
  private static let valueLength = 40

  /// Parses the watched paths, such as `counter.count` and `#favorites`.
  package init(expressions: [String], _ schema: StoreSchema) throws(StatePathError) {
    var parsed: [StateExpression] = []
    for text in expressions { parsed.append(try StateExpression(text, in: schema)) }
    self.expressions = parsed
  }

  /// The row, cut off at a width.
  package func row(of store: Store, columns: Int) -> StyledText {
    let values = expressions.map { expression in
      "\(expression.text) \(expression.shownValue(in: store.states, limit: Self.valueLength))"
    }
    return StyledText(values.joined(separator: " · "), .dim).fitted(to: columns)
  }
}
