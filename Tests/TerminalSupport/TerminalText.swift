/// The output of a program on a terminal, without the sequences that move the cursor and set colors.
package enum TerminalText {
  /// The text alone: no escape sequences (ECMA-48), carriage returns, backspaces and bells.
  ///
  /// A sequence that has only begun counts as one, so that the result for the first part of an output
  /// is always the first part of the result.
  package static func plain(_ bytes: some Sequence<UInt8>) -> String {
    var parser = TerminalParser()
    var plain = String.UnicodeScalarView()
    for byte in bytes {
      switch parser.next(byte) {
      case .print(let scalar): plain.append(scalar)
      case .control(UInt8(ascii: "\n")): plain.append("\n")
      case .control(UInt8(ascii: "\t")): plain.append("\t")
      default: break
      }
    }
    return String(plain)
  }
}
