import Foundation
import Subprocess
import Testing
import TestSupport

/// `SHARED_CRASH_TEST_ROUNDS` is the number of kills.
@Suite(
  "A process that is killed at any moment",
  .enabled(if: DatabaseServer.isInstalled, "\(DatabaseServer.missingReason)"), .serialized)
struct KilledWriterTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["SHARED_CRASH_TEST_ROUNDS"].flatMap { Int($0) } ?? 4

  @Test("leaves a shared session with every save that it announced, and nothing twice")
  func kill() async throws {
    var session = try await SharedSessionFixture()
    let gate = try Gate()
    var announcements = 0
    for round in stride(from: 0, to: Self.rounds, by: 2) {
      // A new database now and then, because a process may also be killed while it makes the tables.
      if round % 10 == 0 { session = try await SharedSessionFixture() }
      let address = session.address
      // Two at a time, so that they are also killed while the other one waits for a lock.
      let writers = ["a", "b"].map {
        AnnouncingWriter("\($0)\(round)", on: address, until: gate)
      }
      try await withThrowingTaskGroup { group in
        for writer in writers {
          group.addTask {
            let status = try await writer.process.run()
            #expect(status == .signaled(SIGKILL))
          }
          group.addTask {
            // The first at any moment, even while it opens the session; the second once it has saved.
            if writer.name.hasPrefix("b") { try await writer.waitForSave() }
            try await Task.sleep(for: .microseconds(Int.random(in: 0..<400_000)))
            try await writer.process.kill()
          }
        }
        try await group.waitForAll()
      }
      try await session.waitForEnd()
      try await session.expectReopening()
      for writer in writers {
        announcements += writer.announced
        try await session.expectSaves(of: writer, "round \(round)")
      }
    }
    #expect(announcements > 0)
  }
}

extension SharedSessionFixture {
  /// Waits until the server has finished what processes that are gone have sent.
  fileprivate func waitForEnd() async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await query(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    ).count > 0 {
      try #require(ContinuousClock.now < deadline)
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
