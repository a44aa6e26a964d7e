import Scenarios

/// A file that the command writes for a user.
struct ProjectFile {
  /// Within the folder.
  let path: String
  let content: String
  /// Whether the content only follows from the program: then a later version of it replaces the file.
  var isGenerated = false
  var isExecutable = false

  /// The text of a template with values for its words, such as `__PROGRAM__`, which are named without their underscores.
  static func text(of template: [UInt8], with values: [String: String]) -> String {
    values.reduce(String(decoding: template, as: UTF8.self)) {
      $0.replacing("__\($1.key)__", with: $1.value)
    }
  }
}

extension Console {
  private static let editorFolder = ".luals"

  /// The settings and the definitions, in this order.
  var editorFilePaths: [String] { [".luarc.json", "\(Self.editorFolder)/\(name).lua"] }

  /// The files by which editors with the Lua language server (LuaLS) know the app and the vocabulary of scenarios.
  @MainActor
  func editorFiles() throws -> [ProjectFile] {
    let definitions = try DocsCommand.text(in: .luals, of: self)
    let settings = ProjectFile.text(
      of: PackageResources.luarc_json, with: ["FOLDER": Self.editorFolder])
    return [
      ProjectFile(path: editorFilePaths[0], content: settings),
      ProjectFile(path: editorFilePaths[1], content: definitions, isGenerated: true),
    ]
  }

  /// A workflow of GitHub Actions that runs the scenarios of a folder for every change.
  ///
  /// In a Swift package, it builds the program.
  func scenarioWorkflow(in folder: ProjectFolder) -> ProjectFile {
    let steps = ProjectFile.text(
      of: folder.contains("Package.swift")
        ? PackageResources.building_yml : PackageResources.installing_yml,
      with: ["PROGRAM": name, "VARIABLE": variable("PACKAGE")])
    let text = ProjectFile.text(
      of: PackageResources.workflow_yml,
      with: ["FIRST_STEPS": String(steps.dropLast()), "COMMAND": testCommand(in: folder)])
    return ProjectFile(path: ".github/workflows/scenarios.yml", content: text)
  }

  /// The command that runs the scenarios of a folder in it, with the same app.
  func testCommand(in folder: ProjectFolder) -> String {
    ([name, "test"] + (appFiles?.arguments(in: folder.path) ?? []).map(\.shellWord))
      .joined(separator: " ")
  }
}
