public import PrimereplFoundation

extension Date: FieldValue {
  /// A number of seconds.
  public static var valueType: ValueType { .number }

  /// The seconds since 1970, as Lua's `os.time` counts them: an integer if they are whole.
  public var stateValue: StateValue {
    let seconds = timeIntervalSince1970
    return Int(exactly: seconds).map(StateValue.integer) ?? .number(seconds)
  }

  /// The date that is a finite number of seconds after the beginning of 1970.
  public init(stateValue: StateValue) throws {
    let seconds = try Double(stateValue: stateValue)
    guard seconds.isFinite else { throw stateValue.mismatch(Self.valueType) }
    self.init(timeIntervalSince1970: seconds)
  }

  /// Reads a number of seconds since 1970.
  public init(fromDocument decoder: any Decoder) throws {
    self.init(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self))
  }
}
