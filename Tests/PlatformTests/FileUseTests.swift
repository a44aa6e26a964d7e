import Foundation
import PrimereplPlatform
import Testing
import TestSupport

@Suite("The use of a database file")
struct FileUseTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write("content", to: "file")
  }

  @Test("detects other uses of the file, until they end")
  func others() throws {
    let use = try FileUse(path: path)
    #expect(!use.hasOthers)
    var other: FileUse? = try FileUse(path: path)
    #expect(use.hasOthers)
    #expect(other?.hasOthers == true)
    other = nil
    #expect(!use.hasOthers)
  }

  @Test("is known to this process until the last one ends, under any name of the file")
  func inUse() throws {
    #expect(!FileUse.isInUse(path))
    var uses: [FileUse] = try [FileUse(path: path), FileUse(path: path)]
    let link = folder.path(of: "link")
    try FileManager.default.linkItem(atPath: path, toPath: link)
    #expect(FileUse.isInUse(path) && FileUse.isInUse(link))
    uses.removeLast()
    #expect(FileUse.isInUse(path))
    uses.removeLast()
    #expect(!FileUse.isInUse(path))
  }

  @Test("is of the file, and not of another one that takes its place")
  func replaced() throws {
    let use = try FileUse(path: path)
    #expect(use.identity == FileIdentity(path: path))
    try FileSystem.rename(folder.write("other", to: "other"), to: path)
    #expect(use.identity != FileIdentity(path: path))
    #expect(!FileUse.isInUse(path))
  }
}
