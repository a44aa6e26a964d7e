import Foundation

/// The command that was built along with these tests.
enum BuiltExecutable {
  /// The command can't be found where the tests are.
  struct NotFound: Error, CustomStringConvertible {
    let searched: [String]

    var description: String {
      """
      There is no executable primerepl in the folders above \
      \(searched.joined(separator: " or ")): run swift build first.
      """
    }
  }

  /// Its path: the build system puts it beside the test bundle.
  ///
  /// The bundle is the running program on Linux, and an argument of it on macOS.
  static func path() throws -> String {
    let program = Bundle.main.executablePath.map { [$0] } ?? []
    let bundles = program + CommandLine.arguments.filter { $0.contains(".xctest") }
    for bundle in bundles {
      var folder = URL(fileURLWithPath: bundle).resolvingSymlinksInPath()
      while folder.path != "/" {
        folder.deleteLastPathComponent()
        let candidate = folder.appendingPathComponent("primerepl").path
        if isProgram(candidate) { return candidate }
      }
    }
    throw NotFound(searched: bundles)
  }

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
  }
}
