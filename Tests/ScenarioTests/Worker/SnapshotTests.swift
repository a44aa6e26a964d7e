import Foundation
import PrimereplPlatform
import Testing
import TestSupport

@testable import Scenarios

@MainActor
@Suite("Snapshots")
struct SnapshotTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Compares a value with the snapshot "menu"; returns the scenario's result.
  private func compare(_ value: String, _ mode: SnapshotAccess.Mode) async throws -> EndedScenario {
    let source = "scenario('s', function() expect.snapshot('menu', \(value)) end)"
    return try await FileRun(source, in: folder, settings: WorkerSettings(snapshots: mode)).run("s")
  }

  private let path = "file.snapshots/s.menu.snapshot"

  @Test("A missing snapshot is written beside the scenario file")
  func missing() async throws {
    let ended = try await compare("{1, 2}", .write)
    #expect(ended.failures == nil)
    #expect(ended.writtenSnapshots == 1)
    #expect(try folder.read(path) == "{ 1, 2 }")
    #expect(folder.files("file.snapshots") == ["s.menu.snapshot"])
  }

  @Test(
    "A snapshot isn't written through a symbolic link", arguments: ["s.menu.snapshot", ""])
  func link(name: String) async throws {
    try FileSystem.makeFolder(folder.path(of: "other"))
    _ = try folder.write("precious", to: "other/s.menu.snapshot")
    if name.isEmpty {
      #expect(symlink("other", folder.path(of: "file.snapshots")) == 0)
    } else {
      try FileSystem.makeFolder(folder.path(of: "file.snapshots"))
      #expect(symlink("../other/\(name)", folder.path(of: path)) == 0)
    }
    let ended = try await compare("{1, 2}", .update)
    #expect(ended.failures?.first?.message.contains("it is a symbolic link") == true)
    #expect(try folder.read("other/s.menu.snapshot") == "precious")
  }

  @Test("Several processes can write a snapshot at the same time")
  func concurrentWrites() async throws {
    let path = folder.path(of: "snapshot")
    let texts = (0..<8).map { Array(repeating: UInt8(ascii: "a") + UInt8($0), count: 100_000) }
    try await withThrowingTaskGroup { group in
      for text in texts {
        group.addTask { for _ in 1...20 { try FileSystem.replace(path, with: text) } }
      }
      try await group.waitForAll()
    }
    #expect(texts.contains(try FileSystem.contents(of: path)))
    #expect(folder.files("") == ["snapshot"])
  }

  @Test("Another value fails with the lines that differ, and the file stays")
  func different() async throws {
    _ = try await compare("'one\\ntwo\\nthree'", .write)
    let failure = try await compare("'one\\n2\\nthree\\nfour'", .write).failures?.first
    #expect(failure?.message.hasPrefix("the snapshot \"menu\" differs (") == true)
    #expect(failure?.differenceLines == ["line 2: two -> 2", "line 4: nothing -> four"])
    #expect(try folder.read(path) == "one\ntwo\nthree")
  }

  @Test("A file whose lines Git made end in CR LF has the same value, and stays")
  func otherLineEnds() async throws {
    _ = try await compare("'one'", .write)
    _ = try folder.write("one\r\ntwo\r\n", to: path)
    #expect(try await compare("'one\\ntwo\\n'", .compare).failures == nil)
    #expect(try await compare("'one\\ntwo\\n'", .update).failures == nil)
    #expect(try folder.read(path) == "one\r\ntwo\r\n")
    #expect(try await compare("'one\\n2\\n'", .compare).failures?.count == 1)
    // Git makes the ends of all lines the same.
    #expect(try await compare("'one\\r\\ntwo\\n'", .compare).failures == nil)
    _ = try folder.write("one\r\ntwo\n", to: path)
    #expect(try await compare("'one\\ntwo\\n'", .compare).failures?.count == 1)
  }

  @Test("Names of any bytes stay in the folder, and don't collide")
  func names() async throws {
    let run = try FileRun(
      """
      scenario("a/../b \\xff", function()
        expect.snapshot("../../x", 1) expect.snapshot("..-..-x", 2) expect.snapshot("\\0", 3)
      end)
      """, in: folder)
    #expect(try await run.run("a/../b \\xff").failures == nil)
    let files = folder.files("file.snapshots")
    #expect(files.count == 3)
    #expect(files.allSatisfy { !$0.contains("/") && $0.hasSuffix(".snapshot") })
  }

  @Test("A snapshot that can't be written is a failure with its path")
  func unwritable() async throws {
    _ = try folder.write("", to: "file.snapshots")
    let failure = try await compare("1", .write).failures?.first
    #expect(failure?.message.contains("(snapshot_un") == true)
    #expect(failure?.message.contains("file.snapshots/s.menu.snapshot") == true)
  }

  @Test("A snapshot that can't be read is a failure, and isn't replaced")
  func unreadable() async throws {
    try folder.makeFolder(path)
    let failure = try await compare("1", .update).failures?.first
    #expect(failure?.message.contains("can't be read: Is a directory.") == true)
  }
}
