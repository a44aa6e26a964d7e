/// Takes a terminal's input apart into characters, control characters and sequences.
struct TerminalParser: Sendable {
  enum Action: Equatable {
    case print(Unicode.Scalar)
    case control(UInt8)
    /// ESC and a byte.
    case escape(UInt8)
    /// A control sequence with its final character, its parameters, and a private prefix such as `?`.
    case sequence(Character, [Int], prefix: Character?)
  }

  private enum State {
    case ground
    case escape
    /// After ESC and an intermediate byte.
    case intermediate
    case sequence
    case string
    case stringEscape
  }

  private var state = State.ground
  private var parameters: [UInt8] = []
  private var character: [UInt8] = []

  /// Takes a byte; gives what it completes.
  mutating func next(_ byte: UInt8) -> Action? {
    switch state {
    case .ground: return ground(byte)
    case .escape: return escape(byte)
    case .intermediate:
      if !(0x20...0x2F).contains(byte) { state = .ground }
    case .sequence: return sequence(byte)
    case .string:
      if byte == 0x07 { state = .ground }
      if byte == 0x1B { state = .stringEscape }
    case .stringEscape: state = byte == UInt8(ascii: "\\") ? .ground : .string
    }
    return nil
  }

  private mutating func ground(_ byte: UInt8) -> Action? {
    guard byte >= 0x80 else {
      character = []
      if byte == 0x1B { state = .escape }
      if byte == 0x1B || byte == 0x7F { return nil }
      return byte < 0x20 ? .control(byte) : .print(Unicode.Scalar(byte))
    }
    if byte >= 0xC0 { character = [] }
    character.append(byte)
    guard let first = character.first else { return nil }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    guard character.count == length else { return nil }
    defer { character = [] }
    return String(decoding: character, as: UTF8.self).unicodeScalars.first.map(Action.print)
  }

  private mutating func escape(_ byte: UInt8) -> Action? {
    switch byte {
    case UInt8(ascii: "["):
      state = .sequence
      parameters = []
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
      UInt8(ascii: "_"):
      state = .string
    case 0x20...0x2F: state = .intermediate
    case 0x1B: break
    default:
      state = .ground
      return byte < 0x20 ? .control(byte) : .escape(byte)
    }
    return nil
  }

  private mutating func sequence(_ byte: UInt8) -> Action? {
    switch byte {
    case 0x20...0x3F:
      parameters.append(byte)
      return nil
    case 0x40...0x7E:
      state = .ground
      let text = String(decoding: parameters, as: UTF8.self)
      let prefix = text.first.flatMap { "<=>?".contains($0) ? $0 : nil }
      let numbers = text.dropFirst(prefix == nil ? 0 : 1).split(
        separator: ";", omittingEmptySubsequences: false)
      let values = numbers == [""] ? [] : numbers.map { Int($0) ?? 0 }
      return .sequence(Character(Unicode.Scalar(byte)), values, prefix: prefix)
    case 0x1B:
      state = .escape
      return nil
    default: return byte < 0x20 ? .control(byte) : nil
    }
  }
}

/// The columns of characters on a terminal that shows grapheme clusters, as most do by now.
package enum TerminalWidth {
  /// The columns of a grapheme cluster.
  package static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    let isEmoji = scalars.count > 1 && first.properties.isEmoji
    if isEmoji, scalars.contains(where: { $0 == "\u{FE0F}" || $0 == "\u{200D}" }) { return 2 }
    return columns(of: first)
  }

  static func columns(of scalar: Unicode.Scalar) -> Int {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1160...0x11FF: return 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return properties.isEmojiPresentation ? 2 : 1
    }
  }
}
