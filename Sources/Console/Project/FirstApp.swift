import Scenarios

/// An app in Lua to start from, with its scenarios.
struct FirstApp {
  private let name: String
  private let program: String
  /// A name that no module of the program has.
  private let feature: String

  init(_ name: String, of console: Console) {
    (self.name, program) = (name, console.name)
    var feature = "cart"
    while console.modules.contains(where: { $0.name == feature }) { feature = "my_\(feature)" }
    self.feature = feature
  }

  /// In the app's folder.
  var path: String { "\(name).lua" }

  var files: [ProjectFile] {
    let names = ["PROGRAM": program, "FILE": path, "FEATURE": feature]
    let app = ProjectFile.text(of: PackageResources.app_lua, with: names)
    let scenarios = ProjectFile.text(of: PackageResources.app_scenario_lua, with: names)
    return [
      ProjectFile(path: path, content: app, isExecutable: true),
      ProjectFile(path: name + ScenarioRecording.fileNameEnd, content: scenarios),
    ]
  }

  var nextSteps: String {
    """

    Next:
      cd \(name)
      \(program) --app \(path)       opens a prompt with the app
      \(program) test --app \(path)  runs its scenarios
    """
  }
}
