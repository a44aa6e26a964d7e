import Foundation

/// A file of definitions for the Lua language server, checked by the rules of its annotations.
///
/// It knows only those annotations that the project uses, and is strict about them: each is of the documented form, stands
/// where it belongs, and names only types that are declared.
package struct LuaAnnotations {
  /// What is wrong, each with the number of its line.
  package private(set) var problems: [String] = []

  /// The names of the classes.
  package private(set) var classes: [String] = []

  private var usedTypes: [(name: String, line: Int)] = []
  private var line = 0

  /// The annotations directly above the line: the tags, and the names of the parameters.
  private var tags: [String] = []
  private var parameters: [String] = []

  private static let builtIn: Set = [
    "any", "boolean", "function", "integer", "nil", "number", "string", "table", "thread",
    "userdata",
  ]

  package init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, text) in lines.enumerated() {
      line = index + 1
      if text.hasPrefix("---@") {
        checkAnnotation(text.dropFirst(4))
      } else if !text.hasPrefix("--") {
        checkStatement(String(text))
        (tags, parameters) = ([], [])
      }
    }
    for name in Set(classes) where classes.count(where: { $0 == name }) > 1 {
      problems.append("the class \(name) is declared twice")
    }
    let known = Self.builtIn.union(classes)
    for type in usedTypes where !known.contains(type.name) {
      problems.append("\(type.line): the type \(type.name) isn't declared")
    }
  }

  private mutating func note(_ problem: String) { problems.append("\(line): \(problem)") }

  // MARK: - Annotations

  private mutating func checkAnnotation(_ text: Substring) {
    let tag = String(text.prefix { $0.isLetter })
    var scanner = Scanner(text.dropFirst(tag.count))
    do throws(Mistake) {
      switch tag {
      case "meta":
        if line != 1 { throw Mistake("it isn't the first line") }
      case "async": break
      case "class": try checkClass(&scanner)
      case "field":
        guard let last = tags.last, ["class", "field", "operator"].contains(last) else {
          throw Mistake("a field without a class")
        }
        try checkField(&scanner)
      case "operator":
        try scanner.expect(" len: ")
        try scanner.type()
      case "param":
        try scanner.expect(" ")
        parameters.append(try scanner.parameterName())
        try scanner.expect(" ")
        try scanner.type()
      case "return":
        try scanner.expect(" ")
        try scanner.type()
        if scanner.take(" ") { try scanner.expect("...") }
      case "overload":
        try scanner.expect(" fun(")
        try scanner.function()
      case "type":
        try scanner.expect(" ")
        try scanner.type()
      default: throw Mistake("unknown annotation")
      }
      if !["field", "param"].contains(tag) || !scanner.take(" ") {
        guard scanner.isAtEnd else { throw Mistake("unexpected '\(scanner.rest)'") }
      }
    } catch {
      note("@\(text): \(error.text)")
    }
    usedTypes += scanner.types.map { ($0, line) }
    tags.append(tag)
  }

  private mutating func checkClass(_ scanner: inout Scanner) throws(Mistake) {
    try scanner.expect(" ")
    classes.append(try scanner.name())
    if scanner.take(": ") { try scanner.type() }
  }

  private mutating func checkField(_ scanner: inout Scanner) throws(Mistake) {
    try scanner.expect(" ")
    if scanner.take("[") {
      try scanner.type()
      try scanner.expect("]")
    } else {
      _ = try scanner.name()
      _ = scanner.take("?")
    }
    try scanner.expect(" ")
    try scanner.type()
  }

  // MARK: - Statements

  /// Checks a line of Lua with the annotations above it.
  private mutating func checkStatement(_ text: String) {
    let function = /^(?:local )?(?:function [\w.:]+|[\w.\[\]"]+.* = function)\((.*)\) end$/
    if let match = text.wholeMatch(of: function) {
      let names = match.1.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      if names != parameters {
        note("the parameters (\(match.1)) are annotated as (\(parameters.joined(separator: ", ")))")
      }
    } else if tags.contains(where: { ["param", "return", "async"].contains($0) }) {
      note("annotations of a function above '\(text)'")
    }
    if tags.contains("class"), !text.isEmpty, text.wholeMatch(of: /(local )?\w+ = {}/) == nil {
      note("a class above '\(text)'")
    }
  }
}

/// What is wrong with an annotation.
private struct Mistake: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

/// Reads names and types.
private struct Scanner {
  private(set) var rest: Substring
  /// The names of the types that were read.
  private(set) var types: [String] = []

  init(_ text: Substring) { rest = text }

  var isAtEnd: Bool { rest.isEmpty }

  /// Reads a text, if it comes next.
  mutating func take(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest.removeFirst(text.count)
    return true
  }

  mutating func expect(_ text: String) throws(Mistake) {
    guard take(text) else { throw Mistake("expected '\(text)' before '\(rest)'") }
  }

  /// A name, or several with dots between them.
  mutating func name() throws(Mistake) -> String {
    guard let match = rest.prefixMatch(of: /[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*/)
    else { throw Mistake("expected a name before '\(rest)'") }
    rest.removeFirst(match.0.count)
    return String(match.0)
  }

  /// The name of a parameter, which can have a question mark.
  mutating func parameterName() throws(Mistake) -> String {
    if take("...") { return "..." }
    let name = try name()
    _ = take("?")
    return name
  }

  /// Alternatives, with bars between them.
  mutating func type() throws(Mistake) {
    repeat { try alternative() } while take("|")
  }

  private mutating func alternative() throws(Mistake) {
    if take("(") {
      try type()
      try expect(")")
    } else if let match = rest.prefixMatch(of: /"(\\.|[^"\\])*"/) {
      rest.removeFirst(match.0.count)
    } else if take("{") {
      repeat { try member() } while take(", ")
      try expect("}")
    } else if take("async fun(") || take("fun(") {
      try function()
      return
    } else {
      types.append(try name())
      if take("<") {
        repeat { try type() } while take(", ")
        try expect(">")
      }
    }
    while take("[]") {}
    _ = take("?")
  }

  private mutating func member() throws(Mistake) {
    _ = try name()
    _ = take("?")
    try expect(": ")
    try type()
  }

  /// The parameters and the results of a function, after the opening parenthesis.
  mutating func function() throws(Mistake) {
    if !take(")") {
      repeat {
        _ = try parameterName()
        try expect(": ")
        try type()
      } while take(", ")
      try expect(")")
    }
    guard take(": ") else { return }
    repeat { if !take("...") { try type() } } while take(", ")
  }
}
