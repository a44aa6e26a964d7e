import Foundation
import PrimereplPlatform
import Testing
import TestSupport

@Suite("Paths")
struct FilePathTests {
  @Test(
    "have HOME's folder for a leading ~/, and for nothing else",
    arguments: [
      ("~", "/home/ann"), ("~/", "/home/ann/"), ("~/a/b", "/home/ann/a/b"), ("~bob", "~bob"),
      ("~bob/x", "~bob/x"), ("a/~", "a/~"), ("./~/x", "./~/x"), ("", ""), (" ~", " ~"),
    ])
  func home(text: String, path: String) throws {
    #expect(try FilePath.expanding(text, home: "/home/ann") == path)
  }

  @Test("with ~ are an error without HOME")
  func noHome() {
    #expect(throws: FilePath.Problem.noHome) {
      try FilePath.expanding("~/x", home: nil)
    }
  }

  @Test("are at most as long as the system allows, and contain no zero byte")
  func limits() throws {
    let longest = String(repeating: "x", count: FilePath.maximumLength)
    #expect(try FilePath.expanding(longest) == longest)
    for text in [longest + "x", "~/" + longest, "~" + String(repeating: "x", count: 5_000_000)] {
      #expect(throws: FilePath.Problem.tooLong) {
        try FilePath.expanding(text, home: "/home")
      }
    }
    #expect(throws: FilePath.Problem.hasZero) {
      try FilePath.expanding("a\0b")
    }
  }

  @Test(
    "consist of a folder and a name",
    arguments: [
      ("a", ".", "a"), ("/a", "/", "a"), ("a/b", "a", "b"), ("/a/b/", "/a", "b"),
      ("a//b", "a", "b"),
      ("/", "/", "/"), ("//", "/", "//"), ("é/\u{301}b", "é", "\u{301}b"), ("..", ".", ".."),
    ])
  func parts(path: String, folder: String, name: String) {
    #expect(FilePath.folder(of: path).isExactly(folder))
    #expect(FilePath.name(of: path).isExactly(name))
  }

  @Test("are resolved through links, even to missing files")
  func resolved() throws {
    let folder = try TemporaryFolder()
    let root = try #require(FileSystem.realPath(of: folder.path))
    #expect(FileSystem.resolved(folder.path(of: "a/b/c")) == root + "/a/b/c")
    #expect(symlink("b/c", folder.path(of: "link")) == 0)
    #expect(FileSystem.resolved(folder.path(of: "link")) == root + "/b/c")
    #expect(symlink("loop", folder.path(of: "loop")) == 0)
    #expect(FileSystem.resolved(folder.path(of: "loop")).hasPrefix(root))
  }

  @Test("of any depth are resolved quickly")
  func deep() {
    let path = String(repeating: "/a", count: 2_000)
    let cost = ThreadTime.measure { #expect(FileSystem.resolved(path) == path) }
    #expect(cost < .seconds(5))
  }
}
