public import StateStore

/// Why modules can't be installed.
public typealias ScriptError = PlainError<ScriptEnvironment>

extension ScriptError {
  /// The module would hide another one, or a global variable of Lua.
  package static func takenName(_ name: String, hides owner: String = "another of that name")
    -> Self
  {
    Self("taken_name", "The module \(name) would hide \(owner): rename it.")
  }

  static var noRecording: Self {
    Self("no_recording", "This program can't record scenarios: name a file in .json or .lua.")
  }

  static func noModule(_ feature: String) -> Self {
    Self(
      "no_module",
      "Scripts don't see the feature \(feature): make it a ScriptableFeature, and add its ScriptModule."
    )
  }

  /// A module needs other services than the app has.
  static func wrongServices(of module: String, needed: String, given: String) -> Self {
    Self(
      "wrong_services",
      "\(module) needs the services \(needed), but the program has \(given): give those to the Console."
    )
  }

  /// A function that asks the services has the name of another module.
  static func wrongModule(_ function: String, in module: String) -> Self {
    Self(
      "wrong_module",
      "The module \(module) has the function \(function): its name begins with \"\(module).\".")
  }

  static func duplicateMember(_ member: String) -> Self {
    Self("duplicate_member", "Two members are called \(member): give each its own name.")
  }

  /// A module asks a request that its feature doesn't declare among its fields.
  static func unlistedRequest(_ name: String, of feature: String, _ known: [String]) -> Self {
    Self(
      "unlisted_request",
      "The request \(name) isn't among the fields of \(feature)"
        + (name.suggestion(of: known) ?? ": add .request to them."))
  }

  /// A module gives out records of a list that its feature doesn't declare among its fields.
  static func unlistedList(_ property: String, of feature: String) -> Self {
    Self(
      "unlisted_list",
      "The list \(property) isn't among the fields of \(feature): add .list(\"\(property.inSnakeCase)\", "
        + "\\.\(property)) to them.")
  }

  /// A module gives out a record that its feature doesn't declare with an action among its fields.
  static func unlistedRecord(_ property: String, of feature: String) -> Self {
    Self(
      "unlisted_record",
      "The record \(property) isn't among the fields of \(feature) that can be assigned: add "
        + ".value(\"\(property.inSnakeCase)\", \\.\(property), set: ...) to them.")
  }

  /// The module's name can't be a variable's name.
  package static func noName(_ name: String) -> Self {
    Self(
      "no_name",
      "\"\(name)\" isn't a valid Lua variable name, so it can't name a module: give it another.")
  }
}
