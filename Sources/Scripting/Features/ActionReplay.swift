public import StateStore

/// How a recorded scenario repeats an action of a feature.
public enum ActionReplay: Equatable, Sendable {
  /// By Lua code, such as `counter.increment()`.
  case code(String)
  /// By the module's function of a name. It gets those of the values that its parameters are named after; or the only
  /// value, if it has one parameter.
  case function(String, with: [String: StateValue])
  /// By the call that asks a service; the number tells the request from others.
  case request(Int)
  /// By a service's answer to the request with the number.
  case answer(Int, StateValue)
  /// By a service's failure to answer the request with the number.
  case failure(Int, message: String)
}

/// The texts that stand for secrets in a recorded scenario: the same for the same secret.
public final class SecretPlaceholders {
  private var known: [Secret] = []

  /// Makes placeholders for no secrets.
  public init() {}

  /// The text that stands for a secret, which tells neither it nor its length; empty for the empty secret.
  public func text(for secret: Secret) -> String {
    guard !secret.isEmpty else { return "" }
    let index = known.firstIndex(of: secret) ?? known.endIndex
    if index == known.endIndex { known.append(secret) }
    return "secret \(index + 1)"
  }
}

extension ScriptableFeature {
  /// How a recorded scenario repeats an action, as far as its encoding tells.
  public static func replay(of action: Action, _ secrets: SecretPlaceholders) -> ActionReplay {
    encodedReplay(of: action)
  }

  /// How a recorded scenario repeats an action, as far as its encoding tells.
  ///
  /// An action with a member `request` is that of a request, an answer or a failure, as its name ends in "Requested",
  /// "Succeeded" or "Failed". The other member of an answer is what the service answered, and the member `message` of a
  /// failure says why. Any other action is repeated by its `luaText`; or, if that is left to its encoding, too, by the
  /// function of its name.
  public static func encodedReplay(of action: Action) -> ActionReplay {
    let text = luaText(of: action)
    guard let (name, members) = EncodedAction.parts(of: action) else { return .code(text) }
    if case .integer(let request)? = members["request"] {
      let rest = members.filter { $0.key != "request" }
      if name.hasSuffix("Requested") { return .request(request) }
      if name.hasSuffix("Succeeded") {
        return .answer(request, rest.count == 1 ? rest.first?.value ?? .none : rest.record)
      }
      if name.hasSuffix("Failed") {
        if case .text(let message)? = rest["message"] { return .failure(request, message: message) }
        return .failure(request, message: "The service failed.")
      }
    }
    guard text == ActionText.text(of: action, in: Self.name) else { return .code(text) }
    return .function(name.inSnakeCase, with: members)
  }
}

/// The encoding of an action as values.
private enum EncodedAction {
  /// The name of the action's case, and its values; nil for an action that isn't encoded as a case.
  static func parts(of action: some Encodable) -> (name: String, members: [String: StateValue])? {
    guard case .record(let members)? = value(of: action), members.count == 1 else { return nil }
    let (name, content) = (members[0].name, members[0].value)
    guard case .record(var parts) = content else { return nil }
    // A value without a label that has parts itself, such as a record.
    if parts.count == 1, parts[0].name == "_0", case .record(let inner) = parts[0].value {
      parts = inner
    }
    return (name, Dictionary(parts.map { ($0.name, $0.value) }) { first, _ in first })
  }

  private static func value(of action: some Encodable) -> StateValue? {
    do {
      return try ActionText.json(of: action).stateValue
    } catch {
      // For example a number that JSON can't represent.
      return nil
    }
  }
}

extension JSONValue {
  /// The value in the form that is shown, with the members of objects in the order of their names.
  fileprivate var stateValue: StateValue {
    switch self {
    case .null: .none
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .text(let value): .text(value)
    case .list(let elements): .list(elements.map(\.stateValue))
    case .object(let members): members.mapValues(\.stateValue).record
    }
  }
}

extension [String: StateValue] {
  /// A record of the values in the order of their names.
  fileprivate var record: StateValue {
    .record(sorted { $0.key < $1.key }.map { StateValue.Member(name: $0.key, value: $0.value) })
  }
}
