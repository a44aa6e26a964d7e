import ArgumentParser
import Scripting

struct NewCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Write a folder with an app in Lua, its scenarios, and an editor's settings.",
    discussion: """
      For the name shop, the folder shop has shop.lua, which declares a feature for --app; shop.scenario.lua; and for \
      editors with the Lua language server, .luarc.json and the definitions of modules and vocabularies. The command \
      init updates the definitions.
      """)

  @Argument(help: "The app's name, in small letters, digits and underscores.")
  private var name: String

  func validate() throws {
    guard LuaTokens.isName(name.utf8), name == name.lowercased() else {
      throw ValidationError(
        "an app's name is a Lua name of small letters, digits and underscores, such as shop, not '\(name)'"
      )
    }
  }

  @MainActor
  func run(in console: Console) async throws {
    let folder = try ProjectFolder(name)
    let app = FirstApp(name, of: console)
    let paths = app.files.map(\.path) + console.editorFilePaths
    for path in paths where folder.contains(path) {
      throw CommandError(description: "\(name)/\(path) is there already; nothing was written")
    }
    try folder.addAll(paths) {
      for file in app.files { _ = try folder.add(file) }
      let files = AppFiles(paths: ["\(name)/\(app.path)"], isBare: false)
      for file in try console.app(of: files, DeclaredApp.Limits()).editorFiles() {
        _ = try folder.add(file)
      }
    }
    for path in paths { CurrentProcess.print("wrote \(name)/\(path)") }
    CurrentProcess.print(app.nextSteps)
  }
}
