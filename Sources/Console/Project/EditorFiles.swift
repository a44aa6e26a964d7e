import Lua

/// The files by which editors with the Lua language server (LuaLS) know an app and the vocabulary of scenarios.
enum EditorFiles {
  private static let folder = ".luals"

  /// The settings and the definitions.
  ///
  /// - Throws: An error if the app is described with a mistake.
  @MainActor
  static func files(of console: Console) throws -> [ProjectFile] {
    let definitions = try DocsCommand.text(in: .luals, of: console)
    return [
      ProjectFile(path: ".luarc.json", content: settings),
      ProjectFile(
        path: "\(folder)/\(console.name).lua", content: definitions, isGenerated: true),
    ]
  }

  private static let settings = """
    {
      "$schema": "https://raw.githubusercontent.com/LuaLS/vscode-lua/master/setting/schema.json",
      "runtime.version": "Lua 5.4",
      "workspace.library": ["\(folder)"],
      "workspace.checkThirdParty": false
    }

    """
}
