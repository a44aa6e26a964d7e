import Platform

/// Makes keys of the bytes that a terminal sends.
///
/// Bytes can arrive in pieces of any size: what is incomplete is kept until more comes. The caller calls `flush` when
/// nothing follows for a while, as only time tells the Escape key from the beginning of a sequence.
package struct KeyDecoder {
  /// Bytes that don't make a key yet.
  private var pending: [UInt8] = []
  /// The text of a bracketed paste so far.
  private var paste: [UInt8]?

  package init() {}

  /// Whether a bracketed paste has begun and not ended.
  package var isInPaste: Bool { paste != nil }

  /// Whether more bytes can change what the last ones mean.
  package var isInSequence: Bool { !pending.isEmpty && paste == nil }

  /// The keys that the bytes so far make.
  ///
  /// A tab among other characters of the same piece is typed as a tab: terminals without bracketed paste send pasted
  /// text in large pieces.
  ///
  /// - Complexity: O(n), where n is the number of bytes.
  package mutating func decode(_ bytes: [UInt8]) -> [Key] {
    let input = pending + bytes
    pending = []
    var scanner = Scanner(bytes: input, paste: paste)
    // The scanner must be the only owner of the text that it appends to.
    paste = nil
    var keys: [Key] = []
    while let key = scanner.next() { keys.append(key) }
    paste = scanner.paste
    pending = Array(input[scanner.position...])
    return keys
  }

  /// Ends what is incomplete, other than a paste: a lone ESC is the Escape key.
  package mutating func flush() -> [Key] {
    guard paste == nil, !pending.isEmpty else { return [] }
    let rest = pending
    pending = []
    let escape: UInt8 = 0x1B
    switch rest {
    case [escape]: return [.escape]
    case [escape, escape]: return [.escape, .escape]
    default: break
    }
    if rest.first != escape { return String(systemBytes: rest).map { .character($0) } }
    if rest.count == 2, rest[1] < 0x80 { return [.alt(Character(Unicode.Scalar(rest[1])))] }
    return [.unknown]
  }

  /// Forgets everything that is incomplete, a paste too.
  package mutating func reset() { self = KeyDecoder() }
}

/// Cuts bytes into keys, until only an incomplete one is left.
private struct Scanner {
  let bytes: [UInt8]
  /// Where the next key begins.
  var position = 0
  var paste: [UInt8]?

  /// Keys of a run of text that was cut at once.
  private var characters: ArraySlice<Character> = []
  /// Whether a tab before other text is a character.
  private let hasLiteralTabs: Bool

  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)
  /// The most bytes of a sequence that ends with a letter.
  private static let sequenceLimit = 64
  /// The most bytes of a string that a terminal answers with.
  private static let answerLimit = 4096

  init(bytes: [UInt8], paste: [UInt8]?) {
    (self.bytes, self.paste) = (bytes, paste)
    hasLiteralTabs = bytes.count { $0 >= 0x20 && $0 != 0x7F } > 3
  }

  /// The next key; nil if the rest is incomplete.
  mutating func next() -> Key? {
    if let character = characters.popFirst() { return .character(character) }
    if paste != nil { return continuePaste() }
    guard position < bytes.count else { return nil }
    switch bytes[position] {
    case 0x1B: return escapeSequence()
    case 0x09 where isTabBeforeText:
      position += 1
      return .character("\t")
    case 0..<0x20, 0x7F:
      position += 1
      return Key(controlByte: bytes[position - 1])
    default:
      characters = ArraySlice(takeText())
      return characters.popFirst().map { .character($0) }
    }
  }

  private var isTabBeforeText: Bool {
    guard hasLiteralTabs else { return false }
    let rest = bytes[position...].drop { $0 == 0x09 }
    return rest.first.map { $0 >= 0x20 && $0 != 0x7F } ?? false
  }

  /// Takes the bytes up to the next control byte; an incomplete character at the end is left.
  private mutating func takeText() -> String {
    let start = position
    position = bytes[start...].firstIndex { $0 < 0x20 || $0 == 0x7F } ?? bytes.count
    if position == bytes.count { position -= incompleteTail(of: bytes[start...]) }
    return String(systemBytes: bytes[start..<position])
  }

  /// The number of bytes at the end that begin a UTF-8 character without completing it.
  private func incompleteTail(of text: ArraySlice<UInt8>) -> Int {
    for (index, byte) in text.suffix(3).reversed().enumerated() {
      switch byte {
      case 0x80..<0xC0: continue
      case 0xC2..<0xE0: return index < 1 ? index + 1 : 0
      case 0xE0..<0xF0: return index < 2 ? index + 1 : 0
      case 0xF0..<0xF5: return index + 1
      default: return 0
      }
    }
    return 0
  }

  // MARK: - Paste

  private mutating func continuePaste() -> Key? {
    let end = Self.pasteEnd
    var index = position
    while let escape = bytes[index...].firstIndex(of: 0x1B) {
      let candidate = bytes[escape...].prefix(end.count)
      if candidate.elementsEqual(end) {
        paste?.append(contentsOf: bytes[position..<escape])
        position = escape + end.count
        defer { paste = nil }
        return .paste(Self.text(ofPaste: paste ?? []))
      }
      if end.starts(with: candidate) {
        // The end of the paste has begun, perhaps.
        paste?.append(contentsOf: bytes[position..<escape])
        position = escape
        return nil
      }
      index = escape + 1
    }
    paste?.append(contentsOf: bytes[position...])
    position = bytes.count
    return nil
  }

  private static func text(ofPaste bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == 0x0A, previous == 0x0D {
        previous = byte
        continue
      }
      text.append(byte == 0x0D ? 0x0A : byte)
      previous = byte
    }
    return String(systemBytes: text)
  }

  // MARK: - Sequences

  /// Takes a sequence that begins with ESC; nil, without taking anything, if it is incomplete.
  private mutating func escapeSequence() -> Key? {
    guard position + 1 < bytes.count else { return nil }
    switch bytes[position + 1] {
    case UInt8(ascii: "["): return controlSequence(from: position + 2, isAlt: false)
    case UInt8(ascii: "O"): return singleShift()
    case UInt8(ascii: "]"), UInt8(ascii: "P"): return answer()
    case 0x1B: return doubleEscape()
    case let byte where byte < 0x80:
      position += 2
      return Key(altByte: byte)
    default: return altCharacter()
    }
  }

  /// rxvt sends ESC before the sequence of a key pressed with Alt.
  private mutating func doubleEscape() -> Key? {
    guard position + 2 < bytes.count else { return nil }
    if bytes[position + 2] == UInt8(ascii: "[") {
      return controlSequence(from: position + 3, isAlt: true)
    }
    position += 1
    return .escape
  }

  private mutating func altCharacter() -> Key? {
    let rest = bytes[(position + 1)...].prefix(4)
    let length = rest.dropFirst().prefix { (0x80..<0xC0).contains($0) }.count + 1
    let candidate = rest.prefix(length)
    guard rest.count > length || incompleteTail(of: candidate) == 0 else { return nil }
    position += 1
    guard let character = String(systemBytes: candidate).first else { return .unknown }
    // A byte that isn't UTF-8 stands for itself, and what follows it is text of its own.
    position += String(character).systemBytes.count
    return .alt(character)
  }

  /// Takes `ESC [`, parameters and a final byte.
  private mutating func controlSequence(from start: Int, isAlt: Bool) -> Key? {
    guard start < bytes.count else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "["):
      // The Linux console's function keys.
      guard start + 1 < bytes.count else { return nil }
      position = start + 2
      return .unknown
    case UInt8(ascii: "M"):
      // A mouse report with three bytes of data.
      guard start + 3 < bytes.count else { return nil }
      position = start + 4
      return .unknown
    default: break
    }
    var index = start
    while index < bytes.count, index - start < Self.sequenceLimit {
      let byte = bytes[index]
      let parameters = bytes[start..<index]
      if (0x40...0x7E).contains(byte) || Self.endsWithDollar(parameters, byte) {
        position = index + 1
        return key(parameters, final: byte, isAlt: isAlt)
      }
      guard (0x20..<0x40).contains(byte) else {
        // It isn't a sequence; the byte belongs to what comes next.
        position = index
        return .unknown
      }
      index += 1
    }
    guard index < bytes.count else { return nil }
    position = index
    return .unknown
  }

  /// rxvt ends the sequence of a key pressed with Shift by `$`, which others have before a final byte.
  private static func endsWithDollar(_ parameters: ArraySlice<UInt8>, _ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "$") && !parameters.isEmpty
      && parameters.allSatisfy { (0x30...0x39).contains($0) }
  }

  private mutating func key(_ parameters: ArraySlice<UInt8>, final: UInt8, isAlt: Bool) -> Key? {
    if parameters.elementsEqual("200".utf8), final == UInt8(ascii: "~") {
      paste = []
      return continuePaste()
    }
    return Key(parameters: parameters, final: final, isAlt: isAlt)
  }

  /// Takes `ESC O` and a letter, with a modifier between them from some terminals.
  private mutating func singleShift() -> Key? {
    var index = position + 2
    while index < bytes.count, (0x30...0x39).contains(bytes[index]), index < position + 4 {
      index += 1
    }
    guard index < bytes.count else { return nil }
    let modifier = bytes[(position + 2)..<index]
    let final = bytes[index]
    guard (0x40...0x7E).contains(final) else {
      position = index
      return .unknown
    }
    position = index + 1
    return Key(singleShift: final, modifier: modifier)
  }

  /// Takes a terminal's answer (OSC or DCS), which ends with BEL or `ESC \`.
  private mutating func answer() -> Key? {
    let start = position + 2
    guard start < bytes.count else { return nil }
    let rest = bytes[start...].prefix(Self.answerLimit)
    guard
      let end = rest.firstIndex(where: { $0 == 0x07 || $0 == 0x1B || $0 == 0x18 || $0 == 0x1A })
    else {
      guard rest.count == Self.answerLimit else { return nil }
      position = rest.endIndex
      return .unknown
    }
    guard bytes[end] == 0x1B else {
      position = end + 1
      return .unknown
    }
    guard end + 1 < bytes.count else { return nil }
    position = bytes[end + 1] == UInt8(ascii: "\\") ? end + 2 : end
    return .unknown
  }
}
