import ArgumentParser
import PrimereplFoundation
import PrimereplPlatform
import PrimereplTerminal
import StateStore

struct SessionsCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions",
    abstract: "List, rename, copy or delete the sessions on a server.",
    discussion: """
      Without an option, lists the sessions: who last changed each and when, and how many processes have it open.
      """)

  @Argument(
    help: ArgumentHelp(
      "The server, such as postgresql://user@host/database (default: the address in the variable for --state).",
      valueName: "address"))
  private var address: String?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Rename a session: --rename OLD NEW.", valueName: "names"))
  private var rename: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Copy a session with its history: --copy NAME NEW.", valueName: "names"))
  private var copy: [String] = []

  @Option(help: ArgumentHelp("Delete a session, which nobody may have open.", valueName: "name"))
  private var delete: String?

  func validate() throws {
    for (option, names) in [("--rename", rename), ("--copy", copy)]
    where ![0, 2].contains(names.count) {
      throw ValidationError(
        "\(option) needs two names, the session's and the new one, after the address")
    }
    let count = [!rename.isEmpty, !copy.isEmpty, delete != nil].count { $0 }
    guard count <= 1 else {
      throw ValidationError("--rename, --copy and --delete exclude each other")
    }
  }

  @MainActor
  func run(in console: Console) async throws {
    let variable = console.variable("STATE")
    guard let address = address ?? CurrentProcess.variable(variable) else {
      throw ValidationError(
        "name a server: give an address such as postgresql://host/database, or set \(variable)")
    }
    guard let server = try console.server(at: address) else {
      throw ValidationError(
        "name a server, not a file: an address such as postgresql://host/database")
    }
    if rename.count == 2 {
      try server.rename(rename[0], to: rename[1])
    } else if copy.count == 2 {
      try server.copy(copy[0], to: copy[1])
    } else if let delete {
      try server.delete(delete)
    } else {
      CurrentProcess.print(Self.text(of: try server.sessions()))
    }
  }

  private static func text(of sessions: [SessionSummary]) -> String {
    guard !sessions.isEmpty else { return "There are no sessions." }
    let rows =
      [["NAME", "LAST CHANGE", "OPEN"]]
      + sessions.map { session in
        let change =
          session.lastChange.localTime("%Y-%m-%d %H:%M")
          + (session.author.map { " \($0.printable(limit: 40))" } ?? "")
        let users = session.users == 0 ? "-" : session.users.grouped
        return [session.name.printable, change, users]
      }
    return rows.inColumns().joined(separator: "\n")
  }
}
