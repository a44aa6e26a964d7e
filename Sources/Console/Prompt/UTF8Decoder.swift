import StateStore

/// Decodes UTF-8 byte by byte, giving each character as soon as its last byte arrives.
///
/// What isn't UTF-8 becomes what `String.init(systemBytes:)` makes of it. (The standard library's decoders read ahead, so a character that
/// was just typed would wait for the next one.)
struct UTF8Decoder {
  private var pending: [UInt8] = []

  /// Adds a byte and gives the characters it completes: none, one, or two if the bytes before it
  /// turned out to be broken off.
  mutating func decode(_ byte: UInt8) -> [Unicode.Scalar] {
    let isContinuation = byte & 0b1100_0000 == 0b1000_0000
    var scalars = isContinuation ? [] : finish()
    pending.append(byte)
    if pending.count >= Self.length(leadByte: pending[0]) { scalars += finish() }
    return scalars
  }

  /// Gives what a broken-off character stands for, and starts anew.
  mutating func finish() -> [Unicode.Scalar] {
    defer { pending.removeAll() }
    return Array(String(systemBytes: pending).unicodeScalars)
  }

  /// The number of bytes of the character that starts with this one; 1 for what can't start any.
  private static func length(leadByte: UInt8) -> Int {
    switch leadByte {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }
}
