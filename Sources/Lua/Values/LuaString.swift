/// A Lua string: any bytes, often but not always UTF-8.
public struct LuaString: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The bytes.
  public let bytes: [UInt8]

  /// Makes a string of any bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Makes a string of a text's UTF-8 bytes.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// Makes a string of a literal's UTF-8 bytes.
  public init(stringLiteral text: String) { self.init(text) }

  /// The text; `nil` if the bytes aren't valid UTF-8.
  public var text: String? { String(validating: bytes, as: UTF8.self) }

  /// The text, with U+FFFD in place of bytes that aren't valid UTF-8.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
