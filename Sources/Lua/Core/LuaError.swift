/// What went wrong in Lua, or between Swift and Lua.
public struct LuaError: Error, CustomStringConvertible {
  /// The kinds of error that this library itself raises.
  public enum Code: String, Sendable {
    /// A chunk that doesn't compile.
    case syntax = "syntax_error"
    /// Lua code raised an error value.
    case runtime = "runtime_error"
    /// The memory limit, the stack's limit or the machine's memory was reached.
    case outOfMemory = "out_of_memory"
    /// The code was stopped from outside.
    case interrupted
    /// The code exceeded its instruction limit.
    case instructionLimit = "instruction_limit"
    /// The code exceeded its time limit.
    case timeLimit = "time_limit"
    /// A function that waits was called where Lua can't suspend.
    case cannotWait = "cannot_wait"
    /// A function took longer than the time it was given.
    case timeout
    /// The task, or what it waited for, was cancelled.
    case cancelled
    /// An argument is missing or of the wrong type.
    case badArgument = "bad_argument"
    /// A value isn't of the type that Swift expects.
    case wrongType = "wrong_type"
    /// A value that can't be encoded for Lua or decoded from it.
    case codingFailed = "coding_failed"
    /// A number that Lua can't hold exactly.
    case numberOutOfRange = "number_out_of_range"
    /// A value of another state.
    case foreignValue = "foreign_value"
    /// A field that doesn't exist.
    case unknownField = "unknown_field"
    /// A field that can be read but not assigned.
    case readOnlyField = "read_only_field"
    /// A function of a scope whose objects Lua has collected.
    case scopeCollected = "scope_collected"
    /// The state was closed.
    case stateClosed = "state_closed"
  }

  /// A stable word for the kind of error: a ``Code``, or the `code` of the host's own errors.
  public let code: String

  /// What was wrong.
  ///
  /// For a string raised by Lua code it begins, as usual, with the place.
  public let message: String

  /// The chunk and line that called the host function which failed ("script.lua:3"); `nil` if Lua code raised.
  public internal(set) var location: String?

  /// The calls that led there, innermost first, as `debug.traceback` writes them.
  public internal(set) var traceback: String?

  /// The Swift error, if a Swift function threw it: the same value.
  public internal(set) var underlying: (any Error)?

  /// Whether an interrupt stopped the running code, and so stops the tasks that wait for it.
  var stopsWaiter = false

  /// The value that Lua code raised, for ``LuaState/value(of:)``.
  var value: LuaReference?

  /// Makes an error of one of the library's own kinds.
  public init(_ code: Code, _ message: String) {
    self.init(code: code.rawValue, message: message)
  }

  init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  @usableFromInline
  static func outOfRange(_ number: String) -> LuaError {
    LuaError(.numberOutOfRange, "\(number) doesn't fit Lua's 64-bit integers")
  }

  /// Whether it is of one of the library's own kinds.
  public func `is`(_ code: Code) -> Bool { self.code == code.rawValue }

  /// Whether the code was stopped, by an interrupt or a limit, whatever it caught.
  public var isStop: Bool {
    self.is(.interrupted) || self.is(.timeLimit) || self.is(.instructionLimit)
  }

  /// The message, after the location if there is one; without the traceback.
  public var description: String { location.map { "\($0): \(message)" } ?? message }
}

/// What scripts see of an error of the host: `err.code`, `err.message`, and further fields.
public struct LuaErrorDescription {
  let code: String
  let message: String
  let fields: [String: any LuaPushable]

  /// Makes a description.
  ///
  /// - Parameters:
  ///   - code: A stable word for the kind of error, in snake case.
  ///   - message: What was wrong, and what to do about it; also the result of `tostring(err)`.
  ///   - fields: Further fields that scripts can read by name.
  public init(code: String, message: String, fields: [String: any LuaPushable] = [:]) {
    self.code = code
    self.message = message
    self.fields = fields
  }
}

/// A Swift error on its way through Lua, where it is a userdata with fields.
final class HostError {
  let error: any Error
  let description: LuaErrorDescription

  /// The chunk and line of the Lua code that called the function which threw.
  let location: String?

  init(error: any Error, description: LuaErrorDescription, location: String?) {
    self.error = error
    self.description = description
    self.location = location
  }

  /// The error as Swift sees it, back outside Lua.
  var luaError: LuaError {
    var result = LuaError(code: description.code, message: description.message)
    result.location = location
    // One of the library's own errors is complete; it isn't wrapped again.
    if let error = error as? LuaError {
      result.underlying = error.underlying
    } else {
      result.underlying = error
    }
    return result
  }
}
