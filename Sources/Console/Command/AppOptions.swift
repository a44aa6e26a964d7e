import ArgumentParser

/// The options that name files with features, which most commands have.
struct AppOptions: ParsableArguments {
  @Option(name: .customLong("app"), help: Self.filesHelp, completion: Self.filesCompletion)
  private var files: [String] = []

  @Flag(help: Self.bareHelp)
  private var bare = false

  static let filesHelp = ArgumentHelp(
    "Add the features that this file of Lua declares; repeatable.", valueName: "file")
  static let filesCompletion = CompletionKind.file(extensions: ["lua"])
  static let bareHelp: ArgumentHelp = "Leave out the built-in features; needs --app."

  init() {}

  /// Makes the options of a command that declares them itself.
  init(files: [String], bare: Bool) { (self.files, self.bare) = (files, bare) }

  func validate() throws {
    if files.contains("") { throw ValidationError("--app needs a file name") }
  }

  /// The files that the options, or else the environment, name; nil for none.
  ///
  /// - Throws: `ValidationError` for `--bare` without files; `CommandError` for a path that can't be one.
  func files(of console: Console) throws -> AppFiles? {
    let variable = console.variable("APP")
    let paths =
      files.isEmpty
      ? (CurrentProcess.variable(variable) ?? "").split(separator: ":").map(String.init) : files
    guard !paths.isEmpty else {
      if bare {
        throw ValidationError("--bare needs --app: it leaves no features but those of files")
      }
      return nil
    }
    return AppFiles(paths: try paths.map(UserFiles.expanding), isBare: bare)
  }

  /// The arguments with these options after the subcommand that they precede, which parses them:
  /// `test --app shop.lua` for `--app shop.lua test`.
  static func behindSubcommand(in arguments: [String]) -> [String] {
    var rest = arguments[...]
    while let argument = rest.first {
      if argument == "--bare" || argument.hasPrefix("--app=") {
        rest.removeFirst()
      } else if argument == "--app" {
        rest.removeFirst(min(2, rest.count))
      } else {
        break
      }
    }
    guard let name = rest.first, Subcommands.isNamed(name) else { return arguments }
    let isOfApp = Subcommands.command(name) is any AppCommand.Type
    return [name] + (isOfApp ? arguments[..<rest.startIndex] : []) + rest.dropFirst()
  }
}
