import Lua

/// Texts in the grammar of the language server's annotations, which reads some of them otherwise than Lua does.
enum LanguageServerText {
  /// The words for the visibility of a field, which aren't taken for its name.
  private static let scopes: Set = ["public", "protected", "private", "package"]

  static func fieldName(_ name: String) -> String {
    guard LuaTokens.isName(name.utf8), !scopes.contains(name) else { return "[\(literal(name))]" }
    return name
  }

  /// The text after a type.
  ///
  /// A symbol at its beginning would belong to the type, so it gets a mark.
  static func fieldHelp(_ help: String) -> String {
    let text = help.onOneLine
    guard let first = text.first, !first.isLetter, !first.isNumber else { return text }
    return "# \(text)"
  }

  /// The definition of a class of objects, whose methods are on the variable `object`.
  static func classDefinition(_ lines: [String], methods: [String]) -> String {
    guard !methods.isEmpty else { return lines.joined(separator: "\n") }
    let parts = [(lines + ["local object = {}"]).joined(separator: "\n")] + methods
    return "do\n\(parts.joined(separator: "\n\n"))\nend"
  }

  /// The lines of a text as comments, which it can't leave by a line end, and none of which is an annotation.
  static func comment(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { line in
      let start = line.drop { $0.isWhitespace }
      guard let first = start.first, "@|".contains(first) else { return "---\(line)" }
      return "---\\\(start)"
    }
  }

  /// A text as a literal: the server takes off quotes inside of quotes, too.
  static func literal(_ text: String) -> String {
    guard text.utf8.count > 1, let quote = text.utf8.first, quote == text.utf8.last,
      "\"'".utf8.contains(quote)
    else { return text.luaLiteral }
    let mark = String(Unicode.Scalar(quote))
    return (mark + text + mark).luaLiteral
  }

  /// The names of parameters for a function's definition: valid names of Lua, each once.
  static func parameterNames(_ parameters: [LuaParameter]) -> [String] {
    var names: [String] = []
    for parameter in parameters {
      var name = parameterName(parameter)
      while names.contains(name) { name += "_" }
      names.append(name)
    }
    return names
  }

  private static func parameterName(_ parameter: LuaParameter) -> String {
    if parameter.isVariadic { return "..." }
    if LuaTokens.isName(parameter.name.utf8) { return parameter.name }
    let letters = parameter.name.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        ? String(scalar) : "_"
    }.joined()
    return (letters.first?.isNumber == true ? "_" : "") + letters + "_"
  }
}
