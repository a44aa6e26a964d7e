internal import CLua

/// A type of Lua values.
public enum LuaType: Int32, Sendable {
  /// The type of nil.
  case `nil` = 0
  /// true and false.
  case boolean = 1
  /// A pointer without identity, of C libraries.
  case lightUserdata = 2
  /// Integers and floats.
  case number = 3
  /// Strings of bytes.
  case string = 4
  /// Tables.
  case table = 5
  /// Lua and host functions.
  case function = 6
  /// Objects of the host.
  case userdata = 7
  /// Coroutines.
  case thread = 8

  /// The name, as Lua's `type` gives it.
  public var name: String {
    switch self {
    case .nil: "nil"
    case .boolean: "boolean"
    case .lightUserdata, .userdata: "userdata"
    case .number: "number"
    case .string: "string"
    case .table: "table"
    case .function: "function"
    case .thread: "thread"
    }
  }
}
