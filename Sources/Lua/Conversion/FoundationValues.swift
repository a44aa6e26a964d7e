public import PrimereplFoundation

extension Date: LuaReadable, LuaPushable {
  /// Reads the seconds since 1970, as `os.time` gives them, with or without a fraction.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Date {
    let seconds = try Double.read(from: stack, at: index)
    guard seconds.isFinite else {
      throw LuaTypeMismatch(expected: "a finite number of seconds", got: "\(seconds)")
    }
    return Date(timeIntervalSince1970: seconds)
  }

  /// Pushes the seconds since 1970: an integer if they are whole, as `os.date` needs it.
  ///
  /// `Date` counts from 2001, and a float holds about 16 digits: a fraction is kept to a quarter of a microsecond.
  public func push(to stack: LuaStack) throws(LuaError) {
    let seconds = timeIntervalSince1970
    if let whole = Int64(exactly: seconds) { stack.push(whole) } else { stack.push(seconds) }
  }

  /// "number".
  public static var luaTypeName: String { Double.luaTypeName }
}

extension UUID: LuaReadable, LuaPushable {
  /// Reads the text of 32 hexadecimal digits and hyphens, in lower or upper case.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> UUID {
    let text = try String.read(from: stack, at: index)
    // Foundation reads no further than a zero byte.
    guard text.utf8.count == 36, let identifier = UUID(uuidString: text) else {
      throw LuaTypeMismatch(expected: "a UUID", got: text.quoted)
    }
    return identifier
  }

  /// Pushes the text in upper case.
  public func push(to stack: LuaStack) throws(LuaError) { stack.push(uuidString) }

  /// "string".
  public static var luaTypeName: String { String.luaTypeName }
}

extension URL: LuaReadable, LuaPushable {
  /// Reads the text of a URL, all of whose characters are valid there.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> URL {
    let text = try String.read(from: stack, at: index)
    guard let url = URL(string: text, encodingInvalidCharacters: false) else {
      throw LuaTypeMismatch(expected: "a URL", got: text.quoted)
    }
    return url
  }

  /// Pushes the text of the absolute URL.
  public func push(to stack: LuaStack) throws(LuaError) { stack.push(absoluteString) }

  /// "string".
  public static var luaTypeName: String { String.luaTypeName }
}

extension Decimal: LuaReadable, LuaPushable {
  /// Reads the text of a decimal number, or an integer; a float isn't exact.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Decimal
  {
    if let integer = stack.value(at: index, as: Int64.self) { return Decimal(integer) }
    let text = try String.read(from: stack, at: index)
    guard let digits = text.decimalDigits else {
      throw LuaTypeMismatch(expected: "a decimal number", got: text.quoted)
    }
    // Foundation rounds, or takes for 0, what it can't hold.
    guard digits.utf8.count <= 38, let number = Decimal(string: text), number.isFinite,
      number.isZero == digits.isEmpty
    else {
      throw LuaTypeMismatch(expected: "a decimal number of up to 38 digits", got: text.quoted)
    }
    return number
  }

  /// Pushes the text of all digits, such as "12.5".
  public func push(to stack: LuaStack) throws(LuaError) { stack.push(description) }

  /// "string".
  public static var luaTypeName: String { String.luaTypeName }
}

extension String {
  fileprivate var quoted: String { "\"\(shortened)\"" }

  /// The digits of a decimal number without leading zeros; `nil` if the text is anything else.
  ///
  /// Foundation's own parser ignores what follows a number.
  fileprivate var decimalDigits: String? {
    let form = #/[+-]?([0-9]*)(?:\.([0-9]*))?(?:[eE][+-]?[0-9]+)?/#
    guard let parts = wholeMatch(of: form) else { return nil }
    let digits = parts.1 + (parts.2 ?? "")
    return digits.isEmpty ? nil : String(digits.drop { $0 == "0" })
  }
}

// MARK: - Errors

extension LuaError: LocalizedError {
  /// The same as ``description``, as `localizedDescription` has it.
  public var errorDescription: String? { description }
}

extension LuaTypeMismatch: LocalizedError {
  /// The same as ``description``, as `localizedDescription` has it.
  public var errorDescription: String? { description }
}

extension Error {
  /// The error's own message; without one, Swift's text of its value.
  var ownText: String { localizedMessage ?? String(describing: self) }
}
