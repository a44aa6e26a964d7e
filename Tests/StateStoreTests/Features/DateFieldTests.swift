import Foundation
import Testing

@testable import StateStore

@Suite("A date in a state")
struct DateFieldTests {
  private struct Meeting: EvolvingRecord, FieldRecord {
    let id: Int
    var startsAt: Date
    var room = ""

    static let initial = Meeting(id: 0, startsAt: Date(timeIntervalSince1970: 60))
    static let fields: [RecordField<Meeting>] = [
      .constant("id", \.id), .field("starts_at", \.startsAt), .field("room", \.room),
    ]
  }

  private enum Calendar: Feature {
    struct State: Codable, Equatable, Sendable {
      var today: Date?
      var meetings = RecordList<Meeting>()
    }

    enum Action: Codable, Equatable, Sendable {
      case open(Date)
      case add(Meeting)
    }

    static let name = "calendar"
    static let initial = State()
    static let fields: [Field<Calendar>] = [
      .value("today", \.today), .list("meetings", \.meetings),
    ]

    static func reduce(_ state: inout State, _ action: Action) throws {
      switch action {
      case .open(let date): state.today = date
      case .add(let meeting): try state.meetings.append(meeting)
      }
    }
  }

  private let store: Store

  init() throws { store = try Store(features: [Calendar.self]) }

  private func calendar(_ json: String) throws -> Calendar.State {
    let states = try StateDocument.states(from: Data(json.utf8), store.schema)
    return states.state(of: Calendar.self, at: 0)
  }

  @Test("is a number of seconds since 1970, an integer if they are whole")
  func value() throws {
    try store.send(.open(Date(timeIntervalSince1970: 1_795_262_400)), to: Calendar.self)
    #expect(store.snapshot["calendar"]?["today"] == .integer(1_795_262_400))
    try store.send(.open(Date(timeIntervalSince1970: 0.5)), to: Calendar.self)
    #expect(store.snapshot["calendar"]?["today"] == .number(0.5))
  }

  @Test("is restored from a document, in records too")
  func document() throws {
    let date = Date(timeIntervalSince1970: 1_795_262_400.25)
    try store.send(.open(date), to: Calendar.self)
    try store.send(.add(Meeting(id: 1, startsAt: date)), to: Calendar.self)
    let json = StateDocument.json(of: store.states, store.schema)
    #expect(json.contains("1795262400.25"))
    #expect(try calendar(json) == store.state(of: Calendar.self))
    let evolved = try calendar(#"{"calendar": {"meetings": [{"id": 1}]}}"#)
    #expect(evolved.meetings.map(\.startsAt) == [Meeting.initial.startsAt])
  }

  @Test("of another type is refused with its place")
  func wrongType() {
    let error = #expect(throws: DocumentError.self) {
      try calendar(#"{"calendar": {"today": "x"}}"#)
    }
    #expect("\(error, default: "")" == "calendar.today: expected a number, found text")
  }
}
