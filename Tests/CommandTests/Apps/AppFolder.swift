import Foundation
import TestSupport

/// A folder with files that declare features, and runs of commands in it.
struct AppFolder {
  let folder: TemporaryFolder
  let home: TemporaryFolder
  var runner: CommandRunner

  /// Makes a folder with `shop.lua`, which declares the feature `cart`, and is a program.
  init() throws {
    folder = try TemporaryFolder()
    home = try TemporaryFolder()
    runner = CommandRunner(
      environment: ["CI": nil], workingDirectory: folder.path, home: home)
    try add("cart", in: "shop.lua")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path(of: "shop.lua"))
  }

  /// Writes a file that declares a feature with a count.
  func add(_ feature: String, in file: String) throws {
    let code = """
      #!/usr/bin/env -S primerepl --app
      feature "\(feature)" {
        help = "Counts items.",
        state = { count = 0 },
        actions = {
          add = action {
            "by: integer", help = "Adds to the count.", example = "\(feature).add(1)",
            function(state, by)
              if by < 1 then fail("bad_number", "A number is 1 or more, not " .. by .. ".") end
              state.count = state.count + by
            end,
          },
        },
      }

      """
    _ = try folder.write(code, to: file)
  }

  /// Runs `primerepl` in the folder.
  func callAsFunction(_ arguments: String...) async throws -> CommandOutput {
    try await runner.run(arguments)
  }
}
