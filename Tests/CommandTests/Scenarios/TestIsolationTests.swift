import Foundation
import TestSupport
import Testing

@Suite("Scenarios in processes of their own")
struct TestIsolationTests {
  @Test("A scenario whose process crashes fails, and the others run")
  func crash() async throws {
    let run = try TestRun([
      "a.scenario.lua": """
      scenario("before", function() end)
      scenario("killed", function() io.write("so far") io.flush() os.execute("kill -9 $PPID") end)
      scenario("after", function() end)
      scenario("ended", function() os.execute("kill -TERM $PPID; sleep 1") end)
      scenario("last", function() end)
      """
    ])
    let report = try await run.report("--jobs", "1")
    #expect(
      report.outcomes == [
        "before: passed", "killed: failed", "after: passed", "ended: failed", "last: passed",
      ])
    #expect(report.messages(of: "killed") == ["its process ended (signal 9, Killed)"])
    #expect(report.results[1].output == "so far")
    #expect(report.results[1].failures.first?.kind == "crash")
  }

  @Test("A property whose process is killed reports its run and seed")
  func killedProperty() async throws {
    let run = try TestRun([
      "a.scenario.lua": """
      property("p", { actions = { "counter" }, runs = 3, seed = 5 }, function()
        os.execute("kill -9 $PPID")
      end)
      """
    ])
    #expect(
      try await run.report().messages(of: "p") == [
        "its process ended (signal 9, Killed)\nrun 1 of 3 (seed = 5)"
      ])
  }

  @Test("A folder of a scenario that crashed is removed, too")
  func foldersAfterCrash() async throws {
    let run = try TestRun([
      "a.scenario.lua": """
      scenario("killed", function() tmp() os.execute("kill -9 $PPID") end)
      """
    ])
    let temporary = try TemporaryFolder()
    let report = try await run.with(environment: ["TMPDIR": temporary.path]).report()
    #expect(report.outcomes == ["killed: failed"])
    #expect(temporary.files("") == [])
  }

  @Test("A scenario that never ends in a function that can't be stopped is ended")
  func unstoppable() async throws {
    let run = try TestRun([
      "a.scenario.lua": """
      scenario("endless", { timeout = 0.1 }, function()
        ("a"):rep(40):find(("a*"):rep(40) .. "b")
      end)
      scenario("after", function() end)
      """
    ])
    let report = try await run.report()
    #expect(report.outcomes == ["endless: failed", "after: passed"])
    #expect(report.results[0].failures.first?.kind == "timeout")
    #expect(report.messages(of: "endless")[0].hasSuffix("in a function that can't be stopped"))
  }

  #if os(Linux)
    @Test("A process that ends while it has nothing to do is replaced")
    func idleCrash() async throws {
      let run = try TestRun([
        "a.scenario.lua": """
        -- Kills the other process once it has listed the other file, and waits.
        if not io.open("killed") then
          io.open("killed", "w"):close()
          os.execute([[
            until [ -e listed ]; do sleep 0.05; done
            runner=$(cut -d' ' -f4 /proc/$PPID/stat)
            for status in /proc/[0-9]*/stat; do
              read -r process name state parent rest < "$status"
              [ "$parent" = "$runner" ] && [ "$process" != $PPID ] || continue
              until [ "$state" = S ]; do read -r process name state rest < "$status"; done
              kill -9 "$process"
            done
          ]])
        end
        for number = 1, 4 do
          scenario("case " .. number, function() os.execute("sleep 0.05") end)
        end
        """,
        "b.scenario.lua": "io.open('listed', 'w'):close() scenario('b', function() end)",
      ])
      let report = try await run.report("--jobs", "2")
      #expect(report.output.status == .exited(0))
      #expect(report.results.count == 5)
    }

    @Test("When the runner is killed, no process of its scenarios survives")
    func killedRunner() async throws {
      let run = try TestRun([
        "a.scenario.lua": """
        scenario("kills", function()
          os.execute("echo $PPID > process; kill -KILL $(cut -d' ' -f4 /proc/$PPID/stat)")
          while true do end
        end)
        """
      ])
      #expect(try await run().status == .signaled(9))
      #expect(try await hasEnded("process", in: run))
    }

    @Test(
      "The processes that a scenario started end with it when it is timed out, and when it crashes",
      arguments: [
        "io.popen('echo $$ >child; exec sleep 1000'):read()",
        "os.execute('echo $$ >child; sleep 1000')",
        "os.execute('sleep 1000 & echo $! >child; kill -9 $PPID')",
      ])
    func children(body: String) async throws {
      let run = try TestRun(["a.scenario.lua": "scenario('a', function() \(body) end)"])
      #expect(try await run.report("--timeout", "0.5").outcomes == ["a: failed"])
      #expect(try await hasEnded("child", in: run))
    }

    @Test("What a scenario left running in the background ends with the run")
    func background() async throws {
      let run = try TestRun([
        "a.scenario.lua": "scenario('a', function() os.execute('sleep 1000 & echo $! >child') end)"
      ])
      #expect(try await run.report().outcomes == ["a: passed"])
      #expect(try await hasEnded("child", in: run))
    }

    @Test("A process that runs many scenarios doesn't grow with their number")
    func growth() async throws {
      let run = try TestRun([
        "a.scenario.lua": """
        -- The process's memory in pages of 4 KiB.
        local function size()
          local file <close> = assert(io.open("/proc/self/statm"))
          return select(2, file:read("n", "n"))
        end
        for number = 1, 2000 do
          scenario("case " .. number, function()
            if number == 500 then assert(io.open("size", "w")):write(size()):close() end
            if number == 2000 then
              expect.truthy(size() - assert(io.open("size")):read("n") < 400)
            end
          end)
        end
        """
      ])
      let report = try await run.report("--jobs", "1")
      #expect(report.results.last?.outcome == "passed")
    }

    /// Whether the process whose number a file has ends.
    private func hasEnded(_ file: String, in run: TestRun) async throws -> Bool {
      let process = try run.folder.read(file).trimmingCharacters(in: .newlines)
      for _ in 1...200 {
        // A zombie, which the container's first process may never collect, has no command line.
        let commandLine = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
        if commandLine?.isEmpty != false { return true }
        try await Task.sleep(for: .milliseconds(50))
      }
      return false
    }
  #endif

  @Test("A file that never ends is reported, and the others run")
  func endlessFile() async throws {
    let run = try TestRun([
      "a.scenario.lua": "while true do end", "b.scenario.lua": "scenario('b', function() end)",
    ])
    let report = try await run.report("--timeout", "0.1")
    #expect(report.output.status == .exited(66))
    #expect(report.outcomes == ["b: passed"])
    #expect(report.problems.map(\.file) == ["a.scenario.lua"])
  }

  @Test("One of 20,000 scenarios of a file runs")
  func manyScenarios() async throws {
    let run = try TestRun([
      "a.scenario.lua": """
      for number = 1, 20000 do
        scenario("case " .. number, function() expect.equal(number, 19999) end)
      end
      """
    ])
    #expect(try await run.report("--filter", "case 19999").outcomes == ["case 19999: passed"])
  }

  @Test("What a scenario sets for the whole process isn't there in the next one")
  func locale() async throws {
    let run = try TestRun([
      "a.scenario.lua": """
      scenario("sets", function() assert(os.setlocale("C.UTF-8")) end)
      scenario("has none", function() expect.equal(os.setlocale(nil), "C") end)
      """
    ])
    #expect(
      try await run.report("--jobs", "1").outcomes == ["sets: passed", "has none: passed"])
  }

  @Test("os.exit while a file is loaded is reported, and the others run")
  func exitingFile() async throws {
    let run = try TestRun([
      "a.scenario.lua": "os.exit(0)", "b.scenario.lua": "scenario('b', function() end)",
    ])
    let report = try await run.report()
    #expect(report.output.status == .exited(66))
    #expect(report.outcomes == ["b: passed"])
    #expect(report.problems.map(\.message).first?.contains("os.exit(0)") == true)
  }

  @Test("All output is captured, that of child processes included, and belongs to its scenario")
  func output() async throws {
    let run = try TestRun([
      "a.scenario.lua": """
      scenario("a", function()
        print("printed") io.write("written ") io.stderr:write("error ") os.execute("echo child")
      end)
      scenario("b", function() print("b") end)
      """
    ])
    let report = try await run.report()
    #expect(report.results[0].output.contains("printed\n"))
    for word in ["written ", "error ", "child\n"] {
      #expect(report.results[0].output.contains(word))
    }
    #expect(report.results[1].output == "b\n")
    #expect(report.output.error.isEmpty)
  }

  @Test("What a file writes as it is loaded belongs to each of its scenarios, once")
  func outputOfFile() async throws {
    let run = try TestRun([
      "a.scenario.lua":
        "print('loaded') scenario('a', function() end) scenario('b', function() end)"
    ])
    let report = try await run.report("--jobs", "1")
    #expect(report.results.map(\.output) == ["loaded\n", "loaded\n"])
  }

  @Test("Output is shown for a scenario that fails, or with --verbose")
  func shownOutput() async throws {
    let run = try TestRun([
      "a.scenario.lua": """
      scenario("passes", function()
        print("quiet")
      end)

      scenario("fails", function()
        print("loud")
        error("x")
      end)
      """
    ])
    let output = try await run().output
    #expect(output.contains("loud") && !output.contains("quiet"))
    #expect(try await run("--verbose").output.contains("quiet"))
  }

  @Test("10 MB of output are cut")
  func muchOutput() async throws {
    let run = try TestRun([
      "a.scenario.lua": "scenario('a', function() io.write(('x'):rep(10 << 20)) end)"
    ])
    let report = try await run.report()
    #expect(report.outcomes == ["a: passed"])
    #expect(report.output.outputBytes.count < 1 << 20)
  }

  @Test("Modules beside the file are found from another working directory")
  func modules() async throws {
    let run = try TestRun()
    try FileManager.default.createDirectory(
      atPath: run.folder.path(of: "sub"), withIntermediateDirectories: true)
    _ = try run.folder.write("return 42", to: "sub/answer.lua")
    _ = try run.folder.write(
      "scenario('a', function() expect.equal(require('answer'), 42) end)",
      to: "sub/a.scenario.lua")
    #expect(try await run.report().outcomes == ["a: passed"])
  }
}
