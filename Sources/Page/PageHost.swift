package import Lua
package import Scripting

/// The program whose app pages show.
@MainActor
package protocol PageHost: AnyObject, Sendable {
  /// The name of the app, such as that of its file.
  var title: String { get }

  var app: ScriptedApp { get }
  var state: LuaState { get }

  /// The names of the features that files of the app declare; empty for a program without such files.
  var declaredNames: [String] { get }

  /// Identifies the code of the app: it is another one after a reload.
  var appVersion: Int { get }

  /// The actions of each command, to which those of pages are added.
  var commands: CommandLog { get set }

  /// Reloads what others have done in the session since.
  func reload()

  /// Saves the session in the background.
  func save()

  /// Stops the code that runs, if any does; called on any thread.
  nonisolated func interrupt()

  /// Writes what code prints, which pages show as well.
  func write(output: LuaString)

  /// The text of a scenario that repeats some actions.
  func scenario(named name: String, of actions: ClosedRange<Int>) async throws -> String
}
