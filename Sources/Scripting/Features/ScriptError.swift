public import StateStore

/// Why modules can't be installed.
public typealias ScriptError = PlainError<ScriptEnvironment>

extension ScriptError {
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

  static func wrongServices(of module: String, needed: String, given: String) -> Self {
    Self(
      "wrong_services",
      "\(module) needs the services \(needed), but the program has \(given): give those to the Console."
    )
  }

  static func wrongModule(_ function: String, in module: String) -> Self {
    Self(
      "wrong_module",
      "The module \(module) has the function \(function): its name begins with \"\(module).\".")
  }

  static func duplicateMember(_ member: String) -> Self {
    Self("duplicate_member", "Two members are called \(member): give each its own name.")
  }

  static func unlistedRequest(_ name: String, of feature: String, _ known: [String]) -> Self {
    Self(
      "unlisted_request",
      "The request \(name) isn't among the fields of \(feature)"
        + (name.suggestion(of: known) ?? ": add .request to them."))
  }

  static func unlistedList(_ property: String, of feature: String) -> Self {
    Self(
      "unlisted_list",
      "The list \(property) isn't among the fields of \(feature): add .list(\"\(property.inSnakeCase)\", "
        + "\\.\(property)) to them.")
  }

  static func unlistedRecord(_ property: String, of feature: String) -> Self {
    Self(
      "unlisted_record",
      "The record \(property) isn't among the fields of \(feature) that can be assigned: add "
        + ".value(\"\(property.inSnakeCase)\", \\.\(property), set: ...) to them.")
  }

  package static func noName(_ name: String) -> Self {
    Self(
      "no_name",
      "\"\(name)\" isn't a valid Lua variable name, so it can't name a module: give it another.")
  }
}
