import Testing
import TestSupport

@testable import PrimereplTerminal

@MainActor
@Suite("Errors: the code around them")
struct SourceTextsTests {
  @Test("is that of files, under the names to which Lua shortens long paths")
  func longPath() {
    let sources = SourceTexts(readsFiles: false)
    let path = "/" + String(repeating: "folder/", count: 20) + "script.lua"
    sources.add("code", ofFile: path)
    #expect(sources["..." + path.suffix(56)] == "code")
    #expect(sources[path] == nil)
  }

  @Test("is read from files unless that isn't allowed")
  func files() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("code", to: "module.lua")
    #expect(SourceTexts(readsFiles: true)[path] == "code")
    #expect(SourceTexts(readsFiles: false)[path] == nil)
    #expect(SourceTexts(readsFiles: true)[folder.path] == nil)
  }

  @Test(
    "is found by the place that a message begins with",
    arguments: [
      ("input 12:3: text", "input 12", 3, "text"),
      ("a:b.lua:7: x:8: y", "a:b.lua", 7, "x:8: y"),
      ("(command line):1: ", "(command line)", 1, ""),
    ])
  func place(message: String, chunk: String, line: Int, text: String) throws {
    let (place, rest) = try #require(SourcePlace.split(message[...]))
    #expect((place.chunk, place.line, String(rest)) == (chunk, line, text))
  }

  @Test(
    "isn't found without one",
    arguments: ["", ":1: x", "text", "x:0: y", "a\nb:1: c", "x:99999999999999999999: y", "x:1:y"])
  func noPlace(message: String) {
    #expect(SourcePlace.split(message[...]) == nil)
  }
}
