import Testing
import TestSupport

@testable import PrimereplTerminal

@MainActor
@Suite("Errors: the calls that led there")
struct TracebackTests {
  private let session: ErrorSession

  init() throws { session = try ErrorSession() }

  @Test("are left out if the only code is the input itself")
  func mainChunk() async throws {
    let report = try await session.report(on: "pcall(print) error('boom')")
    #expect(report.text == "boom")
    #expect(report.fullTraceback?.contains("main chunk") == true)
  }

  @Test("name a function of the same block by its line")
  func sameBlock() async throws {
    #expect(
      try await session.text(of: "local function f()\n  error('boom')\nend\nf()") == """
        input 2:2: boom
            error('boom')
            ^^^^^
          in function 'f' (input 2:2)
        """)
  }

  @Test("include functions without a name")
  func unnamed() async throws {
    #expect(
      try await session.text(of: "table.sort({1, 2}, function() error('boom') end)")
        == "boom\n  in a function (input 2:1)")
  }

  @Test("show a function that calls itself once")
  func repetition() async throws {
    try await session.run(
      "function down(n) if n == 0 then error('end') end return 1 + down(n - 1) end")
    #expect(
      try await session.text(of: "down(199)") == """
        input 1:1: end
          function down(n) if n == 0 then error('end') end return 1 + down(n - 1) end
                                          ^^^^^
          in function 'down' (input 1:1)
          ... 199 more
        """)
  }

  @Test("show functions that call each other once")
  func mutualRecursion() async throws {
    try await session.run(
      "function ping() return 1 + pong() end function pong() return 1 + ping() end")
    let text = try await session.text(of: "ping()")
    let lines = text.split(separator: "\n")
    #expect(lines.count == 6)
    #expect(text.contains("in function 'ping' (input 1:1)\n"))
    #expect(text.contains("in function 'pong' (input 1:1)\n"))
    #expect(lines.last?.hasPrefix("  ... ") == true && lines.last?.hasSuffix(" more") == true)
  }

  @Test("are at most ten lines, and the number of others")
  func many() {
    let frames = (1...30).map { "\tinput 1:\($0): in function 'f\($0)'\n" }.joined()
    let calls = Traceback("stack traceback:\n" + frames, isOwn: { $0 != "[C]" }).ownCalls()
    #expect(calls.count == 11)
    #expect(calls.last == "... 20 more")
  }

  @Test("of endless recursion are its functions, and the number of the others")
  func endlessRecursion() async throws {
    let text = try await session.text(of: "pcall(print) function f() return 1 + f() end f()")
    #expect(text.contains(/\n  in function 'f' \(input 2:1\)\n  ... \d+,\d+ more$/))
  }

  @Test(
    "nonsense in place of a traceback shows nothing",
    arguments: [
      "", "stack traceback:", "\n\n", "x\ny: in \n", "stack traceback:\n\t...\t(skipping x levels)",
    ])
  func nonsense(text: String) {
    #expect(Traceback(text, isOwn: { $0.hasPrefix("input ") }).ownCalls().isEmpty)
  }
}

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
