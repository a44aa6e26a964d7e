import FlyingFox
import Foundation
import Testing
import TestSupport

@testable import PrimereplLoading

@Suite("A fetch", .timeLimit(.minutes(5)))
struct HTTPFetcherTests {
  private let clock = RecordingClock()

  private func fetcher(
    timeout: Duration = .seconds(3600), maximumSize: Int = 1_000,
    redirects: RedirectPolicy = .sameServer
  ) -> HTTPFetcher {
    HTTPFetcher(timeout: timeout, maximumSize: maximumSize, redirects: redirects, clock: clock)
  }

  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  // MARK: - Replies

  @Test("returns status, body and content type")
  func reply() async throws {
    let response = HTTPResponse.text("né", headers: [.contentType: "text/plain"])
    try await StandInServer.run(response) { server in
      let reply = try await fetcher().fetch(server.url)
      #expect(reply.status == 200)
      #expect(String(decoding: reply.body, as: UTF8.self) == "né")
      #expect(reply.contentType == "text/plain")
    }
  }

  @Test("tells the server the program's name")
  func program() async throws {
    try await StandInServer.run(
      respond: { request, _ in .text(request.headers[HTTPHeader("User-Agent")] ?? "") }
    ) { server in
      let reply = try await fetcher().fetch(server.url)
      #expect(String(decoding: reply.body, as: UTF8.self) == ProcessInfo.processInfo.processName)
    }
  }

  @Test("returns a demand for a password", arguments: ["Basic realm=\"x\"", "Bearer", "Digest"])
  func challenge(scheme: String) async throws {
    let head = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(scheme)\r\n"
    try await RawServer.run(.reply(head + "Content-Length: 2\r\n\r\nno")) { server in
      let reply = try await fetcher().fetch(server.url)
      #expect(reply.status == 401)
    }
  }

  @Test("keeps parallel requests apart")
  func concurrency() async throws {
    try await StandInServer.run(respond: { request, _ in .text(request.path) }) { server in
      let fetcher = fetcher()
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 1...40 {
          let url = server.url.appending(path: "/\(number)")
          group.addTask {
            try await fetcher.fetch(url).body == Data("/\(number)".utf8)
          }
        }
        for try await isOwnReply in group { #expect(isOwnReply) }
      }
      #expect(Set(server.targets).count == 40)
    }
  }

  // MARK: - Retries

  @Test(
    "is repeated up to three times, unless that can't succeed",
    arguments: [
      ([503, 503, 200], 3), ([500], 3), ([400], 1), ([401], 1), ([403], 1), ([404], 1), ([418], 1),
      ([501], 1),
    ])
  func statuses(_ statuses: [Int], requestCount: Int) async throws {
    try await StandInServer.run(respond: { _, number in
      .text("", status: statuses[min(number, statuses.count) - 1])
    }) { server in
      let reply = try await fetcher().fetch(server.url)
      #expect(reply.status == statuses.last)
      #expect(server.requestCount == requestCount)
      let waits: [Duration] = [.milliseconds(500), .seconds(1)]
      #expect(clock.waits == Array(waits.prefix(requestCount - 1)))
    }
  }

  @Test(
    "waits as long as the server asks, but not past its own time limit",
    arguments: [
      ("7", .seconds(7)), ("0", .milliseconds(500)), ("soon", .milliseconds(500)),
      ("Wed, 21 Oct 2015 07:28:00 GMT", .milliseconds(500)),
      ("Sunday, 06-Nov-94 08:49:37 GMT", .milliseconds(500)), ("3601", nil),
      ("999999999999999999", nil), ("Fri, 21 Oct 2095 07:28:00 GMT", nil),
      ("Friday, 21-Oct-61 07:28:00 GMT", nil), ("Fri Oct  7 07:28:00 2095", nil),
    ] as [(String, Duration?)])
  func retryAfter(value: String, wait: Duration?) async throws {
    try await StandInServer.run(respond: { _, number in
      number == 1
        ? .text("", status: 429, headers: [HTTPHeader("retry-after"): value]) : .text("ok")
    }) { server in
      let reply = try await fetcher().fetch(server.url)
      #expect(reply.status == (wait == nil ? 429 : 200))
      #expect(clock.waits == (wait.map { [$0] } ?? []))
    }
  }

  @Test(
    "retries when the connection is dropped",
    arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\nonly this"])
  func dropped(reply: String) async throws {
    try await RawServer.run(.reply(reply), .reply(reply), .reply(Self.ok)) { server in
      let reply = try await fetcher().fetch(server.url)
      #expect(reply.body == Data("ok".utf8))
    }
  }

  @Test("fails if nothing listens")
  func refused() async throws {
    // Port 1 is reserved, and privileged: no test can be listening there.
    let url = try #require(URL(string: "http://127.0.0.1:1"))
    await #expect(throws: HTTPFailure.connection(.cannotConnect)) {
      try await fetcher().fetch(url)
    }
    #expect(clock.waits.count == 2)
  }

  @Test(
    "refuses addresses of other kinds",
    arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "relative", "http:///path"])
  func otherSchemes(address: String) async throws {
    let url = try #require(URL(string: address))
    await #expect(throws: HTTPFailure.connection(.badAddress)) {
      try await fetcher().fetch(url)
    }
  }

  // MARK: - Limits

  @Test("ends in time on silence and on a dripping body", arguments: [false, true])
  func timeout(drips: Bool) async throws {
    try await RawServer.run(drips ? .drip : .hang) { server in
      await #expect(throws: HTTPFailure.timedOut) {
        try await fetcher(timeout: .milliseconds(200), maximumSize: .max).fetch(server.url)
      }
    }
  }

  @Test("stops a body without an end")
  func endless() async throws {
    try await RawServer.run(.flood) { server in
      await #expect(throws: HTTPFailure.tooLarge) {
        try await fetcher().fetch(server.url)
      }
      var events = server.events.makeAsyncIterator()
      #expect(await events.next() == .request)
      #expect(await events.next() == .clientClosed)
    }
  }

  // MARK: - Cancellation

  @Test("closes the connection when cancelled")
  func cancellation() async throws {
    try await RawServer.run(.hang) { server in
      let fetcher = fetcher()
      let fetch = Task { try await fetcher.fetch(server.url) }
      var events = server.events.makeAsyncIterator()
      #expect(await events.next() == .request)
      fetch.cancel()
      await #expect(throws: HTTPFailure.cancelled) { try await fetch.value }
      #expect(await events.next() == .clientClosed)
    }
  }

  @Test("sends nothing when it was cancelled before")
  func cancelledBefore() async throws {
    try await StandInServer.run(.text("ok")) { server in
      let fetcher = fetcher()
      let url = server.url
      let fetch = Task {
        // Only a cancellation ends this wait.
        do { try await Task.sleep(for: .seconds(3_600)) } catch {}
        return try await fetcher.fetch(url)
      }
      fetch.cancel()
      await #expect(throws: HTTPFailure.cancelled) { try await fetch.value }
      #expect(server.requestCount == 0)
    }
  }

  @Test("survives a cancellation at any moment")
  func cancellationRaces() async throws {
    try await StandInServer.run(respond: { request, _ in
      request.path == "/" ? .text("", status: 302, headers: [.location: "/there"]) : .text("ok")
    }) { server in
      let fetcher = fetcher()
      let url = server.url
      for round in 0..<60 {
        let fetch = Task { try await fetcher.fetch(url) }
        for _ in 0..<round * 20 { await Task.yield() }
        fetch.cancel()
        switch await fetch.result {
        case .success(let reply): #expect(reply.status == 200)
        case .failure(let error): #expect(error as? HTTPFailure == .cancelled)
        }
      }
    }
  }

  // MARK: - Redirects

  @Test("follows redirects on the same server", arguments: [301, 302, 303, 307, 308])
  func redirect(status: Int) async throws {
    try await StandInServer.run(respond: { request, _ in
      request.path == "/a/b"
        ? .text("moved", status: status, headers: [.location: "c?d=%2B"]) : .text("there")
    }) { server in
      let reply = try await fetcher().fetch(server.url.appending(path: "/a/b"))
      #expect(reply.body == Data("there".utf8))
      #expect(server.targets == ["/a/b", "/a/c?d=%2B"])
    }
  }

  @Test("redirects to another server only if allowed", arguments: [true, false])
  func redirectElsewhere(isAllowed: Bool) async throws {
    try await StandInServer.run(.text("elsewhere")) { other in
      let location = other.url.absoluteString + "/?appid=SECRET"
      let response = HTTPResponse.text("", status: 302, headers: [.location: location])
      try await StandInServer.run(response) { server in
        let fetcher = fetcher(redirects: isAllowed ? .anyServer : .sameServer)
        let reply = try await fetcher.fetch(server.url)
        #expect(reply.status == (isAllowed ? 200 : 302))
        #expect(other.requestCount == (isAllowed ? 1 : 0))
      }
    }
  }

  @Test("ends a circle of redirects")
  func redirectCircle() async throws {
    let response = HTTPResponse.text("", status: 302, headers: [.location: "/"])
    try await StandInServer.run(response) { server in
      let reply = try await fetcher().fetch(server.url)
      #expect(reply.status == 302)
      #expect(server.requestCount == 11)
    }
  }
}
