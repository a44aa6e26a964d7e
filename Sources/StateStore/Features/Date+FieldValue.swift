public import Foundation

extension Date: FieldValue {
  /// A number of seconds.
  public static var valueType: ValueType { .number }

  /// The seconds since 1970, as Lua's `os.time` counts them: an integer if they are whole.
  public var stateValue: StateValue {
    let seconds = timeIntervalSince1970
    return Int(exactly: seconds).map(StateValue.integer) ?? .number(seconds)
  }

  /// Reads a number of seconds since 1970.
  public init(fromDocument decoder: any Decoder) throws {
    self.init(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self))
  }
}
