/// What the sequences of terminals mean: those of xterm and its relatives, rxvt, VT terminals and the Linux console.
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
    let modifiers = Modifiers(parameter: Int(String(decoding: modifier, as: UTF8.self)) ?? 1)
    switch Character(Unicode.Scalar(final)) {
    case "A", "B", "C", "D", "H", "F": self = Key(letter: final, modifiers)
    case "a", "b", "c", "d": self = Key(letter: final - 0x20, .control)
    case "M": self = .enter
    // The digits and signs of a keypad in application mode.
    case "j"..."y": self = .character(Character(Unicode.Scalar(final - 0x40)))
    default: self = .unknown
    }
  }

  /// The key of `ESC [`, parameters and a final byte.
  init(parameters: ArraySlice<UInt8>, final: UInt8, isAlt: Bool) {
    let numbers = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { part -> Int? in
        // A number can have another one after a colon: the kind of event, where 3 is a key's release.
        let fields = part.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard let number = fields.first else { return 0 }
        if fields.count > 1, fields[1].elementsEqual("3".utf8) { return nil }
        return number.isEmpty ? 0 : Int(String(decoding: number, as: UTF8.self))
      }
    let known = numbers.compactMap(\.self)
    guard known.count == numbers.count else {
      self = .unknown
      return
    }
    var modifiers = Modifiers(parameter: known.count > 1 ? known[1] : 1)
    if isAlt { modifiers.formUnion(.alt) }
    switch Character(Unicode.Scalar(final)) {
    case "A", "B", "C", "D", "H", "F": self = Key(letter: final, modifiers)
    case "a", "b", "c", "d": self = Key(letter: final - 0x20, modifiers)
    case "Z": self = .backTab
    case "u": self = Key(code: known.first ?? 0, modifiers)
    case "~" where known.first == 27 && known.count == 3: self = Key(code: known[2], modifiers)
    case "~": self = Key(number: known.first ?? 0, modifiers)
    case "$": self = Key(number: known.first ?? 0, modifiers)
    case "^", "@": self = Key(number: known.first ?? 0, modifiers.union(.control))
    default: self = .unknown
    }
  }

  /// The modifier keys of a key press, as xterm numbers them, less 1.
  private struct Modifiers: OptionSet {
    let rawValue: Int

    static let shift = Modifiers(rawValue: 1)
    static let alt = Modifiers(rawValue: 2)
    static let control = Modifiers(rawValue: 4)

    init(rawValue: Int) { self.rawValue = rawValue }

    init(parameter: Int) {
      let bits = parameter > 0 ? parameter - 1 : 0
      // Terminals report Meta (8) or Alt for the same key.
      rawValue = (bits & 7) | (bits & 8 == 0 ? 0 : 2)
    }
  }

  private init(letter: UInt8, _ modifiers: Modifiers) {
    let keys: (plain: Key, alt: Key, control: Key) =
      switch Character(Unicode.Scalar(letter)) {
      case "A": (.up, .altUp, .controlUp)
      case "B": (.down, .altDown, .controlDown)
      case "C": (.right, .altRight, .controlRight)
      case "D": (.left, .altLeft, .controlLeft)
      case "H": (.home, .home, .home)
      default: (.end, .end, .end)
      }
    self =
      modifiers.contains(.control) ? keys.control : modifiers.contains(.alt) ? keys.alt : keys.plain
  }

  private init(number: Int, _ modifiers: Modifiers) {
    switch number {
    case 1, 7: self = .home
    case 4, 8: self = .end
    case 3: self = modifiers.contains(.control) ? .controlDelete : .delete
    case 5: self = .pageUp
    case 6: self = .pageDown
    default: self = .unknown
    }
  }

  /// The key with a Unicode scalar, as xterm's `modifyOtherKeys` and other protocols report it.
  private init(code: Int, _ modifiers: Modifiers) {
    switch code {
    case 13: self = modifiers.isEmpty ? .enter : .altEnter
    case 9: self = modifiers.contains(.shift) ? .backTab : .tab
    case 27: self = .escape
    case 8, 127: self = modifiers.isDisjoint(with: [.alt, .control]) ? .backspace : .altBackspace
    default:
      guard code >= 32, let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init),
        !(0xE000...0xF8FF).contains(code)
      else {
        self = .unknown
        return
      }
      self = Key(character: Character(scalar), modifiers)
    }
  }

  private init(character: Character, _ modifiers: Modifiers) {
    let lowercase = character.lowercased()
    if modifiers.contains(.control) {
      guard character.isASCII, let name = lowercase.first else {
        self = .unknown
        return
      }
      let isAlt = modifiers.contains(.alt)
      switch name {
      case "i" where !isAlt: self = .tab
      case "m": self = isAlt ? .altEnter : .enter
      case "[" where !isAlt: self = .escape
      case "a"..."z", "@", "[", "\\", "]", "^", "_", "?":
        self = isAlt ? .altControl(name) : .control(name)
      case " ": self = isAlt ? .altControl("@") : .control("@")
      case "/": self = isAlt ? .altControl("_") : .control("_")
      default: self = .unknown
      }
      return
    }
    let uppercase = character.uppercased()
    let isShiftedLetter = modifiers.contains(.shift) && uppercase.count == 1
    let typed = isShiftedLetter ? uppercase.first ?? character : character
    self = modifiers.contains(.alt) ? .alt(typed) : .character(typed)
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
