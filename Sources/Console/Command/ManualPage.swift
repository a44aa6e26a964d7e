/// The manual page of a program, in the format of `man`.
///
/// Its text is the commands' own help, so that there is only one description of an option.
struct ManualPage {
  private let console: Console
  private let root: CommandTree
  private let sections: [HelpSection]

  init(of console: Console, sections: [HelpSection]) throws {
    self.console = console
    self.sections = sections
    root = try CommandTree.of(DescribedCommand.self)
  }

  var text: String {
    let name = console.name
    var lines = [
      #".TH "\#(name.uppercased())" 1 "" "\#(name) \#(console.version)" "User Commands""#,
      ".SH NAME", Self.escaped("\(name) - \(console.abstract)"), ".SH SYNOPSIS",
    ]
    let synopses = ["[options] [script | - [arguments ...]]"] + subcommands.map(\.synopsis)
    lines += synopses.map { [".B \(name)", Self.escaped($0)] }.joined(separator: [".br"])
    lines += [".SH DESCRIPTION"] + Self.paragraphs(root.discussion)
    lines += [".SH OPTIONS"] + options(of: root)
    for command in subcommands {
      lines += [".SH \"\(name.uppercased()) \(command.commandName.uppercased())\""]
      lines += Self.paragraphs(command.abstract) + [".PP"] + Self.paragraphs(command.discussion)
      lines += options(of: command)
    }
    for section in sections {
      lines.append(".SH \(section.title)")
      for row in section.rows { lines += entry(row.name, row.help) }
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  private var subcommands: [CommandTree] {
    (root.subcommands ?? []).filter { $0.commandName != "help" && $0.shouldDisplay }
  }

  private func options(of command: CommandTree) -> [String] {
    (command.arguments ?? []).filter(\.shouldDisplay).flatMap { argument in
      entry(
        argument.synopsis,
        [argument.abstract, argument.discussion].compactMap(\.self).joined(separator: " "))
    }
  }

  private func entry(_ term: String, _ help: String) -> [String] {
    [".TP", ".B " + Self.escaped(term), Self.escaped(help)]
  }

  private static func paragraphs(_ text: String?) -> [String] {
    (text ?? "").split(separator: "\n").flatMap { [".PP", escaped(String($0))] }.dropFirst().map(
      \.self)
  }

  /// A line without what `man` would take for a request or an escape.
  private static func escaped(_ text: String) -> String {
    let line = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("\n", with: " ")
    return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }
}
