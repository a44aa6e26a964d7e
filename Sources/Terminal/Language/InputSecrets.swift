import Lua
package import Scripting
import StateStore

/// Finds the inputs and lines of code that may contain a secret, which are neither kept nor quoted.
///
/// An input that has made a text a secret contains one for sure, which its caller knows. This finds the others: those
/// whose call failed before, those that only prepare one, and those that run later.
@MainActor
package struct InputSecrets {
  private let app: ScriptedApp

  package init(of app: ScriptedApp) { self.app = app }

  /// Whether code may contain a secret: it has the text of one, or names a function or a field that gets one, or an
  /// address with a password.
  ///
  /// With `hasFailed`, a name in it may be misspelled.
  package func mayBe(in code: String, hasFailed: Bool = false) -> Bool {
    if code.mayShowPassword || Secret.areContained(in: code.utf8) { return true }
    let source = SourceTokens(Array(code.utf8))
    return areContained(inStringsOf: source) || names(in: source, mayBeMisspelled: hasFailed)
  }

  /// Whether a string in code is a secret.
  package func areStrings(of code: String) -> Bool {
    SourceTokens(Array(code.utf8)).strings.contains { Secret.isKnown($0) }
  }

  private func areContained(inStringsOf source: SourceTokens) -> Bool {
    let strings = source.strings
    // Together, as one may be put together from several.
    return strings.contains { Secret.isKnown($0) } || Secret.areContained(in: strings.joined())
  }

  // MARK: - Names

  /// Whether code names a function that gets a secret, or assigns a field that is one.
  private func names(in source: SourceTokens, mayBeMisspelled: Bool) -> Bool {
    let names = AppNames(of: app)
    guard !names.all.isEmpty else { return false }
    return source.tokens.indices.contains { index in
      guard let name = source.memberName(index) else { return false }
      if names.secretParts.contains(name), source.isAssigned(index) { return true }
      if let module = source.owner(of: index), let members = names.members[module] {
        if names.secretFunctions[module]?.contains(name) == true { return true }
        if members.contains(name) { return false }
      } else if names.allFunctions.contains(name) {
        // A function of a variable, or in one.
        return true
      }
      return mayBeMisspelled && !names.isModule(name) && name.nearest(of: names.all) != nil
    }
  }
}

/// The names of an app's members, and of those that get secrets.
@MainActor
private struct AppNames {
  let members: [String: Set<String>]
  let secretParts: Set<String>
  private(set) var secretFunctions: [String: Set<String>]
  private(set) var allFunctions: Set<String> = []

  init(of app: ScriptedApp) {
    let names = app.store.schema.secretNames
    (secretParts, secretFunctions) = (names.parts, names.functions)
    var members: [String: Set<String>] = [:]
    for module in app.modules {
      members[module.name] = Set(module.documentation.map(\.name))
      // Functions in Swift take texts: the names of the parameters tell which are secrets.
      let secret = module.documentation.filter { member in
        member.parameters.contains { names.parts.contains($0.name) || $0.name.isSecretName }
      }
      secretFunctions[module.name, default: []].formUnion(secret.map(\.name))
    }
    self.members = members
    allFunctions = secretFunctions.values.reduce(into: []) { $0.formUnion($1) }
  }

  var all: Set<String> { allFunctions.union(secretParts) }

  func isModule(_ name: String) -> Bool { members[name] != nil }
}

extension SourceTokens {
  /// The name at an index, or the one in a string in brackets: `safe["login"]`.
  fileprivate func memberName(_ index: Int) -> String? {
    if let name = name(index) { return name }
    guard let token = token(index), token.kind == .string, isSymbol(index - 1, "[") else {
      return nil
    }
    return String(decoding: value(of: token), as: UTF8.self)
  }

  /// The name before a member's.
  fileprivate func owner(of index: Int) -> String? {
    isSymbol(index - 1, ".") || isSymbol(index - 1, ":") || isSymbol(index - 1, "[")
      ? name(index - 2) : nil
  }

  /// Whether a value is given to a name: `name = value`, `["name"] = value`, `name, other = value, value`.
  fileprivate func isAssigned(_ index: Int) -> Bool {
    let end = isSymbol(index + 1, "]") ? index + 2 : index + 1
    return isSymbol(end, "=") && !isSymbol(end + 1, "=") || isSymbol(end, ",")
  }
}

extension String {
  /// Whether code may contain a password: where it names one, or in an address.
  var mayShowPassword: Bool {
    if isSecretName { return true }
    return Array(utf8).split(separator: UInt8(ascii: "\n")).contains { line in
      guard let sign = line.lastIndex(of: UInt8(ascii: "@")) else { return false }
      return ["//", "http:", "https:"].contains {
        TypedText($0.utf8).isPart(of: line[..<sign])
      }
    }
  }

  fileprivate var isSecretName: Bool { TypedText("password".utf8).isPart(of: Array(utf8)) }
}

extension SourceTokens {
  fileprivate var strings: [[UInt8]] {
    tokens.filter { $0.kind == .string }.map(value(of:))
  }

  /// The bytes of a string; one that Lua refuses may be meant for a secret, too.
  private func value(of string: Token) -> [UInt8] {
    LuaStringLiteral.value(of: bytes(of: string)) ?? Array(bytes(of: string))
  }
}
