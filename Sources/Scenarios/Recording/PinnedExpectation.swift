import Lua
import PrimereplPlatform
import Scripting
package import StateStore

/// The value that an expression had after an action, which a recorded scenario expects there.
package struct PinnedExpectation: Equatable, Sendable {
  /// The expression as it was typed.
  package let expression: String
  /// Its value, as JSON has it, with empty secrets in place of bullets.
  package let value: StateValue
  /// The number of the last action in effect then; 0 before the first.
  package let position: Int
  /// That action; nil before the first.
  ///
  /// After an undo, another action can get the number.
  package let action: RecordedAction?

  /// Pins the value that an expression has now.
  ///
  /// - Parameters:
  ///   - expression: The expression.
  ///   - value: The value that it has in the app's Lua state.
  ///   - app: The app.
  /// - Throws: ``RecordingError`` if the scenario couldn't contain the expression; `JSONError` for a value that JSON has
  ///   no place for.
  init(_ expression: String, being value: LuaValue, in app: ScriptedApp) throws {
    let (store, state) = (app.store, try app.openState())
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
    self.value = try app.pinnedValue(of: value)
    position = store.position
    action = store.historyReader.action(position)
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
    action == store.historyReader.action(position)
  }
}

extension ScriptedApp {
  func pinnedValue(of value: LuaValue) throws -> StateValue {
    value == .nil ? .none : try jsonValue(of: value).withoutBullets
  }
}

extension StateValue {
  /// The value with an empty secret in place of each text of bullets, which would tell a length.
  fileprivate var withoutBullets: StateValue {
    switch self {
    case .text(let text) where !text.isEmpty && text.allSatisfy { $0 == "•" }: .secret(Secret(""))
    case .list(let elements, _): .list(elements.map(\.withoutBullets))
    case .record(let members):
      .record(members.map { .init(name: $0.name, value: $0.value.withoutBullets) })
    default: self
    }
  }

  /// Whether two values are the same but for the ids of records.
  func isSame(exceptIdentifiersAs other: StateValue) -> Bool {
    withoutIdentifiers == other.withoutIdentifiers
  }

  private var withoutIdentifiers: StateValue {
    switch self {
    case .list(let elements, _): .list(elements.map(\.withoutIdentifiers))
    case .record(let members):
      .record(
        members.map { member in
          if case .integer = member.value, member.name == "id" {
            return .init(name: member.name, value: .integer(0))
          }
          return .init(name: member.name, value: member.value.withoutIdentifiers)
        })
    default: self
    }
  }
}

extension RecordingError {
  static func notAnExpression(_ reason: String) -> Self {
    Self("not_pinnable", "The expression can't be pinned: \(reason).")
  }
}
