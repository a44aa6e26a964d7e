import Lua
import PrimereplPlatform
package import Scripting
package import StateStore

/// The value that an expression had after an action, which a recorded scenario expects there.
package struct PinnedExpectation: Equatable, Sendable {
  /// The expression as it was typed.
  package let expression: String
  package let value: LuaText
  /// The number of the last action in effect then; 0 before the first.
  package let position: Int
  /// That action; nil before the first.
  ///
  /// After an undo, another action can get the number.
  package let action: RecordedAction?

  /// Pins the value that an expression has now.
  ///
  /// - Throws: ``RecordingError`` if the scenario couldn't contain the expression, or its value.
  init(
    _ expression: String, being value: LuaValue, in store: Store, _ state: LuaState
  ) throws {
    guard expression.printableLines.isExactly(expression) else {
      throw RecordingError.notAnExpression(
        "it has control characters, or bytes that aren't UTF-8: write them as escapes, such as \\xff"
      )
    }
    // In parentheses and without: neither several values nor unbalanced parentheses.
    try Self.checkSyntax(of: "return \(expression)\n", in: state)
    try Self.checkSyntax(of: "return (\(expression)\n)", in: state)
    guard !Secret.areContained(in: expression.utf8) else {
      throw RecordingError.notAnExpression("it contains a password")
    }
    self.expression = expression
    self.value = try LuaText(pinning: value)
    position = store.position
    action = store.contents.action(position)
  }

  private static func checkSyntax(of text: String, in state: LuaState) throws {
    do {
      _ = try state.load(text, name: .text("expectation"))
    } catch {
      guard error.is(.syntax) else { throw error }
      throw RecordingError.notAnExpression("pin one value, such as counter.count")
    }
  }

  /// Whether the action after which it was pinned is still the one with that number.
  func isValid(in store: Store) -> Bool {
    action == store.contents.action(position)
  }
}

extension RecordingError {
  static func notAnExpression(_ reason: String) -> Self {
    Self("not_pinnable", "The expression can't be pinned: \(reason).")
  }
}
