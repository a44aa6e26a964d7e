import Foundation
import TestSupport
import Testing

@testable import Domain
@testable import StateStore

@Suite("Paths")
struct FilePathTests {
  @Test(
    "mean the folder of HOME by ~, and by nothing else",
    arguments: [
      ("~", "/home/ann"), ("~/", "/home/ann/"), ("~/a/b", "/home/ann/a/b"), ("~bob", "~bob"),
      ("~bob/x", "~bob/x"), ("a/~", "a/~"), ("./~/x", "./~/x"), ("", ""), (" ~", " ~"),
    ])
  func home(text: String, path: String) throws {
    #expect(try StateStore.FilePath.expanding(text, home: "/home/ann") == path)
  }

  @Test("with ~ are an error without HOME")
  func noHome() {
    #expect(throws: StateStore.FilePath.Problem.noHome) {
      try StateStore.FilePath.expanding("~/x", home: nil)
    }
  }

  @Test("are limited to the system's length, and contain no zero byte")
  func limits() throws {
    let longest = String(repeating: "x", count: StateStore.FilePath.maximumLength)
    #expect(try StateStore.FilePath.expanding(longest) == longest)
    for text in [longest + "x", "~/" + longest, "~" + String(repeating: "x", count: 5_000_000)] {
      #expect(throws: StateStore.FilePath.Problem.tooLong) {
        try StateStore.FilePath.expanding(text, home: "/home")
      }
    }
    #expect(throws: StateStore.FilePath.Problem.hasZero) {
      try StateStore.FilePath.expanding("a\0b")
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
    #expect(StateStore.FilePath.folder(of: path).isExactly(folder))
    #expect(StateStore.FilePath.name(of: path).isExactly(name))
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
