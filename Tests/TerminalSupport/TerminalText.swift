/// The output of a program on a terminal, without the sequences that move the cursor and set colors.
package enum TerminalText {
  private enum State {
    case text
    case escape
    case controlSequence
    case string
    case stringEscape
  }

  /// The text alone: no escape sequences (ECMA-48), carriage returns, backspaces and bells.
  ///
  /// A sequence that has only begun counts as one, so that the result for the first part of an output
  /// is always the first part of the result.
  package static func plain(_ bytes: some Sequence<UInt8>) -> String {
    var plain: [UInt8] = []
    var state = State.text
    for byte in bytes {
      switch (state, byte) {
      case (.text, 0x1B): state = .escape
      case (.text, UInt8(ascii: "\n")), (.text, UInt8(ascii: "\t")): plain.append(byte)
      case (.text, 0..<0x20), (.text, 0x7F): break
      case (.text, _): plain.append(byte)
      case (.escape, UInt8(ascii: "[")): state = .controlSequence
      case (.escape, UInt8(ascii: "]")), (.escape, UInt8(ascii: "P")): state = .string
      case (.escape, 0x20...0x2F): break  // intermediate bytes, as in ESC ( B
      case (.escape, _): state = .text
      case (.controlSequence, 0x40...0x7E): state = .text
      case (.controlSequence, _): break
      case (.string, 0x07): state = .text
      case (.string, 0x1B): state = .stringEscape
      case (.string, _): break
      case (.stringEscape, _): state = .text
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }
}
