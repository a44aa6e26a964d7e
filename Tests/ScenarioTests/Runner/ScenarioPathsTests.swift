import Foundation
import StateStore
import Testing
import TestSupport

@testable import Scenarios

@Suite("Finding scenario files")
struct ScenarioPathsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["sub/deep", ".hidden", "empty"] { try folder.makeFolder(name) }
    for name in [
      "b.scenario.lua", "a.scenario.lua", "other.lua", "sub/deep/c.scenario.lua",
      ".hidden/d.scenario.lua", ".e.scenario.lua",
    ] { _ = try folder.write("", to: name) }
  }

  private func names(_ paths: ScenarioPaths) -> [String] {
    paths.files.map { String($0.dropFirst(folder.path.count + 1)) }
  }

  @Test("A folder stands for the scenario files in it and below, sorted, but not the hidden ones")
  func folders() {
    let found = ScenarioPaths([folder.path])
    #expect(names(found) == ["a.scenario.lua", "b.scenario.lua", "sub/deep/c.scenario.lua"])
    #expect(found.problems.isEmpty)
  }

  @Test("A file is taken whatever its name, and each file once")
  func files() {
    let other = folder.path(of: "other.lua")
    #expect(names(ScenarioPaths([other, other])) == ["other.lua"])
    #expect(names(ScenarioPaths([folder.path + "/sub", folder.path(of: "sub")])).count == 1)
  }

  @Test("A number after a colon is a line, unless a file has that name")
  func lines() throws {
    let path = folder.path(of: "a.scenario.lua")
    let found = ScenarioPaths([path + ":3", path + ":7"])
    #expect(found.files == [path])
    #expect(found.lines == [path: [3, 7]])
    let named = try folder.write("", to: "x:3")
    #expect(ScenarioPaths([named]).files == [named])
    #expect(ScenarioPaths([named]).lines.isEmpty)
  }

  @Test("A file that is also given without a line, or in its folder, runs as a whole")
  func linesAndFile() {
    let path = folder.path(of: "a.scenario.lua")
    for paths in [[path + ":3", path], [path, path + ":3"], [folder.path, path + ":3"]] {
      let found = ScenarioPaths(paths)
      #expect(found.files.count { $0 == path } == 1)
      #expect(found.lines.isEmpty)
    }
  }

  @Test("A file is taken once, however it is spelled, with all its lines")
  func spellings() {
    let path = folder.path(of: "a.scenario.lua")
    let other = folder.path + "/./sub/..//a.scenario.lua"
    #expect(ScenarioPaths([path, other]).files == [path])
    #expect(ScenarioPaths([path + ":1", other + ":2"]).lines == [path: [1, 2]])
  }

  @Test("What can't be found is a problem, and the others are found")
  func missing() {
    let path = folder.path(of: "none.scenario.lua")
    let found = ScenarioPaths([path, folder.path(of: "a.scenario.lua"), folder.path(of: "empty")])
    #expect(found.files.count == 1)
    #expect(
      found.problems.map(\.message) == [
        "there is no such file or folder", "the folder has no file named *.scenario.lua",
      ])
  }

  @Test("A device or a pipe is no file: it may never end")
  func special() {
    #expect(
      ScenarioPaths(["/dev/zero"]).problems.map(\.message) == [
        "it is neither a file nor a folder"
      ])
  }

  @Test("Links to files are followed, links to folders aren't, as they may lead in a circle")
  func links() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(of: "sub/circle"), withDestinationPath: folder.path)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(of: "sub/link.scenario.lua"),
      withDestinationPath: folder.path(of: "other.lua"))
    let found = ScenarioPaths([folder.path(of: "sub")])
    #expect(names(found) == ["sub/deep/c.scenario.lua", "sub/link.scenario.lua"])
  }
}
