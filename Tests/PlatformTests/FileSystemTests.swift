import Foundation
import Testing
import TestSupport

@testable import PrimereplPlatform

@Suite("Files")
struct FileSystemTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func permissions(_ path: String) throws -> mode_t {
    try FileSystem.status(of: path).st_mode & 0o777
  }

  // MARK: - Links

  @Test(
    "are without links if no part of the path in a folder is one",
    arguments: [
      ("real/file", true), ("real/missing", true), ("missing/missing", true), ("link", false),
      ("linked/file", false), ("linked/missing", false), ("dangling", false),
    ])
  func links(path: String, isWithoutLinks: Bool) throws {
    let inner = folder.path(of: "folder")
    try FileSystem.makeFolder("\(inner)/real")
    for file in ["\(inner)/real/file", "\(inner)/file"] { try FileSystem.replace(file, with: []) }
    for (target, name) in [("file", "link"), ("real", "linked"), ("nothing", "dangling")] {
      #expect(symlink(target, "\(inner)/\(name)") == 0)
    }
    // The folder itself may be reached by a link: a user named it.
    #expect(symlink("folder", folder.path(of: "alias")) == 0)
    for folder in [inner, folder.path(of: "alias")] {
      #expect(FileSystem.isWithoutLinks(path, in: folder) == isWithoutLinks)
    }
  }

  // MARK: - Reading

  @Test("are read up to a limit")
  func limit() throws {
    let path = try folder.write("12345", to: "file")
    #expect(try FileSystem.contents(of: path, limit: 5) == Array("12345".utf8))
    let error = #expect(throws: SystemCallError.self) {
      try FileSystem.contents(of: path, limit: 4)
    }
    #expect(error?.errorNumber == EFBIG)
  }

  @Test("are read only if they are regular files, without waiting for a pipe")
  func special() throws {
    let pipe = folder.path(of: "pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(throws: SystemCallError.notRegularFile) { try FileSystem.contents(of: pipe) }
    #expect(throws: SystemCallError.notRegularFile) { try FileSystem.contents(of: "/dev/zero") }
    let error = #expect(throws: SystemCallError.self) {
      try FileSystem.contents(of: folder.path)
    }
    #expect(error?.errorNumber == EISDIR)
  }

  @Test("that don't exist are told from those that can't be read")
  func missing() throws {
    let file = try folder.write("", to: "file")
    for path in [folder.path(of: "none"), file + "/none"] {
      let error = #expect(throws: SystemCallError.self) { try FileSystem.contents(of: path) }
      #expect(error?.isMissingFile == true)
      #expect(FileSystem.kind(of: path) == nil)
    }
  }

  @Test("have names of any bytes")
  func names() throws {
    let name = String(systemBytes: [0x61, 0xFF])
    let path = folder.path(of: name)
    try FileSystem.replace(path, with: [1])
    #expect(try FileSystem.names(in: folder.path) == [name])
    #expect(FileSystem.kind(of: path) == .file)
    try FileSystem.rename(path, to: folder.path(of: "b"))
    try FileSystem.rename(folder.path(of: "b"), to: path)
    #expect(try FileSystem.contents(of: path) == [1])
    try FileSystem.remove(path)
    #expect(FileSystem.kind(of: path) == nil)
  }

  // MARK: - Replacing

  @Test("keep their permissions when they are replaced, and new ones get those that are asked for")
  func replacedPermissions() throws {
    let path = try folder.write("old", to: "file")
    #expect(chmod(path, 0o640) == 0)
    try FileSystem.replace(path, with: Array("new".utf8), mode: 0o600)
    #expect(try folder.read("file") == "new")
    #expect(try permissions(path) == 0o640)
    try FileSystem.replace(folder.path(of: "other"), with: [], mode: 0o600)
    #expect(try permissions(folder.path(of: "other")) == 0o600)
    #expect(folder.files("") == ["file", "other"])
  }

  @Test("are replaced where a link leads, which may be nowhere yet")
  func replacedThroughLink() throws {
    #expect(symlink("target", folder.path(of: "link")) == 0)
    try FileSystem.replace(folder.path(of: "link"), with: [1])
    try FileSystem.replace(folder.path(of: "link"), with: [2])
    #expect(FileSystem.isLink(folder.path(of: "link")))
    #expect(try FileSystem.contents(of: folder.path(of: "target")) == [2])
  }

  @Test("aren't replaced in part: what wasn't committed leaves nothing behind")
  func uncommitted() throws {
    let path = try folder.write("old", to: "file")
    do {
      let replacement = try FileReplacement(of: path)
      try FileDescriptor.write(Array("new".utf8), to: replacement.descriptor)
      #expect(folder.files("").count == 2)
    }
    #expect(try folder.read("file") == "old")
    #expect(folder.files("") == ["file"])
  }

  @Test("aren't replaced if they are folders or devices, or in a folder that doesn't exist")
  func notReplaced() throws {
    for path in [folder.path, "/dev/null"] {
      #expect(throws: SystemCallError.notRegularFile) { try FileSystem.replace(path, with: []) }
    }
    let error = #expect(throws: SystemCallError.self) {
      try FileSystem.replace(folder.path(of: "none/file"), with: [])
    }
    #expect(error?.isMissingFile == true)
  }

  // MARK: - Folders

  @Test("are in folders that are made with those above them")
  func folders() throws {
    let path = folder.path(of: "a/b")
    try FileSystem.makeFolder(path, mode: 0o700)
    try FileSystem.makeFolder(path, mode: 0o700)
    #expect(FileSystem.kind(of: path) == .folder)
    #expect(try permissions(folder.path(of: "a")) == 0o700)
    let file = try folder.write("", to: "file")
    #expect(throws: SystemCallError.self) { try FileSystem.makeFolder(file + "/b") }
  }
}

@Suite("Threads")
struct SystemThreadTests {
  @Test("run a function, and receive no signals")
  func isBlocked() async throws {
    let isBlocked = try await withCheckedThrowingContinuation { continuation in
      do {
        try SystemThread.start {
          var blocked = sigset_t()
          pthread_sigmask(SIG_BLOCK, nil, &blocked)
          continuation.resume(returning: sigismember(&blocked, SIGINT) == 1)
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
    #expect(isBlocked)
  }
}
