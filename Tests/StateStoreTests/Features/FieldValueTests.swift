import Foundation
import SampleFeatures
import StateStore
import Testing

@Suite("Values of fields, made from the form that front ends show")
struct FieldValueTests {
  /// A record whose coding knows its parts by other names than its form, also those of a record in it.
  private struct Trip: FieldRecord, Codable, Equatable {
    struct Stop: FieldRecord, Codable, Equatable {
      var placeName = ""
      var length = 0.0
      var pinCode = Secret.empty

      static let fields: [RecordField<Stop>] = [
        .field("place_name", \.placeName), .field("length", \.length),
        .field("pin_code", \.pinCode),
      ]
    }

    var firstStop = Stop()
    var otherStops: [Stop] = []
    var startsAt = Date(timeIntervalSince1970: 0)

    static let fields: [RecordField<Trip>] = [
      .field("first_stop", \.firstStop), .field("other_stops", \.otherStops),
      .field("starts_at", \.startsAt), .derived("last_stop") { $0.otherStops.last },
    ]
  }

  private func expectSame<Value: FieldValue & Equatable>(_ value: Value) throws {
    #expect(try Value(stateValue: value.stateValue) == value)
  }

  @Test("are the same, whatever their types")
  func same() throws {
    try expectSame(Int.min)
    try expectSame(-0.5)
    try expectSame(Double.infinity)
    try expectSame(true)
    try expectSame("e\u{301}\0")
    try expectSame(Secret("the secret of a form"))
    try expectSame(Date(timeIntervalSince1970: 0.25))
    try expectSame(Date(timeIntervalSince1970: 1_700_000_000))
    try expectSame(CalendarDate.start)
    try expectSame(TimeStamp.start)
    try expectSame(Account.Topic.concurrency)
    try expectSame(String?.none)
    try expectSame(Int?.some(3))
    try expectSame(["a", nil, "b"])
    try expectSame(Numbers.Number(rawValue: 7))
    try expectSame(Notes.Note(id: 3, text: "milk", done: true))
    try expectSame(People.Person(id: 3, name: "Ann", age: 30))
    try expectSame(
      Account.Profile(lastName: "Doe", password: Secret("another one"), topics: [.testing]))
  }

  @Test("are the same if records are in records, with other names in their coding")
  func nested() throws {
    var trip = Trip()
    try expectSame(trip)
    trip.firstStop = Trip.Stop(placeName: "Rome", length: .infinity, pinCode: Secret("stop-pin"))
    trip.otherStops = [trip.firstStop, Trip.Stop(placeName: "Bonn", length: 0.5)]
    trip.startsAt = Date(timeIntervalSince1970: 5)
    try expectSame(trip)
  }

  @Test("are seconds since 1970 in the form of a date, an integer if they are whole")
  func dates() {
    #expect(Date(timeIntervalSince1970: 1_795_262_400).stateValue == .integer(1_795_262_400))
    #expect(Date(timeIntervalSince1970: 0.5).stateValue == .number(0.5))
  }

  @Test("are refused for forms of other types")
  func refused() {
    func expectRefusal<Value: FieldValue>(_ type: Value.Type, _ form: StateValue) {
      #expect(throws: (any Error).self, "\(type)") { try Value(stateValue: form) }
    }
    expectRefusal(Int.self, .number(1))
    expectRefusal(Double.self, .integer(.max))
    expectRefusal(Bool.self, .none)
    expectRefusal(String.self, .secret(.empty))
    expectRefusal(Secret.self, .text(""))
    expectRefusal(Date.self, .number(.nan))
    expectRefusal(Account.Topic.self, .text("Cooking"))
    expectRefusal([Int].self, .list([.integer(1), .none]))
    expectRefusal(Notes.Note.self, ["id": .integer(1)])
    expectRefusal(Trip.self, .text("x"))
  }
}
