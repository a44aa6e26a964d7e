import Foundation
import SampleFeatures
import Testing
import TestSupport

@testable import StateFile
@testable import StateStore

@Suite("Sessions in one state file")
struct RandomSessionsTests {
  private let file: SQLiteFile

  init() throws {
    file = try SQLiteFile()
  }

  private func open() throws -> JournaledSession {
    try JournaledSession(Sample.schema, in: file.open())
  }

  private func removeFile() throws {
    for name in try file.files {
      try FileManager.default.removeItem(atPath: file.folder.path(of: name))
    }
  }

  private func synchronize(_ sessions: [JournaledSession]) throws {
    for session in sessions { try session.save() }
    for session in sessions { try session.reload() }
  }

  @Test("converge, and so do the file and its views", arguments: 0..<12)
  func converge(seed: Int) throws {
    var sessions = try (0..<3).map { _ in try open() }
    var actions = RandomActions(seed: seed)
    for round in 0..<4 {
      for _ in 0..<100 {
        do {
          try actions.act(on: &sessions, opening: open)
        } catch is any CodedError {
          continue
        }
      }
      try synchronize(sessions)
      if round == 2 {
        // The first session that notices writes everything again.
        try removeFile()
        try synchronize(sessions)
      }
      let reopened = try open().store
      for session in sessions {
        try expectSame(session.store.states, reopened.states)
        #expect(session.store.position == reopened.position)
        #expect(session.store.reachable == reopened.reachable)
      }
      try file.expectViews(reopened.states)
      // What any of them has changed can be undone by another.
      try reopened.jump(to: reopened.reachable.lowerBound)
      try expectSame(reopened.states, States())
    }
  }
}
