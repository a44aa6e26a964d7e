import ArgumentParser

struct InitCommand: AppCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract:
      "Prepare a folder for scenarios: an editor's settings, a first scenario, a CI workflow.",
    discussion: """
      Writes .luarc.json and the definitions of the app's modules and of the vocabulary, for editors with the Lua \
      language server; first.scenario.lua; and .github/workflows/scenarios.yml, which runs the scenarios on GitHub.

      Files that are there are kept, except for the definitions: run it again after an update of the program.
      """)

  @Argument(help: "The folder, which is made if it is missing.", completion: .directory)
  private var folder = "."

  @OptionGroup var app: AppOptions

  @MainActor
  func run(in console: Console) async throws {
    let folder = try ProjectFolder(folder)
    let files =
      try console.editorFiles() + [
        try await FirstScenario(of: console, in: folder).file(),
        console.scenarioWorkflow(in: folder),
      ]
    var outcomes: [ProjectFolder.Outcome] = []
    try folder.addAll(files.map(\.path).filter { !folder.contains($0) }) {
      for file in files { outcomes.append(try folder.add(file)) }
    }
    for (outcome, file) in zip(outcomes, files) { report(outcome, file) }
    CurrentProcess.print(
      """

      Run `\(console.testCommand(in: folder))` in the folder. Editors with the Lua language server complete and check its Lua files.
      """)
  }

  private func report(_ outcome: ProjectFolder.Outcome, _ file: ProjectFile) {
    let line =
      switch outcome {
      case .written: "wrote \(file.path)"
      case .updated: "updated \(file.path)"
      case .kept: "kept \(file.path), which was there already"
      }
    CurrentProcess.print(line)
  }
}
