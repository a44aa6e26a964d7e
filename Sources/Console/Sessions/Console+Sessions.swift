import ArgumentParser
import PrimereplFoundation
import PrimereplPlatform

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

  /// Opens the prompt's session.
  ///
  /// - Throws: An exit status; the failure is reported.
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
}
