import Foundation
import SampleFeatures
import Testing

@testable import StateStore

@Suite("States and actions stored by another version")
struct StoredFormTests {
  private let decoder = StateCoding.decoder(for: Sample.schema)

  private func states(_ features: String) throws -> States {
    try decoder.decode(States.self, from: Data(#"{"features": {\#(features)}}"#.utf8))
  }

  private func action(_ json: String) throws -> StoreAction {
    try decoder.decode(StoreAction.self, from: Data(json.utf8))
  }

  private func stored(_ value: some Encodable) throws -> String {
    String(decoding: try StateCoding.encoder.encode(value), as: UTF8.self)
  }

  @Test("have initial values for missing features, properties and parts of records")
  func missingParts() throws {
    var expected = States()
    expected[Counter.self].isCardOpen = true
    try expected[People.self].list.append(.init(id: 1, name: "Ann", age: 18))
    #expect(
      try states(
        #""counter": {"isCardOpen": true}, "people": {"list": [{"id": 1, "name": "Ann"}]}"#)
        == expected)
  }

  @Test("have initial values for missing parts of a record in an action")
  func missingPartsInAction() throws {
    #expect(
      try action(
        #"{"feature": "people", "action": {"add": {"_0": {"id": 1, "name": "Ann"}}}}"#)
        == .people(.add(.init(id: 1, name: "Ann", age: 18))))
  }

  @Test("are converted by the feature's migration")
  func migration() throws {
    #expect(
      try action(
        #"{"feature": "people", "action": {"hire": {"_0": {"id": 1, "name": "Ann", "age": 30}}}}"#)
        == .people(.add(.init(id: 1, name: "Ann", age: 30))))
  }

  @Test("are kept verbatim if this version lacks their feature")
  func unknownFeature() throws {
    var states = try states(#""later": {"x": [1, 2]}"#)
    #expect(try stored(states).contains(#""later":{"x":[1,2]}"#))
    let action = try action(#"{"feature":"later","action":{"add":{"n":1}}}"#)
    #expect(try stored(action) == #"{"action":{"add":{"n":1}},"feature":"later"}"#)
    try Sample.schema.reduce(&states, action)
    #expect(try stored(states).contains(#""pending":{"later":[{"add":{"n":1}}]}"#))
  }

  @Test(
    "are refused with their place if they can't be converted",
    arguments: [
      (#""counter": {"count": "x"}"#, "counter.count: expected a whole number, found text"),
      (#""people": {"list": [{"id": 1}, {"id": "x"}]}"#, "people.list[2].id: expected a whole"),
    ])
  func refusal(features: String, expected: String) {
    let error = #expect(throws: StoredFormError.self) { try states(features) }
    #expect(error?.code == "other_version")
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
  }

  @Test("are refused for an unknown action")
  func unknownAction() {
    let error = #expect(throws: StoredFormError.self) {
      try action(#"{"feature": "notes", "action": {"later": {}}}"#)
    }
    #expect(error?.message == "notes has no action \"later\" in this version")
  }
}
