import Foundation
import PrimereplPlatform
import Testing
import TestSupport

@testable import PrimereplLineEditing

@Suite("History file")
struct HistoryFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "history")
  }

  private func permissions(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.path(of: name))[.posixPermissions]
      as? Int
  }

  @Test("is created for its owner only, with its folder")
  func isPrivate() throws {
    let file = HistoryFile(path: folder.path(of: "a/b/history"))
    #expect(try file.load() == [])
    #expect(try permissions("a") == 0o700)
    #expect(try permissions("a/b/history") == 0o600)
  }

  @Test("has a block as one line")
  func blocks() throws {
    let file = HistoryFile(path: path)
    let entries = ["for i = 1, 2 do\n  print(i)\nend", #"print("\n\\")"#, "é 日"]
    try file.append(entries)
    #expect(
      try folder.read("history") == #"""
        # history 1
        for i = 1, 2 do\n  print(i)\nend
        print("\\n\\\\")
        é 日

        """#)
    #expect(try file.load() == entries)
  }

  @Test("has the entries of this prompt and of others, each once, where it was entered last")
  func appends() throws {
    let (one, other) = (HistoryFile(path: path), HistoryFile(path: path))
    try one.append(["a", "b"])
    try other.append(["c"])
    try one.append(["a"])
    #expect(try other.load() == ["b", "c", "a"])
  }

  @Test("loses no entry of prompts that write at the same time, while another reads and compacts")
  func appendsConcurrently() async throws {
    try await withThrowingTaskGroup { group in
      for prompt in 0..<4 {
        group.addTask {
          let file = HistoryFile(path: path)
          for entry in 0..<100 { try file.append(["\(prompt) \(entry)", "again"]) }
        }
      }
      group.addTask {
        for _ in 0..<50 { _ = try HistoryFile(path: path).load() }
      }
      try await group.waitForAll()
    }
    let entries = try HistoryFile(path: path).load()
    #expect(Set(entries).count == 401)
    #expect(entries.count == 401)
  }

  @Test("keeps the newest entries, and drops repetitions once they are many")
  func isCompacted() throws {
    let all = (1...1500).map(String.init)
    try HistoryFile(path: path).append(all)
    #expect(try HistoryFile(path: path, capacity: 1000).load() == Array(all.suffix(1000)))
    #expect(
      try folder.read("history") == "# history 1\n" + all.suffix(1000).map { $0 + "\n" }.joined())
    try HistoryFile(path: path, capacity: 1000).append(Array(repeating: "x", count: 10))
    #expect(try HistoryFile(path: path).load().count == 1001)
    #expect(try folder.read("history").hasSuffix("x\nx\n"))
  }

  @Test("skips damaged lines, and completes a last line without its end")
  func damagedLines() throws {
    _ = try folder.write("# history 1\na\n\\q\n\n\\\nb\\", to: "history")
    #expect(try HistoryFile(path: path).load() == ["a"])
    try HistoryFile(path: path).append(["c"])
    #expect(try HistoryFile(path: path).load() == ["a", "c"])
  }

  @Test("is read with lines that end in CR LF, after a conversion of the file")
  func otherLineEnds() throws {
    _ = try folder.write("# history 1\r\na\r\n\r\nb\\nc\r\n", to: "history")
    try HistoryFile(path: path).append(["d"])
    #expect(try HistoryFile(path: path).load() == ["a", "b\nc", "d"])
  }

  @Test("keeps bytes that aren't UTF-8")
  func keepsBytes() throws {
    let file = HistoryFile(path: path)
    let entry = String(systemBytes: [0x61, 0xFF, 0x0A, 0x62])
    try file.append([entry])
    #expect(try file.load().map(\.systemBytes) == [[0x61, 0xFF, 0x0A, 0x62]])
  }

  @Test("keeps no entry that is too large to be read at every start")
  func largeEntries() throws {
    try HistoryFile(path: path).append([String(repeating: "x", count: 2_000_000), "small"])
    #expect(try HistoryFile(path: path).load() == ["small"])
  }

  @Test("reports that its folder can't be created")
  func unusableFolder() throws {
    let path = try folder.write("", to: "file") + "/history"
    let error = #expect(throws: HistoryFileError.self) { try HistoryFile(path: path).load() }
    #expect(error == HistoryFileError(path: path, reason: "Not a directory"))
    #expect(
      error?.description
        == "cannot use the history \(path): Not a directory; new entries won't be saved")
  }

  @Test("keeps nothing in /dev/null, without an error")
  func nullDevice() throws {
    let file = HistoryFile(path: "/dev/null")
    #expect(try file.load() == [])
    try file.append(["a"])
    #expect(try file.load() == [])
  }
}

@MainActor
@Suite("Input history")
struct InputHistoryTests {
  @Test("has each entry once, where it was entered last")
  func unique() {
    let history = InputHistory(entries: ["a", "b", "c"])
    #expect(history.add("a") == "a")
    #expect(history.entries == ["b", "c", "a"])
    #expect(history.add("x\ny\n\n") == "x\ny")
    #expect(history.entries.last == "x\ny")
  }

  @Test("keeps no blank entries, and none that begin with a space")
  func notKept() {
    let history = InputHistory()
    for entry in ["", "  ", "\n", " x = 1"] {
      #expect(history.add(entry) == nil)
    }
    #expect(history.entries.isEmpty)
    #expect(history.add("x = 1") == "x = 1")
  }

  @Test("finds entries by their beginning, byte by byte, in both directions")
  func prefixes() {
    let history = InputHistory(entries: [
      "counter.count", "counter.ask", "é", "e\u{301}x", "c", "counter.count = 1", "\0",
    ])
    #expect(history.index(before: 7, withPrefix: "counter.c") == 5)
    #expect(history.index(before: 5, withPrefix: "counter.c") == 0)
    #expect(history.index(before: 0, withPrefix: "c") == nil)
    #expect(history.index(after: 0, withPrefix: "counter.count = 12") == nil)
    #expect(history.index(after: 0, withPrefix: "c") == 1)
    #expect(history.index(before: 7, withPrefix: "") == 6)
    #expect(history.index(before: 7, withPrefix: "c\0") == nil)
    // A letter isn't the beginning of the same letter with an accent.
    #expect(history.index(before: 7, withPrefix: "e") == nil)
    #expect(history.index(before: 900, withPrefix: "c") == 5)
    #expect(history.index(after: -900, withPrefix: "c") == 0)
  }

  @Test("suggests the newest longer entry")
  func suggestions() {
    let history = InputHistory(entries: ["abc", "abd", "ab"])
    #expect(history.suggestion(for: "a") == "ab")
    #expect(history.suggestion(for: "ab") == "abd")
    #expect(history.suggestion(for: "abc") == nil)
    #expect(history.suggestion(for: "") == nil)
    _ = history.add("abz")
    #expect(history.suggestion(for: "ab") == "abz")
  }
}
