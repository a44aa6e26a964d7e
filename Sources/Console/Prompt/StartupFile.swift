import Foundation
import Lua
import Platform

/// The user's own Lua file, which runs before the first prompt.
enum StartupFile {
  /// Runs the file if there is one.
  ///
  /// - Parameters:
  ///   - interpreter: Where it runs.
  ///   - environment: The process's environment.
  /// - Throws: The error of the file's code, or why the file can't be read.
  @MainActor
  static func run(in interpreter: Interpreter, _ environment: [String: String]) async throws {
    let path = try UserFiles.startupFile(in: environment)
    guard path.withSystemBytes({ access($0, F_OK) }) == 0 else { return }
    try await interpreter.runScript(path, arguments: [])
  }
}
