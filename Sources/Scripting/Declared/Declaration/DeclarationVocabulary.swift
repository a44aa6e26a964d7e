/// The vocabulary of files that declare features.
package enum DeclarationVocabulary {
  /// The definitions for the Lua language server, to be added to those of an app: without the line that makes a file one of
  /// definitions.
  package static var definitions: String {
    let source = String(decoding: PackageResources.definitions_lua, as: UTF8.self)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    return "\n" + lines.joined(separator: "\n")
  }

  /// Advice on a global variable that other code uses, and that only such files have; nil for other names.
  package static func advice(onGlobal name: String) -> String? {
    name == "feature" ? "features are declared in a file for --app" : nil
  }
}
