/// The keys of the sequences that terminals send: xterm and its relatives, rxvt, VT terminals and the Linux console.
extension Key {
  /// The key of a byte below 0x20, or of DEL.
  init(controlByte byte: UInt8) {
    switch byte {
    case 0x09: self = .tab
    case 0x0D: self = .enter
    case 0x1B: self = .escape
    case 0x7F: self = .backspace
    default: self = .control(Self.controlName(of: byte))
    }
  }

  /// The key of ESC followed by an ASCII character.
  init(altByte byte: UInt8) {
    switch byte {
    case 0x0A, 0x0D: self = .altEnter
    case 0x08, 0x7F: self = .altBackspace
    case ..<0x20: self = .altControl(Self.controlName(of: byte))
    default: self = .alt(Character(Unicode.Scalar(byte)))
    }
  }

  private static func controlName(of byte: UInt8) -> Character {
    Character(Character(Unicode.Scalar(byte | 0x40)).lowercased())
  }

  /// The key of `ESC O`, an optional modifier and a letter.
  init(singleShift final: UInt8, modifier: some Collection<UInt8>) {
    let isModified = Self.isModified(Int(String(decoding: modifier, as: UTF8.self)) ?? 1)
    switch Character(Unicode.Scalar(final)) {
    case "A", "B", "C", "D", "H", "F": self = Key(letter: final, isModified: isModified)
    case "a", "b", "c", "d": self = Key(letter: final - 0x20, isModified: true)
    default: self = .unknown
    }
  }

  /// The key of `ESC [`, parameters and a final byte.
  init(parameters: ArraySlice<UInt8>, final: UInt8) {
    let numbers = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    let number = numbers.first ?? 0
    let isModified = numbers.count > 1 && Self.isModified(numbers[1])
    switch Character(Unicode.Scalar(final)) {
    case "A", "B", "C", "D", "H", "F": self = Key(letter: final, isModified: isModified)
    case "Z": self = .backTab
    case "~": self = Key(number: number, isModified: isModified)
    // rxvt's form of a key with Ctrl.
    case "^": self = Key(number: number, isModified: true)
    default: self = .unknown
    }
  }

  /// Whether Alt (2), Ctrl (4) or Meta (8) is pressed; xterm's parameter is the sum of these, with 1 for Shift, and 1.
  private static func isModified(_ parameter: Int) -> Bool {
    parameter > 1 && (parameter - 1) & 14 != 0
  }

  private init(letter: UInt8, isModified: Bool) {
    switch Character(Unicode.Scalar(letter)) {
    case "A": self = isModified ? .controlUp : .up
    case "B": self = isModified ? .controlDown : .down
    case "C": self = isModified ? .controlRight : .right
    case "D": self = isModified ? .controlLeft : .left
    case "H": self = .home
    default: self = .end
    }
  }

  private init(number: Int, isModified: Bool) {
    switch number {
    case 1, 7: self = .home
    case 4, 8: self = .end
    case 3: self = isModified ? .controlDelete : .delete
    case 5: self = .pageUp
    case 6: self = .pageDown
    default: self = .unknown
    }
  }

  /// The characters that the key's bytes are; nil for a key that is a sequence.
  var literalText: String? {
    switch self {
    case .character(let character): String(character)
    case .control(let name): Self.controlText(name)
    case .alt(let character): "\u{1B}\(character)"
    case .altControl(let name): Self.controlText(name).map { "\u{1B}" + $0 }
    case .enter: "\r"
    case .altEnter: "\u{1B}\r"
    case .tab: "\t"
    case .escape: "\u{1B}"
    case .backspace: "\u{7F}"
    case .altBackspace: "\u{1B}\u{7F}"
    case .paste(let text): text
    default: nil
    }
  }

  private static func controlText(_ name: Character) -> String? {
    guard name != "?" else { return "\u{7F}" }
    return name.uppercased().utf8.first.map { String(Unicode.Scalar($0 & 0x1F)) }
  }
}
