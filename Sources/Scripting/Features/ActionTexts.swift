package import StateStore

/// The texts of an app's actions: Lua code that repeats each, by the functions and assignments that send it.
///
/// They follow from the modules of the app's features, which are described when a text is first asked for.
package final class ActionTexts {
  /// Finds the calls of a feature's module; nil for a feature without one.
  private var describe: (_ feature: String) -> ModuleCalls?
  private var known: [String: ModuleCalls] = [:]

  /// Makes the texts of features without modules, which follow from the actions' encodings alone.
  package convenience init() { self.init { _ in nil } }

  init(_ describe: @escaping (_ feature: String) -> ModuleCalls?) { self.describe = describe }

  func setCalls(_ describe: @escaping (_ feature: String) -> ModuleCalls?) {
    (self.describe, known) = (describe, [:])
  }

  /// An action as Lua code: a call with the same effect, and after an arrow a service's answer.
  package func text(
    of action: StoreAction, showing secret: (Secret) -> String = { $0.bullets }
  ) -> String {
    if action.parts.count > 1 {
      return action.parts.map { text(of: $0, showing: secret) }.joined(separator: "; ")
    }
    if action == .reset { return "store.reset()" }
    if action.isRestoring {
      return action.restoredSource.map { "store.import(\($0.luaLiteral))" }
        ?? "-- replays the history"
    }
    if let features = action.migratedFeatures {
      return "-- migrates \(features.joined(separator: ", "))"
    }
    if let text = action.savedText, !text.isEmpty { return text }
    if let numbers = action.takenBack {
      return numbers.count == 1
        ? "-- takes back action \(numbers.lowerBound)"
        : "-- takes back actions \(numbers.lowerBound) to \(numbers.upperBound)"
    }
    if let feature = action.feature as? any ScriptableFeature.Type,
      let code = Self.code(repeating: action, of: feature, showing: secret)
    {
      return code
    }
    let calls = calls(of: action.featureName ?? "store")
    do {
      if let step = try action.request(showing: secret) { return text(of: step) }
      return calls.text(of: try action.call(showing: secret))
    } catch {
      return calls.text(of: nil) + " --> an action that can't be encoded"
    }
  }

  package func text(of event: StoreEvent) -> String {
    switch event {
    case .action(let action): text(of: action)
    case .travel(let number): "store.jump(\(number))"
    }
  }

  /// An action as Lua code to be saved, without the lengths of secrets.
  package func savedText(of action: StoreAction) -> String {
    text(of: action, showing: \.description)
  }

  /// The function of a feature's module that sends a request, such as `todo.fetch`.
  package func function(of step: RequestStep) -> String {
    calls(of: step.feature).path(to: step.name)
  }

  private func text(of step: RequestStep) -> String {
    switch step.content {
    case .asked(let call): calls(of: step.feature).text(of: call)
    case .answered(let answer): "\(function(of: step))() --> \(Self.summary(of: answer))"
    case .failed(""): "\(function(of: step))() --> failed"
    case .failed(let message): "\(function(of: step))() --> failed: \(message.onOneLine)"
    }
  }

  /// The maximum length of a shown answer, in characters.
  private static let summaryLength = 60

  private static func summary(of answer: JSONValue) -> String {
    switch answer {
    case .list(let elements): return "\(elements.count) \(elements.count == 1 ? "item" : "items")"
    case .null: return "done"
    case .object(let members) where members.isEmpty: return "done"
    default:
      let text = answer.luaLiteral
      return text.count > summaryLength ? "\(text.prefix(summaryLength))…" : text
    }
  }

  private static func code<F: ScriptableFeature>(
    repeating action: StoreAction, of feature: F.Type, showing secret: (Secret) -> String
  ) -> String? {
    action.action(of: feature).flatMap { F.call(repeating: $0, showing: secret) }
  }

  private func calls(of feature: String) -> ModuleCalls {
    if let calls = known[feature] { return calls }
    let calls = describe(feature) ?? ModuleCalls(feature)
    known[feature] = calls
    return calls
  }
}
