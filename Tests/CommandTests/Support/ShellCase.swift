import Foundation
import Testing
import TestSupport

/// A titled case of a test: commands as they are typed in a shell, and what each shows.
struct ShellCase: Sendable, CustomTestStringConvertible {
  /// A command.
  struct Step: Sendable {
    var command: String

    /// Its output, and then its messages, in which `…` stands for any text.
    var shown = ""

    var status: Int32 = 0
  }

  /// The title.
  let testDescription: String

  private(set) var steps: [Step] = []

  /// Reads cases that are written as sessions of a shell.
  ///
  /// A comment is the title of a case. A command stands after `$ `, and its further lines after
  /// `> `. What it shows follows, and then its status in brackets, unless that is 0.
  static func list(_ text: String) -> [ShellCase] {
    var cases: [ShellCase] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("# ") {
        cases.append(ShellCase(testDescription: String(line.dropFirst(2))))
      } else if var example = cases.popLast() {
        example.add(line)
        cases.append(example)
      }
    }
    return cases
  }

  private mutating func add(_ line: Substring) {
    if line.hasPrefix("$ ") {
      return steps.append(Step(command: String(line.dropFirst(2))))
    }
    guard var step = steps.popLast() else { return }
    if line.hasPrefix("> "), step.shown.isEmpty {
      step.command += "\n\(line.dropFirst(2))"
    } else if let status = line.wholeMatch(of: /\[(\d+)\]/) {
      step.status = Int32(status.1) ?? 0
    } else {
      step.shown += "\(line)\n"
    }
    steps.append(step)
  }
}

extension CommandRunner {
  /// A value of PATH with the folder of the programs that are built with the tests.
  static var path: String {
    get throws {
      let folder = URL(fileURLWithPath: try BuiltExecutable.path(of: "primerepl"))
        .deletingLastPathComponent().path
      return "\(folder):/usr/local/bin:/usr/bin:/bin"
    }
  }

  /// Types the commands of a case into a shell, all in one folder, and checks what they show.
  func check(_ example: ShellCase) async throws {
    var shell = self
    shell.program = "/bin/sh"
    shell.home = try home ?? TemporaryFolder()
    shell.environment["PATH"] = try Self.path
    for step in example.steps {
      let result = try await shell.run(["-c", step.command])
      let shown = result.output + result.error
      #expect(
        shown.fits(step.shown) || "\(shown)\n".fits(step.shown),
        "$ \(step.command)\n\(shown)")
      #expect(result.status == .exited(step.status), "$ \(step.command)\n\(shown)")
    }
  }
}
