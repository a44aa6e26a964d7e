import Foundation
import Testing
import TestSupport

/// Commands that leave a process running, whose number they write to the file `child`.
private let backgroundCommands: [String] = [
  "sleep 1000 & echo $! >child", "setsid sleep 1000 & echo $! >child",
  "nohup sleep 1000 >/dev/null 2>&1 & echo $! >child",
  "sh -c 'sh -c \"sleep 1000 & echo \\$! >child\"'",
]

@Suite("Scenarios in processes of their own")
struct TestIsolationTests {
  @Test("A scenario whose process crashes fails, and the others run")
  func crash() async throws {
    let run = try TestRun(
      """
      scenario("before", function() end)
      scenario("killed", function() io.write("so far") io.flush() os.execute("kill -9 $PPID") end)
      scenario("after", function() end)
      scenario("ended", function() os.execute("kill -TERM $PPID; sleep 1") end)
      scenario("last", function() end)
      """)
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
    let run = try TestRun(
      """
      property("p", { actions = { "counter" }, runs = 3, seed = 5 }, function()
        os.execute("kill -9 $PPID")
      end)
      """)
    #expect(
      try await run.report().messages(of: "p") == [
        "its process ended (signal 9, Killed)\nrun 1 of 3 (seed = 5)"
      ])
  }

  @Test("A folder of a scenario that crashed is removed, too")
  func foldersAfterCrash() async throws {
    let run = try TestRun(#"scenario("killed", function() tmp() os.execute("kill -9 $PPID") end)"#)
    let temporary = try TemporaryFolder()
    let report = try await run.with(environment: ["TMPDIR": temporary.path]).report()
    #expect(report.outcomes == ["killed: failed"])
    #expect(temporary.files("") == [])
  }

  @Test("A scenario that never ends in a function that can't be stopped is ended")
  func unstoppable() async throws {
    let run = try TestRun(
      """
      scenario("endless", { timeout = 0.1 }, function()
        ("a"):rep(40):find(("a*"):rep(40) .. "b")
      end)
      scenario("after", function() end)
      """)
    let report = try await run.report()
    #expect(report.outcomes == ["endless: failed", "after: passed"])
    #expect(report.results[0].failures.first?.kind == "timeout")
    #expect(report.messages(of: "endless")[0].hasSuffix("in a function that can't be stopped"))
  }

  #if os(Linux)
    @Test(
      "A process that ends while it has nothing to do is replaced, also if it gets a request meanwhile",
      arguments: ["KILL", "STOP"])
    func idleCrash(signal: String) async throws {
      let run = try TestRun([
        "a.scenario.lua": """
        -- Kills or stops the other process once it has listed the other file, and waits.
        if not io.open("found") then
          io.open("found", "w"):close()
          os.execute([[
            until [ -e listed ]; do sleep 0.05; done
            runner=$(cut -d' ' -f4 /proc/$PPID/stat)
            for status in /proc/[0-9]*/stat; do
              read -r process name state parent rest < "$status"
              [ "$parent" = "$runner" ] && [ "$process" != $PPID ] || continue
              # It may sleep for a moment before it has replied, but not each time that somebody looks.
              looks=0
              until [ $looks = 20 ]; do
                sleep 0.01
                read -r process name state rest < "$status"
                if [ "$state" = S ]; then looks=$((looks + 1)); else looks=0; fi
              done
              kill -\(signal) "$process"
              echo "$process" > other
            done
          ]])
        end
        scenario("case 1", function() os.execute("sleep 0.05; kill -9 $(cat other) 2>/dev/null") end)
        for number = 2, 4 do
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
      let run = try TestRun(
        """
        scenario("kills", function()
          os.execute("echo $PPID > process; kill -KILL $(cut -d' ' -f4 /proc/$PPID/stat)")
          while true do end
        end)
        """)
      #expect(try await run().status == .signaled(9))
      #expect(try await hasEnded("process", in: run))
    }

    @Test(
      "A scenario that waits for a process times out, and the process and those that it started end at once",
      arguments: [
        "io.popen('echo $$ >child; exec sleep 1000'):read()",
        "io.popen('cat; echo $$ >child; exec sleep 1000', 'w'):close()",
        "os.execute('setsid sleep 1000 & echo $! >child; wait')",
        "task.spawn(function() os.execute('echo $$ >child; sleep 1000') end):await()",
      ])
    func children(body: String) async throws {
      let run = try TestRun(
        """
        after(function() task.sleep(1) io.open("cleaned", "w"):close() end)
        scenario("a", function() \(body) end)
        """)
      let report = try await run.report("--timeout", "1")
      #expect(report.results.first?.failures.map(\.kind) == ["timeout"])
      #expect(report.messages(of: "a").first?.contains("can't be stopped") == false)
      #expect(try await hasEnded("child", in: run))
      #expect(run.folder.files("").contains("cleaned"))
    }

    @Test(
      "What a scenario left running ends with it, whatever its group or session",
      arguments: backgroundCommands)
    func background(command: String) async throws {
      let run = try TestRun(
        """
        scenario("a", function() os.execute([[\(command)]]) end)
        scenario("b", function()
          local command = io.open("/proc/" .. io.open("child"):read("l") .. "/cmdline")
          expect.falsy(command and command:read(1))
        end)
        """)
      #expect(try await run.report("--jobs", "1").outcomes == ["a: passed", "b: passed"])
    }

    @Test(
      "What a scenario left running ends with the run if its process crashes, or the run is interrupted",
      arguments: zip(backgroundCommands, [false, true, false, true]))
    func abandoned(command: String, isInterrupted: Bool) async throws {
      let kill = isInterrupted ? "kill -INT $(cut -d' ' -f4 /proc/$PPID/stat)" : "kill -9 $PPID"
      let run = try TestRun(
        """
        scenario("a", function() os.execute([[\(command)]]) os.execute([[\(kill)]]) while true do end end)
        """)
      #expect(try await run.report().output.status == .exited(isInterrupted ? 130 : 1))
      #expect(try await hasEnded("child", in: run))
    }

    @Test(
      "A pipe that a scenario left open keeps neither its end nor the next scenario waiting",
      arguments: [
        "io.popen('sleep 1000')", "io.popen('sleep 1000', 'w'):write('x')",
        "io.popen('true', 'w'):write('x')",
      ])
    func openPipe(body: String) async throws {
      let run = try TestRun("scenario('a', function() \(body) end) scenario('b', function() end)")
      #expect(try await run.report("--jobs", "1").outcomes == ["a: passed", "b: passed"])
    }

    @Test("A process that runs many scenarios doesn't grow with their number")
    func growth() async throws {
      let run = try TestRun(
        """
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
        """)
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

  @Test("What a scenario sets for the whole process isn't there in the next one")
  func locale() async throws {
    let run = try TestRun(
      """
      scenario("sets", function() assert(os.setlocale("C.UTF-8")) end)
      scenario("has none", function() expect.equal(os.setlocale(nil), "C") end)
      """)
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
    let run = try TestRun(
      """
      scenario("a", function()
        print("printed") io.write("written ") io.stderr:write("error ") os.execute("echo child")
      end)
      scenario("b", function() print("b") end)
      """)
    let report = try await run.report()
    #expect(report.results[0].output.contains("printed\n"))
    for word in ["written ", "error ", "child\n"] {
      #expect(report.results[0].output.contains(word))
    }
    #expect(report.results[1].output == "b\n")
    #expect(report.output.error.isEmpty)
    #expect(try await !run().output.contains("printed"))
    #expect(try await run("--verbose").output.contains("| printed"))
  }

  @Test("What a file writes as it is loaded belongs to each of its scenarios, once")
  func outputOfFile() async throws {
    let run = try TestRun(
      "print('loaded') scenario('a', function() end) scenario('b', function() end)")
    let report = try await run.report("--jobs", "1")
    #expect(report.results.map(\.output) == ["loaded\n", "loaded\n"])
  }

  @Test("10 MB of output are cut")
  func muchOutput() async throws {
    let run = try TestRun("scenario('a', function() io.write(('x'):rep(10 << 20)) end)")
    let report = try await run.report()
    #expect(report.outcomes == ["a: passed"])
    #expect(report.output.outputBytes.count < 1 << 20)
  }
}
