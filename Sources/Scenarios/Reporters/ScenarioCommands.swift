import PrimereplFoundation

/// The command lines that run one scenario of a run again.
struct ScenarioCommands {
  /// The command for the app's scenarios, such as `primerepl test --app shop.lua`.
  private let command: String
  /// The lines, as `file:line`, at which several scenarios are declared, such as those of a loop.
  private let sharedLines: Set<String>

  init(_ plan: RunPlan) {
    let words = [ReportText.line(plan.program), "test"] + plan.appArguments.map(\.shellWord)
    command = words.joined(separator: " ")
    var lines: Set<String> = []
    sharedLines = Set(plan.scenarios.map(Self.place).filter { !lines.insert($0).inserted })
  }

  /// The command that runs only a scenario: by its line or, if others have the same line, by its name.
  func command(running scenario: ScenarioDescription) -> String {
    let file = scenario.id.file
    guard file == ScenarioFile.defaultProperties || sharedLines.contains(Self.place(scenario))
    else {
      return "\(command) \(Self.place(scenario).shellWord)"
    }
    let name = ReportText.limited(scenario.fullName)
    let separator = name.hasPrefix("-") ? "=" : " "
    let path = file == ScenarioFile.defaultProperties ? "--properties" : Self.path(file).shellWord
    return "\(command) \(path) --filter\(separator)\(ReportText.shellQuoted(name))"
  }

  private static func place(_ scenario: ScenarioDescription) -> String {
    "\(path(scenario.id.file)):\(scenario.line)"
  }

  /// A path that isn't taken for an option.
  private static func path(_ file: String) -> String { file.hasPrefix("-") ? "./" + file : file }
}

extension String {
  /// The text as a word of a shell's command line, in quotes if it needs them.
  package var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      byte.isASCIILetter || byte.isASCIIDigit || "._/:-".utf8.contains(byte)
    }
    return isPlain ? self : ReportText.shellQuoted(self)
  }
}
