import Testing

@Suite("Expectations of what a function prints")
struct OutputExpectationTests {
  @Test("look at the output of the function alone, however it is written")
  func output() async throws {
    let run = try TestRun(
      """
      scenario("prints", function()
        print("before")
        local a, b = expect.output(function() print("one", 2) io.write("no end") return 5, nil end, "one\\t2\\nno end")
        expect.equal(a, 5)
        expect.output(function() task.sleep(1) print("12 items") end, "^%d+ items\\n$")
        expect.output(function() os.execute("echo from a process") end, "from a process")
        expect.output(function() show({ 1, 2 }) end, "{ 1, 2 }")
        expect.output(function() end, "^$")
        expect.output(function() end, "")
      end)
      """)
    #expect(try await run().status == .exited(0))
  }

  @Test("show the output that differs")
  func failures() async throws {
    let run = try TestRun(
      """
      scenario("differs", function() print("bread") expect.output(function() print("milk") end, "bread") end)
      scenario("pattern", function() expect.output(function() print("[") end, "[") end)
      scenario("nothing", function() expect.output(function() print("x") end, "") end)
      scenario("none", function() expect.output("x", "y") end)
      scenario("no text", function() expect.output(print) end)
      """)
    let result = try await run()
    #expect(result.status == .exited(1))
    #expect(result.output.contains("the output differs"))
    #expect(result.output.contains("- bread"))
    #expect(result.output.contains("+ milk"))
    #expect(result.output.contains("expect.output needs a function, not a string"))
    #expect(result.output.contains("expect.output needs a text or a pattern"))
    #expect(result.output.contains("1 passed, 4 failed"))
  }
}
