package import Lua
package import Scripting

/// The program whose app pages show.
@MainActor
package protocol PageHost: AnyObject {
  /// The name of the app, such as that of its file.
  var title: String { get }

  var app: ScriptedApp { get }

  /// The Lua state of the app, in which its functions run.
  var state: LuaState { get }

  /// The names of the features that files of the app declare; empty for a program without such files.
  var declaredNames: [String] { get }

  /// Reloads what others have done in the session since.
  func reload()

  /// Saves the session in the background.
  func save()
}
