import ArgumentParser
import PrimereplFoundation
import StateFile
import StateStore

extension Console {
  /// The place of a session: an address as it is, or a path with `~` expanded.
  func place(of text: String) throws -> String {
    // People know it from SQLite.
    guard text != ":memory:" else {
      throw CommandError(
        description: ":memory: names no file; --ephemeral opens a prompt that saves nothing")
    }
    return try server(at: text) == nil ? UserFiles.expanding(text) : text
  }

  /// Opens the session that `--state` or the environment names; nil if neither names one.
  @MainActor
  func session(
    named state: String?, in environment: [String: String], _ limits: CodeLimits
  ) throws -> Session? {
    guard let state = state ?? environment[variable("STATE")], !state.isEmpty else { return nil }
    let place = try place(of: state)
    return try limits.enforced { try Session(at: place, of: self) }
  }

  /// Throws an exit status after a failure, which is reported.
  @MainActor
  func promptSession(in environment: [String: String], _ limits: CodeLimits) throws -> Session {
    let files = UserFiles(of: self, in: environment)
    let path = try files.session
    if let earlier = try files.earlierSession {
      Diagnostics.print("\(earlier) is a session of an earlier version: --state opens it")
    }
    do {
      return try limits.enforced { try Session(at: path, of: self) }
    } catch {
      Diagnostics.report(error)
      Diagnostics.print("the prompt's session is in \(path): --ephemeral opens a prompt without it")
      throw ExitCode.failure
    }
  }

  // MARK: - Journals and servers

  /// The journal of the session at a path or an address, which is created if it is missing.
  func journal(at place: String, _ schema: StoreSchema) throws -> any SharedJournal {
    if let server = try server(at: place) { return try server.journal(of: schema) }
    return try SQLiteJournal(of: schema, program: program, path: place)
  }

  /// The server of an address; nil for the path of a file.
  ///
  /// - Throws: `CommandError` for an address of a kind that the program doesn't know; `JournalError` for a malformed one.
  func server(at address: String) throws -> (any SessionServer)? {
    if let server = servers.first(where: { $0.recognizes(address) }) {
      return try server.init(address, of: program, session: appFiles?.name ?? name)
    }
    let text = address.drop(while: \.isWhitespace)
    // Most paths have neither; what follows takes half a millisecond.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") }) else {
      return nil
    }
    if let scheme = text.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\//) {
      let shown = scheme.output.lowercased().shortenedForMessage
      throw CommandError(
        description:
          "\(CurrentProcess.name) doesn't support addresses that begin with \(shown)")
    }
    // A file with the password in its name would be created; nor may the message have it.
    if text.contains("://") || text.lowercased().contains("password=") {
      throw CommandError(
        description: "a server's address begins with its kind, such as postgresql://")
    }
    return nil
  }

  /// Hides the servers' addresses in messages, and in the command line that the system shows to other users.
  func hidePasswords() {
    for argument in CurrentProcess.arguments.dropFirst() where argument.contains(":") {
      let isOption = argument.hasPrefix("--")
      let address = isOption ? String(argument.drop { $0 != "=" }.dropFirst()) : argument
      guard let shown = hide(address), shown != address else { continue }
      CurrentProcess.replaceArgument(argument, by: argument.replacing(address, with: shown))
    }
    if let address = CurrentProcess.variable(variable("STATE")) { _ = hide(address) }
  }

  /// Hides an address in messages, and returns what is shown of it; nil for another text.
  private func hide(_ address: String) -> String? {
    guard let server = servers.first(where: { $0.recognizes(address) }) else { return nil }
    let shown = server.withoutPassword(address)
    if shown != address { Diagnostics.hide(address, showing: shown) }
    return shown
  }
}
