import Lua
import PrimereplPlatform

/// The reference of an app's modules, objects and global variables as a page of Markdown.
///
/// Descriptions are text: nothing in them is taken for markup, and the page is printable.
package struct ReferencePage {
  /// The name of the app's command.
  private let program: String
  private let reference: Reference

  package init(program: String, _ reference: Reference) {
    (self.program, self.reference) = (program, reference)
  }

  package var text: String {
    var parts = [introduction, contents]
    parts += reference.modules.map(section)
    parts.append("## Objects\n\nObjects have members, too. Methods are called with a colon.")
    parts += reference.classes.map(section)
    parts.append(errors)
    parts.append("## Other global variables")
    parts += Reference.globals.words.map { entry(of: $0, $0.signature) }
    return parts.joined(separator: "\n\n").printableLines + "\n"
  }

  private var introduction: String {
    """
    # What scripts see of \(program)

    <!-- Written by `\(program) docs`: change the descriptions in the code instead of this file. -->

    Each module is a global variable, and a field of `app`. Reading a field reads the state, and assigning one sends an
    action. Functions that wait look like any other call; other tasks continue meanwhile. Lua's own functions are in
    the [manual](https://www.lua.org/manual/5.4/).

    In a signature, a parameter in brackets can be left out, and a type that ends in `?` can be nil. `help(name)` shows
    the same descriptions at the prompt. For an editor, `\(program) docs --format luals` writes definitions for the Lua
    language server.
    """
  }

  private var contents: String {
    let rows = reference.modules.map { module in
      "| [`\(module.name)`](#\(module.name)) | \(Self.escaped(module.help, inTable: true)) |"
    }
    return (["| module | what it is for |", "| --- | --- |"] + rows).joined(separator: "\n")
  }

  private func section(_ module: LuaModule) -> String {
    var parts = ["## \(module.name)", Self.escaped(module.help)]
    parts += elements(module.elementType?.name, of: module.name)
    if let codes = reference.errorCodes()[module.name], !codes.isEmpty {
      parts.append("Error codes: \(codes.map(Self.code).joined(separator: ", ")).")
    }
    if let call = module.callDocumentation { parts.append(entry(of: call, call.signature)) }
    parts += module.documentation.map { entry(of: $0, "\(module.name).\($0.signature)") }
    return parts.joined(separator: "\n\n")
  }

  private func section(_ objectClass: LuaObjectClass) -> String {
    let parts =
      ["### \(objectClass.name)"] + elements(objectClass.elementType?.name, of: "list")
      + list(of: objectClass.members) { objectClass.signature(of: $0) }
    return parts.joined(separator: "\n\n")
  }

  private var errors: String {
    let introduction = """
      ## Errors

      `pcall` returns an error of the app as an object, and `tostring` gives its message. Its `code` stays the same when
      the message's wording changes, so test that.
      """
    return ([introduction] + list(of: LuaError.luaMembers) { "err.\($0.signature)" })
      .joined(separator: "\n\n")
  }

  // MARK: - Parts

  private func elements(_ type: String?, of name: String) -> [String] {
    guard let type else { return [] }
    let uses = ["#\(name)", "\(name)[i]", "ipairs(\(name))"].map(Self.code)
    return ["A sequence of \(Self.code(type)): \(uses.joined(separator: ", "))."]
  }

  /// A list of members in one paragraph each; none if there are none.
  private func list(of members: [LuaMember], _ signature: (LuaMember) -> String) -> [String] {
    guard !members.isEmpty else { return [] }
    let items = members.map { "- \(Self.code(signature($0))): \(Self.escaped($0.fullHelp))" }
    return [items.joined(separator: "\n")]
  }

  private func entry(of member: LuaMember, _ signature: String) -> String {
    let list = member.describedOptions.map { "- \(Self.code($0.text)): \(Self.escaped($0.help))" }
    let fence = member.example.codeFence(3)
    let parts =
      ["### \(Self.code(signature))", Self.escaped(member.fullHelp), list.joined(separator: "\n")]
      + ["\(fence)lua\n\(member.example)\n\(fence)"]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private static func code(_ text: String) -> String {
    let text = text.onOneLine
    guard text.contains("`") else { return "`\(text)`" }
    return "\(text.codeFence(1)) \(text) \(text.codeFence(1))"
  }

  /// A text on one line, with a backslash before what Markdown would take for markup.
  private static func escaped(_ text: String, inTable: Bool = false) -> String {
    let special = inTable ? "\\`*<|" : "\\`*<"
    let line = text.onOneLine.drop { $0 == " " || $0 == "\t" }
    // The beginnings of headings, quotations, items, rules and targets of links; a numbered item begins with a number
    // and a point.
    let number = line.prefix { $0.isASCII && $0.isNumber }
    let rest = line[number.endIndex...]
    let begins = !inTable && rest.first.map((number.isEmpty ? "#>+-=~[|" : ".)").contains) ?? false
    return rest.reduce(into: String(number) + (begins ? "\\" : "")) { escaped, character in
      if special.contains(character) { escaped.append("\\") }
      escaped.append(character)
    }.replacing("](", with: "]\\(")
  }
}

extension String {
  /// The backticks around the text as code in Markdown: more than follow one another in it, and at least some number.
  func codeFence(_ minimum: Int) -> String {
    let longest = split { $0 != "`" }.map(\.count).max() ?? 0
    return String(repeating: "`", count: max(longest + 1, minimum))
  }
}
