import Foundation

/// A program that was built along with these tests.
package enum BuiltExecutable {
  /// The program can't be found where the tests are.
  package struct NotFound: Error, CustomStringConvertible {
    let name: String
    let searched: [String]

    package var description: String {
      """
      There is no executable \(name) in the folders above \
      \(searched.joined(separator: " or ")): run swift build first.
      """
    }
  }

  /// The path of a program: the build system puts it beside the test bundle.
  ///
  /// The bundle is the running program on Linux, and an argument of it on macOS.
  package static func path(of name: String) throws -> String {
    let program = Bundle.main.executablePath.map { [$0] } ?? []
    let bundles = program + CommandLine.arguments.filter { $0.contains(".xctest") }
    for bundle in bundles {
      var folder = URL(fileURLWithPath: bundle).resolvingSymlinksInPath()
      while folder.path != "/" {
        folder.deleteLastPathComponent()
        let candidate = folder.appendingPathComponent(name).path
        if isProgram(candidate) { return candidate }
      }
    }
    throw NotFound(name: name, searched: bundles)
  }

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
  }
}
