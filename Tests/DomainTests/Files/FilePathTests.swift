import Foundation
import TestSupport
import Testing

@testable import Domain
@testable import StateStore
import Platform

@Suite("Paths")
struct FilePathTests {
  @Test(
    "mean the folder of HOME by ~, and by nothing else",
    arguments: [
      ("~", "/home/ann"), ("~/", "/home/ann/"), ("~/a/b", "/home/ann/a/b"), ("~bob", "~bob"),
      ("~bob/x", "~bob/x"), ("a/~", "a/~"), ("./~/x", "./~/x"), ("", ""), (" ~", " ~"),
    ])
  func home(text: String, path: String) throws {
    #expect(try Platform.FilePath.expanding(text, home: "/home/ann") == path)
  }

  @Test("with ~ are an error without HOME")
  func noHome() {
    #expect(throws: Platform.FilePath.Problem.noHome) {
      try Platform.FilePath.expanding("~/x", home: nil)
    }
  }

  @Test("are limited to the system's length, and contain no zero byte")
  func limits() throws {
    let longest = String(repeating: "x", count: Platform.FilePath.maximumLength)
    #expect(try Platform.FilePath.expanding(longest) == longest)
    for text in [longest + "x", "~/" + longest, "~" + String(repeating: "x", count: 5_000_000)] {
      #expect(throws: Platform.FilePath.Problem.tooLong) {
        try Platform.FilePath.expanding(text, home: "/home")
      }
    }
    #expect(throws: Platform.FilePath.Problem.hasZero) {
      try Platform.FilePath.expanding("a\0b")
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
    #expect(Platform.FilePath.folder(of: path).isExactly(folder))
    #expect(Platform.FilePath.name(of: path).isExactly(name))
  }

  @Test("are resolved through links, even to missing files")
  func resolved() throws {
    let folder = try TemporaryFolder()
    let root = try #require(realpath(folder.path))
    #expect(StateFile.resolved(folder.path(of: "a/b/c")) == root + "/a/b/c")
    #expect(symlink("b/c", folder.path(of: "link")) == 0)
    #expect(StateFile.resolved(folder.path(of: "link")) == root + "/b/c")
    #expect(symlink("loop", folder.path(of: "loop")) == 0)
    #expect(StateFile.resolved(folder.path(of: "loop")).hasPrefix(root))
  }

  @Test("of any depth are resolved quickly", .timeLimit(.minutes(5)))
  func deep() {
    let path = String(repeating: "/a", count: 2_000)
    #expect(StateFile.resolved(path) == path)
  }
}
