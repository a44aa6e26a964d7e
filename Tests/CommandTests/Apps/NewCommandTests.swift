import Foundation
import Testing
import TestSupport

@Suite("The new command")
struct NewCommandTests {
  private let folder: TemporaryFolder
  private let runner: CommandRunner

  init() throws {
    folder = try TemporaryFolder()
    runner = CommandRunner(workingDirectory: folder.path)
  }

  @Test("writes an app with scenarios and definitions, and says what to type next")
  func writes() async throws {
    let result = try await runner.run(["new", "shop"])
    #expect(
      result.output == """
        wrote shop/shop.lua
        wrote shop/shop.scenario.lua
        wrote shop/.luarc.json
        wrote shop/.luals/primerepl.lua

        Next:
          cd shop
          primerepl --app shop.lua       opens a prompt with the app
          primerepl test --app shop.lua  runs its scenarios

        """)
    #expect(result.error == "")
    #expect(result.status == .exited(0))
    #expect(
      folder.files("shop")
        == [".luals", ".luals/primerepl.lua", ".luarc.json", "shop.lua", "shop.scenario.lua"])
    #expect(
      try folder.read("shop/shop.lua").hasPrefix("#!/usr/bin/env -S primerepl --app\n"))
    #expect(FileManager.default.isExecutableFile(atPath: folder.path(of: "shop/shop.lua")))
    #expect(!FileManager.default.isExecutableFile(atPath: folder.path(of: "shop/.luarc.json")))
    let definitions = try folder.read("shop/.luals/primerepl.lua")
    #expect(definitions.contains("---@class module.cart\n"))
    #expect(definitions.contains("---@field total "))
    #expect(
      definitions.contains("---@return cart.item\nfunction cart.add(name, price, quantity) end\n"))
    #expect(definitions.contains("\nfunction feature(name) end\n"))
    #expect(definitions.contains("\nfunction scenario(name, options, fn) end\n"))
    #expect(LuaAnnotations(definitions).problems == [])
  }

  @Test(
    "refuses names that aren't those of variables",
    arguments: ["Shop", "end", "../shop", "größe"])
  func names(name: String) async throws {
    let result = try await runner.run(["new", name])
    #expect(
      result.error
        == "primerepl: an app's name is a Lua name of small letters, digits and underscores, such as shop, not '\(name)'\n"
    )
    #expect(result.status == .exited(64))
    #expect(folder.files("") == [])
  }

  @Test(
    "leaves a folder alone that has one of the files",
    arguments: ["shop.lua", "shop.scenario.lua", ".luarc.json"])
  func existing(name: String) async throws {
    try folder.makeFolder("shop")
    _ = try folder.write("mine", to: "shop/\(name)")
    let result = try await runner.run(["new", "shop"])
    #expect(result.output == "")
    #expect(result.error == "primerepl: shop/\(name) is there already; nothing was written\n")
    #expect(result.status == .exited(1))
    #expect(folder.files("shop") == [name])
  }

  @Test("writes into a folder with other files, and says why it can't")
  func folders() async throws {
    try folder.makeFolder("shop")
    _ = try folder.write("mine", to: "shop/README.md")
    #expect(try await runner.run(["new", "shop"]).status == .exited(0))
    _ = try folder.write("", to: "file")
    let file = try await runner.run(["new", "file"])
    #expect(file.error == "primerepl: file is a file, not a folder\n")
    #expect(file.status == .exited(1))
    let missing = try await runner.run(["new"])
    #expect(missing.error == "primerepl: Missing expected argument '<name>'\n")
    #expect(missing.status == .exited(64))
  }
}
