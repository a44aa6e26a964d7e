import Foundation
import TestSupport
import Testing

@testable import Domain
@testable import StateStore
@testable import Console
import Platform

@Suite("Line history file")
struct LineHistoryFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func permissions(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.path(of: name))[.posixPermissions]
      as? Int
  }

  @Test("is created for its owner only, with its folder")
  func isPrivate() throws {
    let file = LineHistoryFile(path: folder.path(of: "a/history"))
    #expect(try file.load() == [])
    #expect(try permissions("a") == 0o700)
    #expect(try permissions("a/history") == 0o600)
  }

  @Test("has the lines of this prompt and of others")
  func appends() throws {
    let path = folder.path(of: "history")
    let (one, other) = (LineHistoryFile(path: path), LineHistoryFile(path: path))
    #expect(try one.load() == [])
    #expect(try other.load() == [])
    try one.append(["a", "é 日"])
    try other.append(["b"])
    try one.append(["c"])
    #expect(try LineHistoryFile(path: path).load() == ["a", "é 日", "b", "c"])
  }

  @Test("loses no line of prompts that write at the same time")
  func appendsConcurrently() async throws {
    let path = folder.path(of: "history")
    try await withThrowingTaskGroup { group in
      for prompt in 0..<8 {
        group.addTask {
          let file = LineHistoryFile(path: path)
          for line in 0..<50 { try file.append(["\(prompt) \(line)"]) }
        }
      }
      try await group.waitForAll()
    }
    let lines = try LineHistoryFile(path: path).load()
    #expect(Set(lines).count == 400)
    #expect(lines.count == 400)
  }

  @Test("keeps the newest 1,000 lines")
  func isBounded() throws {
    let all = (1...1500).map(String.init)
    let path = try folder.write(all.joined(separator: "\n") + "\n", to: "history")
    #expect(try LineHistoryFile(path: path).load() == Array(all.suffix(1000)))
    #expect(try folder.read("history") == all.suffix(1000).map { $0 + "\n" }.joined())
  }

  @Test("keeps what isn't UTF-8, and a last line without its newline")
  func keepsBytes() throws {
    let path = folder.path(of: "history")
    try Data([0x61, 0xFF, 0x0A, 0x0A, 0x62]).write(to: URL(fileURLWithPath: path))
    let file = LineHistoryFile(path: path)
    let lines = try file.load()
    #expect(lines.map(\.systemBytes) == [[0x61, 0xFF], [0x62]])
    try file.append(lines)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: path))
        == Data([0x61, 0xFF, 0x0A, 0x0A, 0x62, 0x61, 0xFF, 0x0A, 0x62, 0x0A]))
  }

  @Test("reports once that its path isn't a file, and isn't used afterwards")
  func notAFile() throws {
    let file = LineHistoryFile(path: folder.path)
    let error = #expect(throws: LineHistoryError.self) { try file.load() }
    #expect(error?.description.contains(folder.path) == true)
    try file.append(["a"])
  }

  @Test("reports once that its folder can't be created")
  func unusableFolder() throws {
    let path = try folder.write("", to: "file") + "/history"
    let file = LineHistoryFile(path: path)
    let error = #expect(throws: LineHistoryError.self) { try file.load() }
    #expect(error == LineHistoryError(path: path, reason: "Not a directory"))
    try file.append(["a"])
  }

  @Test("keeps nothing in /dev/null, without an error")
  func nullDevice() throws {
    let file = LineHistoryFile(path: "/dev/null")
    #expect(try file.load() == [])
    try file.append(["a"])
  }
}
