/// Follows what a program writes to a terminal, as far as needed to continue after something else was drawn: where an
/// unfinished line ends, and which colors are selected.
struct OutputTracker: Sendable {
  /// The column after the last character of an unfinished line, counted in its last row; nil if the last line is finished.
  ///
  /// It is the screen's width if the row is full.
  private(set) var unfinishedColumn: Int?
  /// The SGR sequences since colors were last reset, to be sent again.
  private(set) var selection: [UInt8] = []

  private var columns: Int
  /// The beginning of a sequence or a character whose rest is still to come.
  private var held: [UInt8] = []

  private static let maximumHeld = 4096
  private static let maximumSelection = 256

  init(columns: Int) { self.columns = columns }

  /// Forgets an unfinished line, as it is no longer where it was.
  mutating func resize(toColumns columns: Int) {
    self.columns = columns
    unfinishedColumn = nil
  }

  /// Ends an unfinished line, after a line break was written elsewhere.
  mutating func finishLine() { unfinishedColumn = nil }

  /// What was held back, which won't be completed.
  mutating func takeHeld() -> [UInt8] {
    defer { held = [] }
    return held
  }

  /// Follows more output.
  ///
  /// - Returns: What is to be written now. An incomplete sequence at the end is held back, since anything written after
  ///   it would become a part of it.
  mutating func follow(_ bytes: [UInt8]) -> [UInt8] {
    let output = held + bytes
    held = []
    var index = output.startIndex
    while index < output.endIndex {
      guard let length = follow(output[index...]) else {
        if output.endIndex - index > Self.maximumHeld { break }
        held = Array(output[index...])
        return Array(output[..<index])
      }
      index += length
    }
    return output
  }

  /// Follows a character or a sequence.
  ///
  /// - Returns: Its length; nil if it is incomplete.
  private mutating func follow(_ rest: ArraySlice<UInt8>) -> Int? {
    guard let byte = rest.first else { return nil }
    switch byte {
    case 0x1B: return followSequence(rest)
    case 0x20..<0x7F: advance(by: 1)
    case UInt8(ascii: "\n"): unfinishedColumn = nil
    case UInt8(ascii: "\r"): if unfinishedColumn != nil { unfinishedColumn = 0 }
    case 0x08: if let column = unfinishedColumn { unfinishedColumn = max(column - 1, 0) }
    case UInt8(ascii: "\t"):
      let column = unfinishedColumn ?? 0
      let next = (column / DisplayForm.tabStop + 1) * DisplayForm.tabStop
      unfinishedColumn = min(next, max(columns - 1, 0))
    case 0x80...: return followCharacter(rest)
    default: break
    }
    return 1
  }

  private mutating func advance(by width: Int) {
    guard width > 0 else { return }
    let column = (unfinishedColumn ?? 0) + width
    unfinishedColumn = column > columns ? min(width, columns) : column
  }

  private mutating func followCharacter(_ rest: ArraySlice<UInt8>) -> Int? {
    var input = rest.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    switch parser.parseScalar(from: &input) {
    case .valid(let sequence):
      advance(by: UTF8.decode(sequence).columns)
      return sequence.count
    case .error(let length):
      // The parser reads as much as can be right; if that is all there is, the rest may follow.
      let expected = Self.length(ofSequenceWith: rest[rest.startIndex])
      if length == rest.count, rest.count < expected { return nil }
      advance(by: 1)
      return length
    case .emptyInput: return nil
    }
  }

  private static func length(ofSequenceWith lead: UInt8) -> Int {
    switch lead {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }

  /// Follows an escape sequence (ECMA-48, 5.4 and 5.6).
  private mutating func followSequence(_ rest: ArraySlice<UInt8>) -> Int? {
    guard let kind = rest.dropFirst().first else { return nil }
    switch kind {
    case UInt8(ascii: "["):
      guard let end = rest.dropFirst(2).firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
        return nil
      }
      followControl(rest[rest.startIndex...end])
      return end - rest.startIndex + 1
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
      UInt8(ascii: "_"):
      return Self.length(ofString: rest)
    case 0x20...0x2F:
      guard let end = rest.dropFirst().firstIndex(where: { !(0x20...0x2F).contains($0) }) else {
        return nil
      }
      return end - rest.startIndex + 1
    default: return kind < 0x20 ? 1 : 2
    }
  }

  /// The length of a control string, which ends in BEL or ST.
  private static func length(ofString rest: ArraySlice<UInt8>) -> Int? {
    var previous: UInt8 = 0
    for (offset, byte) in rest.enumerated().dropFirst(2) {
      if byte == 0x07 || (previous == 0x1B && byte == UInt8(ascii: "\\")) { return offset + 1 }
      previous = byte
    }
    return nil
  }

  private mutating func followControl(_ sequence: ArraySlice<UInt8>) {
    let parameters = sequence.dropFirst(2).dropLast()
    guard let final = sequence.last else { return }
    switch final {
    case UInt8(ascii: "m"):
      // An empty parameter is 0, which resets all others.
      let resets = { (parameter: ArraySlice<UInt8>) in
        parameter.allSatisfy { $0 == UInt8(ascii: "0") }
      }
      if resets(parameters.prefix { $0 != UInt8(ascii: ";") }) { selection = [] }
      if !resets(parameters), selection.count + sequence.count <= Self.maximumSelection {
        selection += sequence
      }
    case UInt8(ascii: "A")...UInt8(ascii: "H"), UInt8(ascii: "J"), UInt8(ascii: "d"),
      UInt8(ascii: "f"):
      // The cursor is somewhere else now; what follows the block begins a line.
      unfinishedColumn = 0
    default: break
    }
  }
}
