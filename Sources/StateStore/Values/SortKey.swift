/// A value by which queries sort or group records, or an element of a set; those of different kinds have an order, too.
///
/// Texts are compared by their bytes, as a letter can have several forms, which `==` considers equal.
package enum SortKey: Sendable {
  case none
  case boolean(Bool)
  case integer(Int)
  /// A number that isn't a whole one of 64 bits, and isn't NaN.
  case number(Double)
  case text(String)

  /// The key of a value; nil for one without an order.
  package init?(_ value: StateValue) {
    switch value {
    case .none: self = .none
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let integer): self = .integer(integer)
    case .number(let number):
      guard !number.isNaN else { return nil }
      self = Int(exactly: number).map(Self.integer) ?? .number(number)
    case .text(let text): self = .text(text)
    case .secret, .list, .record: return nil
    }
  }

  package var stateValue: StateValue {
    switch self {
    case .none: .none
    case .boolean(let flag): .boolean(flag)
    case .integer(let integer): .integer(integer)
    case .number(let number): .number(number)
    case .text(let text): .text(text)
    }
  }

  /// The rank of the key's kind: keys of one kind can be compared by their values.
  private var rank: Int {
    switch self {
    case .none: 0
    case .boolean: 1
    case .integer, .number: 2
    case .text: 3
    }
  }

  func isOfSameKind(as other: SortKey) -> Bool { rank == other.rank }
}

extension SortKey: Comparable {
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.none, .none): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.text(let left), .text(let right)): left.isExactly(right)
    default: false
    }
  }

  /// Keys of different kinds are in the order of their kinds.
  package static func < (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.boolean(let left), .boolean(let right)): !left && right
    case (.integer(let left), .integer(let right)): left < right
    case (.number(let left), .number(let right)): left < right
    // Exact enough: a number that isn't whole is less than 2⁵³, or infinite, or beyond all integers.
    case (.integer(let left), .number(let right)): Double(left) < right
    case (.number(let left), .integer(let right)): left < Double(right)
    case (.text(let left), .text(let right)): left.isBefore(right)
    default: left.rank < right.rank
    }
  }
}
