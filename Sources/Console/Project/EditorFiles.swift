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
    let paths = paths(of: console)
    let settings = ProjectTemplate(PackageResources.luarc_json).text(with: ["FOLDER": folder])
    return [
      ProjectFile(path: paths[0], content: settings),
      ProjectFile(path: paths[1], content: definitions, isGenerated: true),
    ]
  }

  /// The paths of the settings and the definitions.
  static func paths(of console: Console) -> [String] {
    [".luarc.json", "\(folder)/\(console.name).lua"]
  }
}
