import Foundation
import SampleFeatures
import Testing

@testable import StateStore

@Suite("The states of features")
struct StatesTests {
  private let store = Store()

  /// Gives every part of the states a value.
  private func fill() throws {
    let actions: [StoreAction] = [
      .counter(.set(count: 17)), .counter(.openCard),
      .step(of: Counter.ask, 1, .asked(NoQuestion())),
      .step(of: Counter.ask, 1, .answered(59)), .numbers(.add(number: 17)),
      .notes(.add(id: 1, text: "milk")), .notes(.add(id: 2, text: "bread")), .notes(.finish(id: 2)),
      .notes(.set(query: "br")), .people(.add(.init(id: 1, name: "Ann", age: 30))),
      .step(of: People.fetch, 2, .asked("")),
      .step(of: People.fetch, 2, .failed(message: "It broke.")),
      .step(of: People.fetch, 3, .asked("")),
      // Without a password, which wouldn't survive encoding.
      .account(.edit(.init(lastName: "Lee", topics: [.testing]))),
    ]
    for action in actions { try store.send(action) }
  }

  @Test("are all in a snapshot, in the order of the features, with derived fields after their own")
  func snapshot() throws {
    try fill()
    #expect(
      store.snapshot.json == """
        {"counter":{"count":17,"loading":false,"alert":{"title":"The answer is 59"},\
        "card":{"number":17,"is_listed":true,"text":"17 is listed"}},"numbers":[17],\
        "notes":{"items":[{"id":2,"text":"bread","done":true},{"id":1,"text":"milk","done":false}],\
        "query":"br","last_text":"bread","filtering":true},\
        "people":[{"id":1,"name":"Ann","age":30}],\
        "account":{"profile":{"last_name":"Lee","password":"","topics":["Testing"]},\
        "submitted":false}}
        """)
    #expect(store.snapshot["people"]?["loading"] == .boolean(true))
    #expect(store.snapshot["people"]?["error"] == StateValue.none)
  }

  @Test("survive encoding and decoding")
  func coding() throws {
    try fill()
    let data = try JSONEncoder().encode(store.states)
    let decoder = StateCoding.decoder(for: Sample.schema)
    #expect(try decoder.decode(States.self, from: data) == store.states)
  }
}
