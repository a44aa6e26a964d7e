import StateStore

extension Console {
  /// The server of an address; nil for the path of a file.
  ///
  /// - Throws: `CommandError` for an address of a kind that the program doesn't know; `JournalError` for a malformed one.
  func server(at address: String) throws -> (any SessionServer)? {
    if let server = servers.first(where: { $0.recognizes(address) }) {
      return try server.init(address, of: program, session: appFiles?.name ?? name)
    }
    if let scheme = address.prefixMatch(of: /[a-z][a-z0-9+.-]*:\/\//) {
      throw CommandError.unknownServer(String(scheme.output))
    }
    return nil
  }

  /// Removes the passwords of servers' addresses from the command line that the system shows to other users.
  func hidePasswords() {
    for argument in CurrentProcess.arguments.dropFirst() where argument.contains("://") {
      let isOption = argument.hasPrefix("--")
      let address = isOption ? String(argument.drop { $0 != "=" }.dropFirst()) : argument
      guard let server = servers.first(where: { $0.recognizes(address) }) else { continue }
      let shown = server.withoutPassword(address)
      if shown != address {
        CurrentProcess.replaceArgument(argument, by: argument.replacing(address, with: shown))
      }
    }
  }
}
