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
    let command = console.testCommand(in: folder)
    return """
      # Runs the scenarios for every push and pull request. The job fails unless all of them pass.
      name: scenarios
      on: [push, pull_request]

      jobs:
        scenarios:
          runs-on: ubuntu-latest
      \(isPackage ? "    container: swift:6.2\n" : "")    steps:
            - uses: actions/checkout@v4
      \(isPackage ? building : installing)
            - name: Run the scenarios
              run: \(command) --ci --forbid-only --report pretty --report junit=scenarios.xml
            - name: Keep the report
              if: always()
              uses: actions/upload-artifact@v4
              with:
                name: scenarios
                path: scenarios.xml

      """
  }

  /// The step that builds the program in its own repository.
  private var building: String {
    """
          # The libraries are those that the kit needs; add your app's own.
          - name: Build \(console.name)
            run: |
              apt-get update
              apt-get install -y pkg-config liblua5.4-dev libsqlite3-dev libcurl4-openssl-dev
              swift build -c release --product \(console.name)
              swift build -c release --show-bin-path >> "$GITHUB_PATH"
    """
  }

  /// The step that installs the program, which isn't in the repository.
  private var installing: String {
    let variable = console.variable("PACKAGE")
    return """
            # Set the repository's variable \(variable) to the address of a Debian package of \(console.name), or
            # replace this step by others that put \(console.name) in PATH.
            - name: Install \(console.name)
              run: |
                curl -fsSL -o /tmp/\(console.name).deb '${{ vars.\(variable) }}'
                sudo apt-get install -y /tmp/\(console.name).deb
      """
  }
}
