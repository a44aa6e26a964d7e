import PrimereplPlatform
import Testing

@testable import Console
@testable import PrimereplTerminal

@Suite("The files of an app")
struct AppFilesTests {
  @Test(
    "name the app, by the first",
    arguments: [
      ("shop.lua", "shop"), ("./a/my_shop.lua", "my_shop"), ("/a.lua/shop", "shop"),
      ("shop.LUA", "shop.LUA"), ("a.b.lua", "a.b"), (".lua", ".lua"), ("..lua", "..lua"),
      ("...lua", "...lua"),
    ])
  func name(path: String, name: String) {
    #expect(AppFiles(paths: [path, "other.lua"], isBare: false).name == name)
  }

  @Test("have a key by the path of the first, whichever way that is written")
  func key() {
    func key(_ paths: String...) -> String { AppFiles(paths: paths, isBare: false).key }
    #expect(key("a/shop.lua").hasPrefix("shop-"))
    #expect(key("a/shop.lua") != key("b/shop.lua"))
    #expect(key("a/shop.lua") == key("./a/shop.lua", "other.lua"))
    #expect(key("a/shop.lua") == key(FileSystem.resolved("a/shop.lua")))
  }

  @Test("are options of commands, which aren't taken for others")
  func arguments() {
    #expect(
      AppFiles(paths: ["a.lua", "-b.lua"], isBare: true).arguments
        == ["--app", "a.lua", "--app=-b.lua", "--bare"])
    let folder = FileSystem.resolved(".")
    #expect(
      AppFiles(paths: ["a.lua", "b/c.lua", "\(folder)2/d.lua"], isBare: false)
        .arguments(in: folder)
        == ["--app", "a.lua", "--app", "b/c.lua", "--app", "\(folder)2/d.lua"])
  }

  @Test(
    "are parsed by the subcommand that they precede",
    arguments: [
      (["--app", "a", "test", "-j", "2"], ["test", "--app", "a", "-j", "2"]),
      (["--app=a", "--bare", "--app", "b", "docs"], ["docs", "--app=a", "--bare", "--app", "b"]),
      (["--app", "a", "help", "test"], ["help", "test"]),
      (["--app", "a", "new", "b"], ["new", "b"]),
      (["test", "--app", "a"], ["test", "--app", "a"]), (["--app"], ["--app"]),
      (["--app", "test"], ["--app", "test"]), (["--app", "a", "b.lua"], ["--app", "a", "b.lua"]),
      (["--app", "a", "-q", "test"], ["--app", "a", "-q", "test"]), ([], []),
    ])
  func subcommands(arguments: [String], expected: [String]) {
    #expect(AppOptions.behindSubcommand(in: arguments) == expected)
  }
}
