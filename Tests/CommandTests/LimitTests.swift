import Testing

@Suite("The command's limits and sandbox")
struct LimitTests {
  @Test("--max-time stops code that takes longer, whatever it catches, with status 1")
  func time() async throws {
    let result = try await CommandRunner().run([
      "--max-time", "0.1", "-e", "while true do pcall(function() while true do end end) end",
    ])
    #expect(
      result.error.hasPrefix("primerepl: stopped: it took more than its limit of 0.1 seconds"))
    #expect(result.status == .exited(1))
  }

  @Test("--max-time stops subscribers that change what they observe for ever, and says so once")
  func timeOfSubscribers() async throws {
    let result = try await CommandRunner().run([
      "--max-time", "0.3", "-e",
      """
      store.subscribe("counter.count", function() counter.increment() counter.increment() end)
      counter.increment()
      """,
    ])
    #expect(
      result.error.hasPrefix("primerepl: stopped: it took more than its limit of 0.3 seconds"))
    #expect(result.error.components(separatedBy: "primerepl: ").count == 2)
    #expect(result.status == .exited(1))
  }

  @Test("--max-time stops a script that waits")
  func timeOfWaiting() async throws {
    let result = try await CommandRunner().run(
      ["--max-time", "0.1"], input: "while true do pcall(task.sleep, 3600) end")
    #expect(result.error.contains("it took more than its limit"))
    #expect(result.status == .exited(1))
  }

  @Test("--max-time stops a task that nobody waits for")
  func timeOfTask() async throws {
    let result = try await CommandRunner().run([
      "--max-time", "0.1", "-e", "task.spawn(task.sleep, 3600)",
    ])
    #expect(result.error.contains("it took more than its limit"))
    #expect(result.status == .exited(1))
  }

  @Test(
    "--max-memory makes code that needs more fail with status 1",
    arguments: ["4M", "4096K", "4194304"])
  func memory(size: String) async throws {
    let result = try await CommandRunner().run([
      "--max-memory", size, "-e", "local t = {} for i = 1, 1e7 do t[i] = {} end",
    ])
    #expect(result.error.hasPrefix("primerepl: not enough memory"))
    #expect(result.status == .exited(1))
  }

  @Test("code can catch that memory is short, and go on")
  func memoryCaught() async throws {
    let result = try await CommandRunner().run([
      "--max-memory", "4M", "-e", "print(pcall(string.rep, 'x', 1e8)) print(counter.increment())",
    ])
    #expect(result.output == "false\tnot enough memory\n1\n")
    #expect(result.status == .exited(0))
  }

  @Test(
    "limits that can't be are refused with status 64",
    arguments: [
      ["--max-time", "0"], ["--max-time", "-1"], ["--max-time", "soon"], ["--max-time", "nan"],
      ["--max-memory", "0"], ["--max-memory", "-4M"], ["--max-memory", "4T"],
      ["--max-memory", "99999999999G"], ["--max-memory", "M"],
    ])
  func malformed(arguments: [String]) async throws {
    let result = try await CommandRunner().run(arguments + ["-e", "print(1)"])
    #expect(result.output == "")
    #expect(result.status == .exited(64))
  }

  @Test("--sandbox runs code without what reaches outside, but with the app")
  func sandbox() async throws {
    let result = try await CommandRunner().run([
      "--sandbox", "-e", "print(io, debug, os.execute, os.getenv, dofile, counter.increment())",
    ])
    #expect(result.output == "nil\tnil\tnil\tnil\tnil\t1\n")
    #expect(result.status == .exited(0))
  }

  @Test("in the sandbox the app reads no files and addresses for the script")
  func sandboxedSources() async throws {
    let result = try await CommandRunner().run([
      "--sandbox", "-e",
      """
      for _, fetch in ipairs({ todo.fetch, persons.fetch, landmarks.load }) do
        local ok, e = pcall(fetch, '/etc/passwd')
        print(ok, e.code)
        fetch()
      end
      print(#todo.items, #persons, #landmarks.all)
      """,
    ])
    #expect(
      result.output
        == String(repeating: "false\tsource_not_allowed\n", count: 3) + "2\t3\t12\n")
  }

  @Test("a sandboxed script can't load modules from files")
  func sandboxedRequire() async throws {
    let result = try await CommandRunner().run(["--sandbox", "-l", "anything"])
    #expect(result.error.contains("module 'anything' not found"))
    #expect(result.status == .exited(1))
  }
}
