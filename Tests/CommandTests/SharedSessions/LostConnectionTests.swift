import Foundation
import Subprocess
import Testing
import TestSupport

/// `SHARED_CRASH_TEST_ROUNDS` is five times the number of faults of each kind.
@Suite(
  "Two processes that save a shared session",
  .enabled(if: DatabaseServer.isInstalled, "\(DatabaseServer.missingReason)"), .serialized)
struct LostConnectionTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["SHARED_CRASH_TEST_ROUNDS"].flatMap { Int($0) }.map {
      max(1, $0 / 5)
    }
    ?? 3

  @Test("lose nothing when the server crashes", .timeLimit(.minutes(10)))
  func crashes() async throws {
    let server = try await DatabaseServer(usesTCP: true)
    let session = try await SharedSessionFixture(on: server)
    let addresses = [session.address, session.address(port: try #require(server.port))]
    try await expectNothingLost(of: session, at: addresses) {
      try await server.stop(immediate: true)
      try await server.start()
    }
  }

  @Test("lose nothing when the server ends their connections", .timeLimit(.minutes(10)))
  func endedConnections() async throws {
    let session = try await SharedSessionFixture()
    try await expectNothingLost(of: session, at: [session.address, session.address]) {
      try await session.endConnections()
    }
  }

  @Test("lose nothing when the network cuts their connections", .timeLimit(.minutes(10)))
  func cuts() async throws {
    let session = try await SharedSessionFixture()
    let proxy = try session.server.proxy()
    let address = session.address(port: proxy.port)
    try await expectNothingLost(of: session, at: [address, address]) { proxy.cut() }
  }

  @Test("lose nothing, and save nothing twice, when answers don't arrive", .timeLimit(.minutes(10)))
  func swallowedAnswers() async throws {
    let session = try await SharedSessionFixture()
    let proxies = try (0..<2).map { _ in try session.server.proxy() }
    try await expectNothingLost(
      of: session, at: proxies.map { session.address(port: $0.port) }
    ) {
      for proxy in proxies {
        let before = proxy.swallowedBytes
        proxy.swallowsAnswers = true
        try await wait(for: "an answer") { proxy.swallowedBytes > before }
      }
      for proxy in proxies {
        proxy.swallowsAnswers = false
        proxy.cut()
      }
    }
  }

  /// Lets two processes write through faults, and expects that each of their saves is there once and that each fault is
  /// told once.
  private func expectNothingLost(
    of session: SharedSessionFixture, at addresses: [String],
    _ fault: @escaping @Sendable () async throws -> Void
  ) async throws {
    let gate = try Gate()
    let writers = zip(["a", "b"], addresses).map { AnnouncingWriter($0, on: $1, until: gate) }
    try await withThrowingTaskGroup { group in
      for writer in writers {
        group.addTask {
          let status = try await writer.process.run()
          #expect(status == .exited(0))
        }
      }
      for round in 1...Self.rounds {
        for writer in writers { try await writer.waitForSave() }
        // Any moment will do.
        try await Task.sleep(for: .microseconds(Int.random(in: 0..<100_000)))
        try await fault()
        for writer in writers {
          try await wait(for: "connection \(round) of \(writer.name)") {
            writer.reconnections.found >= round
          }
        }
      }
      try gate.open()
      try await group.waitForAll()
    }
    for writer in writers {
      try await session.expectSaves(of: writer)
      #expect(writer.reconnections == (Self.rounds, Self.rounds))
    }
    try await session.expectReopening()
  }
}
