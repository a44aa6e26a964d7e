/// A workflow of GitHub Actions that runs the scenarios of a folder for every change.
struct ScenarioWorkflow {
  private let console: Console
  private let folder: ProjectFolder
  /// Whether the folder is a Swift package, which then builds the program.
  private let isPackage: Bool

  /// - Parameters:
  ///   - console: The program.
  ///   - folder: The folder.
  init(of console: Console, in folder: ProjectFolder) {
    (self.console, self.folder) = (console, folder)
    isPackage = folder.contains("Package.swift")
  }

  /// The file with the workflow.
  var file: ProjectFile {
    ProjectFile(path: ".github/workflows/scenarios.yml", content: text)
  }

  private var text: String {
    let steps = ProjectTemplate(
      isPackage ? PackageResources.building_yml : PackageResources.installing_yml
    ).text(with: ["PROGRAM": console.name, "VARIABLE": console.variable("PACKAGE")])
    return ProjectTemplate(PackageResources.workflow_yml).text(with: [
      "FIRST_STEPS": String(steps.dropLast()), "COMMAND": console.testCommand(in: folder),
    ])
  }
}
