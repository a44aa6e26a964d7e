/// An error in Lua, or between Swift and Lua.
public struct LuaError: Error, CustomStringConvertible {
  /// A stable word for a kind of error: one of the library's own, or of the host's.
  ///
  /// ```swift
  /// extension LuaError.Code {
  ///   static let overdrawn: Self = "overdrawn"
  /// }
  ///
  /// switch error.code {
  /// case .interrupted, .timeLimit: print("stopped")
  /// case .overdrawn: print("no money left")
  /// default: print(error)
  /// }
  /// ```
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The word, as scripts see it in `err.code`.
    public let rawValue: String

    /// Makes the code of a word in snake case.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A chunk that doesn't compile.
    public static let syntax: Code = "syntax_error"
    /// A function of the host threw an error that isn't described to scripts.
    public static let undescribed: Code = "error"
    /// Lua code raised an error value.
    public static let runtime: Code = "runtime_error"
    /// The memory limit, the stack's limit or the machine's memory was reached.
    public static let outOfMemory: Code = "out_of_memory"
    /// The code was stopped from outside.
    public static let interrupted: Code = "interrupted"
    /// The code exceeded its instruction limit.
    public static let instructionLimit: Code = "instruction_limit"
    /// The code exceeded its time limit.
    public static let timeLimit: Code = "time_limit"
    /// A function that waits was called where Lua can't suspend.
    public static let cannotWait: Code = "cannot_wait"
    /// An async function left the state's actor.
    public static let offActor: Code = "off_actor"
    /// A function took longer than the time it was given.
    public static let timeout: Code = "timeout"
    /// The task, or what it waited for, was cancelled.
    public static let cancelled: Code = "cancelled"
    /// An argument is missing or of the wrong type.
    public static let badArgument: Code = "bad_argument"
    /// A value isn't of the type that Swift expects.
    public static let wrongType: Code = "wrong_type"
    /// A value that can't be encoded for Lua or decoded from it.
    public static let codingFailed: Code = "coding_failed"
    /// A number that Lua can't hold exactly.
    public static let numberOutOfRange: Code = "number_out_of_range"
    /// A value of another state.
    public static let foreignValue: Code = "foreign_value"
    /// A field that doesn't exist.
    public static let unknownField: Code = "unknown_field"
    /// A field that can be read but not assigned.
    public static let readOnlyField: Code = "read_only_field"
    /// A function of a scope whose objects Lua has collected.
    public static let scopeCollected: Code = "scope_collected"
    /// The state was closed.
    public static let stateClosed: Code = "state_closed"
  }

  /// A line of a chunk of Lua code.
  public struct Location: Hashable, Sendable {
    /// The chunk's name as messages show it, such as "script.lua"; the beginning of a long one is left out.
    public let chunk: String

    /// The line, counted from 1.
    public let line: Int

    /// Makes a location.
    public init(chunk: String, line: Int) {
      self.chunk = chunk
      self.line = line
    }
  }

  /// The kind of error.
  public let code: Code

  /// The message.
  ///
  /// For a string raised by Lua code it begins, as usual, with the place.
  public let message: String

  /// The line of Lua code that raised the error, or called the host function that threw it; `nil` if no Lua code ran.
  ///
  /// For a string that begins with its place, as `error("text")` makes it, that is the place.
  public internal(set) var location: Location?

  /// The calls that led there, innermost first, as `debug.traceback` writes them.
  public internal(set) var traceback: String?

  /// The Swift error, if a Swift function threw it: the same value.
  public internal(set) var underlying: (any Error)?

  /// Whether an interrupt stopped the running code, and so stops the tasks that wait for it.
  var stopsWaiter = false

  /// The value that Lua code raised, for ``LuaState/value(of:)``.
  var value: RegistryReference?

  /// Whether the host threw it: then the message doesn't say where.
  var isOfHost = false

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  @usableFromInline
  static func outOfRange(_ number: String) -> LuaError {
    LuaError(.numberOutOfRange, "\(number) doesn't fit Lua's 64-bit integers")
  }

  /// Whether it is of a kind.
  public func `is`(_ code: Code) -> Bool { self.code == code }

  /// Whether the code was stopped, by an interrupt or a limit, whatever it caught.
  public var isStop: Bool {
    self.is(.interrupted) || self.is(.timeLimit) || self.is(.instructionLimit)
  }

  /// The message with the place, where one is known; without the traceback.
  public var description: String {
    guard isOfHost, let location else { return message }
    return "\(location): \(message)"
  }
}

extension LuaError.Code: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Makes the code of a word, in snake case.
  public init(stringLiteral word: String) { self.init(rawValue: word) }

  /// The word.
  public var description: String { rawValue }
}

extension LuaError.Location: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Makes the location of a literal such as "script.lua:3"; without a number at its end, the line is 0.
  public init(stringLiteral text: String) {
    let colon = text.lastIndex(of: ":")
    let line = colon.flatMap { Int(text[text.index(after: $0)...]) }
    self.init(
      chunk: line == nil ? text : String(text[..<(colon ?? text.endIndex)]), line: line ?? 0)
  }

  /// "script.lua:3", as in Lua's messages.
  public var description: String { "\(chunk):\(line)" }
}

/// The parts of a host error that scripts see: `err.code`, `err.message`, and further fields.
public struct LuaErrorDescription {
  let code: LuaError.Code
  let message: String
  let fields: [String: any LuaPushable]

  /// Makes a description.
  ///
  /// - Parameters:
  ///   - code: The kind of error.
  ///   - message: What was wrong, and what to do about it; also the result of `tostring(err)`.
  ///   - fields: Further fields that scripts can read by name.
  public init(code: LuaError.Code, message: String, fields: [String: any LuaPushable] = [:]) {
    self.code = code
    self.message = message
    self.fields = fields
  }
}

/// A Swift error on its way through Lua, where it is a userdata with fields.
final class HostError {
  let error: any Error
  let description: LuaErrorDescription

  /// The line of Lua code that called the function that threw; `nil` if Swift called it.
  let location: LuaError.Location?

  init(error: any Error, description: LuaErrorDescription, location: LuaError.Location?) {
    self.error = error
    self.description = description
    self.location = location
  }

  /// The error as Swift sees it, back outside Lua.
  var luaError: LuaError {
    var result = LuaError(description.code, description.message)
    result.location = location
    result.isOfHost = true
    // One of the library's own errors is complete; it isn't wrapped again.
    result.underlying = if let error = error as? LuaError { error.underlying } else { error }
    return result
  }
}
