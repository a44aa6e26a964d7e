package import StateStore

/// A count, with errors, a request, and a card whose content depends on another feature too.
package enum Counter: Feature {
  package struct State: Codable, Equatable, Sendable {
    package var count = 0
    package var isCardOpen = false
    package var alert: Alert?
  }

  package struct Alert: FieldRecord, Codable, Equatable, Sendable {
    package var title: String

    package static let fields: [RecordField<Alert>] = [.field("title", \.title)]
  }

  package enum Action: Codable, Equatable, Sendable {
    case increment(by: Int)
    case set(count: Int)
    case openCard, closeCard
    case dismissAlert
  }

  package static let name = "counter"
  package static var initial: State { State() }
  package static let fields: [Field<Counter>] = [
    .value("count", \.count), .request(ask, pending: "loading", error: nil),
    .value("alert", \.alert), .hidden(\.isCardOpen),
  ]

  package static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .increment(let step):
      let (count, overflows) = state.count.addingReportingOverflow(step)
      guard !overflows else { throw CounterError.overflow }
      state.count = count
    case .set(let count): state.count = count
    case .openCard: state.isCardOpen = true
    case .closeCard: state.isCardOpen = false
    case .dismissAlert: state.alert = nil
    }
  }

  /// Asks for a natural number, unless the count is negative, and shows it in an alert.
  package static let ask = Request<Counter, NoQuestion, Int>(
    "ask", isLatest: true,
    ask: { context in try await context.services.number() },
    asked: { state, _ in
      guard state.count >= 0 else { throw CounterError.outOfRange(state.count) }
      state.alert = nil
    },
    done: { state, answer in
      guard answer >= 0 else { throw CounterError.outOfRange(answer) }
      state.alert = Alert(title: "The answer is \(answer)")
    })

  package typealias Services = SampleServices

  package enum ErrorCode: String, FeatureErrorCode { case overflow, outOfRange }
}

package typealias CounterError = FeatureError<Counter>

extension CounterError {
  package static let overflow = Self(.overflow, "The count would overflow.")

  package static func outOfRange(_ number: Int) -> Self {
    Self(.outOfRange, "\(number) is negative.")
  }
}

/// A card about the count, which follows the count and the list of numbers while it is open.
package struct Card: FieldRecord, Equatable, Sendable {
  package let number: Int
  package let isListed: Bool

  package static let fields: [RecordField<Card>] = [
    .constant("number", \.number), .constant("is_listed", \.isListed),
    .derived("text") { "\($0.number) is \($0.isListed ? "listed" : "new")" },
  ]

  private init(number: Int, isListed: Bool) {
    (self.number, self.isListed) = (number, isListed)
  }

  package init(fromDocument decoder: any Decoder) throws {
    throw DocumentError(decoder.codingPath, "the card follows from the count and the numbers")
  }

  static let field = DerivedField(
    "counter.card", of: Counter.self, Numbers.self,
    reading: { counter, numbers in
      counter.isCardOpen
        ? Card(number: counter.count, isListed: numbers.list.contains(id: counter.count)) : nil
    }
  )
  .restoring(Counter.self) { counter, decoder in
    _ = try decoder.container(keyedBy: NoKeys.self)
    counter.isCardOpen = true
  }

  private enum NoKeys: CodingKey {}
}
