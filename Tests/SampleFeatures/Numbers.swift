package import StateStore

/// A list of different natural numbers, shown under the feature's own name, and a sum that follows from it.
package enum Numbers: Feature {
  package struct State: Codable, Equatable, Sendable {
    package var list = RecordList<Number>()
    package fileprivate(set) var sum = 0
  }

  /// A record of a single value, which is its own id.
  package struct Number: RawRepresentable, Record {
    package let rawValue: Int
    package var id: Int { rawValue }
    package var stateValue: StateValue { .integer(rawValue) }

    package init(rawValue: Int) { self.rawValue = rawValue }

    package func validate() throws {
      guard rawValue >= 0 else { throw NumbersError.negative(rawValue) }
    }
  }

  package enum Action: Codable, Equatable, Sendable {
    case add(number: Int)
    case remove(number: Int)
    /// Removes a number that is in the list, and adds any other.
    case toggle(number: Int)
    case removeAt(positions: [Int])
    case clear
  }

  package static let name = "numbers"
  package static var initial: State { State() }
  package static let fields: [Field<Numbers>] = [
    .list("", \.list).showing("number"), .hidden(\.sum),
  ]

  package static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let number): try add(number, to: &state)
    case .remove(let number): remove(number, from: &state)
    case .toggle(let number):
      if state.list.contains(id: number) {
        remove(number, from: &state)
      } else {
        try add(number, to: &state)
      }
    case .removeAt(let positions):
      guard positions.allSatisfy(state.list.indices.contains) else {
        throw NumbersError.positionOutOfRange
      }
      for position in Set(positions) { state.sum &-= state.list[position].rawValue }
      state.list.remove(atPositions: positions)
    case .clear:
      state.list.removeAll()
      state.sum = 0
    }
  }

  private static func add(_ number: Int, to state: inout State) throws {
    let number = Number(rawValue: number)
    try number.validate()
    guard !state.list.contains(id: number.id) else { return }
    try state.list.append(number)
    state.sum &+= number.rawValue
  }

  private static func remove(_ number: Int, from state: inout State) {
    if state.list.remove(id: number) != nil { state.sum &-= number }
  }

  /// Computes the sum after a list was read.
  package static func validate(_ state: inout State) {
    state.sum = state.list.reduce(0) { $0 &+ $1.rawValue }
  }

  package enum ErrorCode: String, FeatureErrorCode { case negative, positionOutOfRange }
}

package typealias NumbersError = FeatureError<Numbers>

extension NumbersError {
  package static func negative(_ number: Int) -> Self { Self(.negative, "\(number) is negative") }

  package static let positionOutOfRange = Self(
    .positionOutOfRange, "There is no number at one of the positions.")
}
