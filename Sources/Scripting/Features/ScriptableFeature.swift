public import Lua
public import PrimereplLoading
public import StateStore

/// A feature that scripts see as a module of the same name.
public protocol ScriptableFeature: Feature {
  /// The purpose of the module, in one line.
  static var help: String { get }

  /// Adds the members that scripts see: functions, properties, and a sequence if the feature is a list.
  static func describe(_ module: FeatureModule<Self>)

  /// Whether functions of the module use its services directly, rather than by requests.
  ///
  /// Properties call such functions only with `--live`: with random arguments, a real service could do anything. It is
  /// about the functions that `describe` adds by `function` and `asyncFunction`. By default, it is true of a feature that
  /// has services.
  static var functionsUseServices: Bool { get }

  /// The Lua code that repeats an action, in place of the one derived from the module.
  ///
  /// Derived are: a call of the function that is named after the action, in snake case, whose parameters are named after
  /// the action's values; for an action `set`, the assignment of the property or field that the value is named after.
  /// The history shows the code, and a recorded scenario runs it. It may end in a comment:
  /// `signup.submit() --> accepted`.
  ///
  /// - Parameters:
  ///   - action: The action. In a recorded scenario the ids of records are those of the repetition: ids are the members
  ///     named `id` or `ids`, and those whose names end in `ID` or `IDs`.
  ///   - secret: Gives the text to write for a secret.
  /// - Returns: The code; nil to derive it.
  static func call(repeating action: Action, showing secret: (Secret) -> String) -> String?
}

extension ScriptableFeature {
  /// Whether the feature has services.
  public static var functionsUseServices: Bool { Services.self != NoServices.self }

  /// Nil: the code is derived.
  public static func call(repeating action: Action, showing secret: (Secret) -> String) -> String? {
    nil
  }
}

/// An error with more fields for scripts than its code and message.
public protocol ScriptableError: CodedError {
  /// The fields by name.
  var luaFields: [String: any LuaPushable] { get }
}

extension SourceError: ScriptableError {
  /// The answer's status.
  public var luaFields: [String: any LuaPushable] { ["status": status] }
}
