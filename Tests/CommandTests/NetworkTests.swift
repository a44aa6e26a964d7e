import FlyingFox
import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("The command and the network", .timeLimit(.minutes(10)))
struct NetworkTests {
  /// Every function that sends a request, given the address of a server.
  private static func requests(to address: String) -> String {
    """
    local calls = {
      function() wolfram.query("stolen data") end, function() wolfram.short_answer("stolen data") end,
      function() wolfram.nth_prime(3) end, function() counter.ask_nth_prime{source = "wolfram"} end,
      function() todo.fetch("\(address)") end, function() persons.fetch("\(address)") end,
      function() landmarks.load("\(address)") end, function() store.import("\(address)") end,
      function() http.get("\(address)") end, function() http.post("\(address)", "stolen data") end,
      function() http.request{url = "\(address)"} end,
      function() store.new().todo.fetch("\(address)") end, function() store.new().wolfram.query("x") end,
    }
    counter.count = 3
    for _, call in ipairs(calls) do
      local ok, e = pcall(call)
      print(ok or e.code)
    end
    """
  }

  @Test("no function sends a request in the sandbox")
  func sandbox() async throws {
    try await StandInServer.run(.text("[]")) { server in
      let runner = CommandRunner(
        environment: ["WOLFRAM_APP_ID": "ID", "PRIMEREPL_WOLFRAM_URL": server.url.absoluteString])
      let script = Self.requests(to: server.url.absoluteString)
      let result = try await runner.run(["--sandbox", "-e", script])
      let wolfram = String(repeating: "not_allowed\n", count: 4)
      let sources = String(repeating: "source_not_allowed\n", count: 8)
      #expect(result.output == wolfram + sources + "not_allowed\n")
      #expect(result.status == .exited(0))
      #expect(server.requestCount == 0)
    }
  }

  @Test("--allow-network lets the sandbox send requests, and read no files")
  func allowedNetwork() async throws {
    try await StandInServer.run(.text("[]")) { server in
      let runner = CommandRunner(
        environment: ["WOLFRAM_APP_ID": "ID", "PRIMEREPL_WOLFRAM_URL": server.url.absoluteString])
      let result = try await runner.run([
        "--sandbox", "--allow-network", "-e", Self.requests(to: server.url.absoluteString),
        "-e", "print(select(2, pcall(todo.fetch, '/etc/passwd')).code)",
        "-e", "print(select(2, pcall(store.export, '/tmp/x')).code, io)",
      ])
      #expect(!result.output.contains("\nnot_allowed"))
      #expect(result.output.hasSuffix("source_not_allowed\nexport_not_allowed\tnil\n"))
      #expect(server.requestCount >= 11)
    }
  }

  @Test(
    "requests for which no file descriptor is left fail with an error, and the process continues")
  func descriptors() async throws {
    let script = """
      local url = "URL"
      local codes, tasks = {}, {}
      for i = 1, 30 do
        tasks[i] = task.spawn(function() codes[select(2, pcall(todo.fetch, url)).code] = true end)
      end
      while not next(codes) do task.sleep(0.01) end
      for _, fetch in ipairs(tasks) do fetch:cancel() end
      print(next(codes), select(2, pcall(todo.fetch, "http://127.0.0.1:1/")).code)
      """
    try await RawServer.run(.hang) { server in
      let script = script.replacing("URL", with: "\(server.url)/")
      let result = try await CommandRunner(preparation: "ulimit -n 20").run(["-e", script])
      #expect(result.output == "source_http_unavailable\tsource_connection_failed\n")
      #expect(result.error == "")
      #expect(result.status == .exited(0))
    }
  }

  @Test("libraries for requests are loaded at the first request")
  func libraries() async throws {
    let script = """
      local function isLoaded()
        for line in io.lines("/proc/self/maps") do if line:find("libcurl", 1, true) then return true end end
        return false
      end
      print(isLoaded())
      pcall(todo.fetch, "http://127.0.0.1:1/")
      print(isLoaded())
      """
    #expect(try await CommandRunner().run(["-e", script]).output == "false\ntrue\n")
  }

  @Test("a thousand fetches at once take turns")
  func manyFetches() async throws {
    try await StandInServer.run(.text("[]")) { server in
      let result = try await CommandRunner().run([
        "-e",
        """
        local tasks, done, cancelled = {}, 0, 0
        for i = 1, 1000 do tasks[i] = task.spawn(landmarks.load, "\(server.url)/" .. i) end
        for i = 500, 1000 do tasks[i]:cancel() end
        for i = 1, 1000 do
          local ok, e = pcall(tasks[i].await, tasks[i])
          if ok then done = done + 1 elseif e.code == "cancelled" then cancelled = cancelled + 1 else print(e) end
        end
        -- A task that had its answer before it was cancelled is done.
        print(done >= 499, cancelled > 0, done + cancelled)
        """,
      ])
      #expect(result.output == "true\ttrue\t1000\n")
    }
  }

  @Test("waiting for a silent server takes no processor time")
  func silence() async throws {
    try await RawServer.run(.hang) { server in
      let result = try await CommandRunner().run([
        "-e",
        """
        pcall(task.timeout, 0.1, todo.fetch, "\(server.url)/")
        local start = os.clock()
        print(select(2, pcall(task.timeout, 1, todo.fetch, "\(server.url)/")).code, os.clock() - start < 0.2)
        """,
      ])
      #expect(result.output == "timeout\ttrue\n")
    }
  }

  @Test("Ctrl-C ends a request")
  func interrupt() async throws {
    try await RawServer.run(.hang) { server in
      let code = "print('ready') while true do pcall(http.get, '\(server.url)/') end"
      try await PseudoTerminal.run(["-e", code]) { terminal in
        try await terminal.expect("ready\n")
        #expect(try await terminal.expectExit(after: "\u{03}") == .exited(130))
      }
    }
  }

  // Tests of the libraries have all of Foundation, which encodes such names.
  @Test("the name of a server must be ASCII", arguments: ["http.get", "landmarks.load"])
  func foreignName(function: String) async throws {
    let code = "local _, e = pcall(\(function), 'http://bücher.invalid:81/ä b') print(e.code, e)"
    let result = try await CommandRunner().run(["-e", code])
    let message = "the server's name isn't ASCII: write it in its ASCII form (xn--...)"
    #expect(
      result.output.hasPrefix("source_bad_address\thttp://bücher.invalid:81/ä b: \(message)"))
  }
}
