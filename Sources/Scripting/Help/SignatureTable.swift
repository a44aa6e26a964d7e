package import Lua

/// Signatures of words that are in no module, with their help and examples, as `help` shows them.
///
/// ```
/// class property.trace | The random actions of a property's run; `#trace` is their number.
///   async replay(other: app) | Repeats the actions in another app.
///     trace:replay(store.new())
/// scenario(name: string, [options: scenario.options], [fn: async fun()]) | Declares a scenario.
///   or (name: string, fn: async fun())
/// ```
///
/// What belongs to a line follows it with an indentation of two spaces: the members of a class, or of a variable or module
/// that has members; other forms of a call, and its example. Types are written in the grammar of the Lua language server.
package struct SignatureTable {
  /// A word, or a member of one.
  struct Word {
    let member: LuaMember
    /// The other forms in which a function can be called.
    let overloads: [LuaMember]
  }

  /// Words with members, and words that stand alone.
  enum Kind: String {
    case words
    /// Objects of a class, or tables, that are in no variable.
    case `class`
    /// A variable of a class of its own.
    case global
    /// A module to which functions are added.
    case module
  }

  /// Words that belong together.
  struct Section {
    let kind: Kind
    /// Empty for words that stand alone; that of a class may be followed by a colon and the one it inherits from.
    let name: String
    let help: String
    let words: [Word]
  }

  let sections: [Section]

  package init(_ text: String) {
    sections = Self.items(text.split(separator: "\n")).map { head, body in
      let (words, help) = head.halves(" | ")
      let (first, name) = words.halves(" ")
      guard let kind = Kind(rawValue: String(first)) else {
        return Section(kind: .words, name: "", help: "", words: [Word(head, body)])
      }
      return Section(
        kind: kind, name: String(name), help: String(help),
        words: Self.items(body).map(Word.init))
    }
  }

  /// Lines, each with those that belong to it, without their indentation.
  private static func items(_ lines: [Substring]) -> [(head: Substring, body: [Substring])] {
    lines.reduce(into: []) { items, line in
      if line.hasPrefix("  "), !items.isEmpty {
        items[items.count - 1].body.append(line.dropFirst(2))
      } else {
        items.append((line, []))
      }
    }
  }

  var words: [LuaMember] {
    sections.filter { $0.kind == .words }.flatMap(\.words).map(\.member)
  }
}

extension SignatureTable.Word {
  fileprivate init(_ head: Substring, _ body: [Substring]) {
    let example = body.filter { !$0.hasPrefix("or (") }.joined(separator: "\n")
    member = LuaMember(parsing: head, example: example)
    overloads = body.filter { $0.hasPrefix("or (") }.map { LuaMember(parsing: $0) }
  }
}

extension LuaMember {
  /// Parses a line of a signature and its help: "name: type | help", "async name(name: type, [name: type]): type, type".
  package init(parsing line: Substring, example: String = "") {
    let halves = line.halves(" | ")
    let (signature, help) = (halves.0, String(halves.1))
    let waits = signature.hasPrefix("async ")
    let (name, rest) = (waits ? signature.dropFirst("async ".count) : signature).halves("(")
    guard !rest.isEmpty, !name.contains(": ") else {
      let field = LuaParameter(signature)
      self.init(
        property: field.name, type: field.valueType, isWritable: false, help: help,
        example: example)
      return
    }
    let (parameters, results) = rest.elements
    self.init(
      function: String(name), parameters: parameters.map(LuaParameter.init),
      types: results.dropFirst(": ".count).elements.list.map(LuaValueType.init), waits: waits,
      help: help, example: example)
  }
}

extension LuaParameter {
  /// Parses "name: type", and "[name: type]" or "name?: type" for one that may be left out.
  fileprivate init(_ text: Substring) {
    // Other than the type of a table's keys, such as "[integer]: string".
    let isInBrackets = text.hasPrefix("[") && text.dropFirst().elements.rest.isEmpty
    let (name, type) = (isInBrackets ? text.dropFirst().dropLast() : text).halves(": ")
    let isOptional = isInBrackets || name.hasSuffix("?")
    self.init(
      name: String(name.hasSuffix("?") ? name.dropLast() : name),
      type: isOptional ? .optional(LuaValueType(type)) : LuaValueType(type))
  }
}

extension LuaValueType {
  fileprivate init(_ text: Substring) {
    self = text == LuaValueType.variadic.name ? .variadic : .named(String(text))
  }
}

extension Substring {
  /// The texts before and after a separator; the second is empty if there is none.
  fileprivate func halves(_ separator: String) -> (Substring, Substring) {
    let parts = split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
    return (parts[0], parts.count == 2 ? parts[1] : "")
  }

  /// The elements between commas that are in no brackets, up to a closing bracket; and the text after it.
  fileprivate var elements: (list: [Substring], rest: Substring) {
    var (list, start, depth): ([Substring], Index, Int) = ([], startIndex, 0)
    var end = startIndex
    while end < endIndex, depth > 0 || !")]}>".contains(self[end]) {
      if "([{<".contains(self[end]) { depth += 1 }
      if ")]}>".contains(self[end]) { depth -= 1 }
      if depth == 0, self[end] == "," {
        list.append(self[start..<end])
        start = index(end, offsetBy: 2)
      }
      end = index(after: end)
    }
    if start < end { list.append(self[start..<end]) }
    return (list, self[end...].dropFirst())
  }
}

// MARK: - Definitions

extension SignatureTable {
  /// The definitions for the Lua language server.
  package var definitions: String {
    sections.map(definition).joined(separator: "\n\n") + "\n"
  }

  private func definition(of section: Section) -> String {
    let types = LanguageServerTypes()
    let name = String(section.name.prefix { $0 != ":" })
    let fields = section.words.map(\.member).filter { !$0.isFunction }
    let functions = section.words.filter(\.member.isFunction)
    func definitions(as variable: String, _ separator: String) -> [String] {
      functions.map {
        types.definition(
          of: $0.member, in: name, as: variable, separator: separator, overloads: $0.overloads)
      }
    }
    let classLines =
      LanguageServerText.comment(section.help) + ["---@class \(section.name)"]
      + fields.map { member in
        let type = member.valueTypes[0]
        // A field of an option's form, or the type of a table's keys.
        let name = LanguageServerText.fieldName(member.name) + (type == type.required ? "" : "?")
        return types.field(
          member.name.hasPrefix("[") ? member.name : name, type.required, member.help)
      }
    switch section.kind {
    case .words:
      return (fields.map { types.variable($0) } + definitions(as: "", "")).joined()
    case .class:
      return LanguageServerText.classDefinition(classLines, methods: definitions(as: "object", ":"))
    case .global:
      return
        ([(classLines + ["\(name) = {}"]).joined(separator: "\n")]
        + definitions(as: name, ".")).joined(separator: "\n\n")
    case .module: return definitions(as: name, ".").joined(separator: "\n\n")
    }
  }
}
