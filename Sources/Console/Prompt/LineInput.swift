/// What the user did at a prompt.
enum LineInput: Sendable, Equatable {
  /// A line was typed, given here without its newline, as `String.init(systemBytes:)` has it.
  case line(String)

  /// Ctrl-C was pressed: what had been typed of the line is dropped.
  case interrupted

  /// Ctrl-D was pressed on an empty line, or the input has ended.
  case endOfInput
}
