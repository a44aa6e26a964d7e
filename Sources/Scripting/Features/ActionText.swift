import Foundation
public import StateStore

/// Actions as Lua text, derived from their encoding.
enum ActionText {
  /// A call of the function in the feature's module that has the action's name.
  static func text(of action: some Encodable, in feature: String) -> String {
    do {
      return text(of: try json(of: action), in: feature)
    } catch {
      // For example a number that JSON can't represent.
      return "\(feature).\(action)".onOneLine
    }
  }

  static func json(of action: some Encodable) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(action))
  }

  /// The same for an encoded action.
  static func text(of json: JSONValue, in feature: String) -> String {
    guard case .object(let members) = json, let (name, content) = members.first else {
      return "\(feature)(\(literal(json)))"
    }
    return "\(feature).\(name.inSnakeCase)(\(arguments(content)))"
  }

  private static func arguments(_ content: JSONValue) -> String {
    guard case .object(let parts) = content, !parts.isEmpty else { return "" }
    // Values without labels are numbered.
    let numbered = (0..<parts.count).compactMap { parts["_\($0)"] }
    if numbered.count == parts.count { return numbered.map(literal).joined(separator: ", ") }
    if parts.count == 1, let only = parts.first { return literal(only.value) }
    return literal(content)
  }

  private static func literal(_ json: JSONValue) -> String {
    switch json {
    case .null: "nil"
    case .boolean(let value): "\(value)"
    case .integer(let value): value.luaLiteral
    case .number(let value): "\(value)"
    case .text(let value): value.luaLiteral
    case .list(let elements): "{\(elements.map(literal).joined(separator: ", "))}"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { "\($0.key.inSnakeCase) = \(literal($0.value))" }
        .joined(separator: ", ") + "}"
    }
  }
}

extension StoreAction {
  /// The action as Lua text, for the history: a call with the same effect, and after an arrow a service's answer.
  public var luaText: String {
    if self == .reset { return "store.reset()" }
    if isRestoring {
      return restoredSource.map { "store.import(\($0.luaLiteral))" }
        ?? "store.import() --> recovered state"
    }
    if let feature = feature as? any ScriptableFeature.Type { return luaText(in: feature) }
    return encoded.map { ActionText.text(of: $0, in: featureName ?? "store") } ?? featureName ?? ""
  }

  private func luaText<F: ScriptableFeature>(in feature: F.Type) -> String {
    action(of: feature).map { F.luaText(of: $0) } ?? ""
  }
}

extension JournalEntry.Event {
  /// The event as Lua text.
  public var luaText: String {
    switch self {
    case .action(let action): action.luaText
    case .travel(let number): "store.jump(\(number))"
    }
  }
}

extension JournalEntry {
  /// The event as Lua text, with the number of times it was done.
  public var luaText: String { count == 1 ? event.luaText : "\(event.luaText) (\(count) times)" }
}
