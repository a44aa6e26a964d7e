import PrimereplPlatform

/// Decodes the bytes that a terminal sends into keys.
///
/// Bytes can arrive in pieces of any size: an incomplete key is kept until more bytes arrive. The caller calls `flush`
/// after a timeout, since only time distinguishes the Escape key from the beginning of a sequence.
package struct KeyDecoder {
  /// Bytes that don't make a key yet.
  private var pending: [UInt8] = []
  /// The text of a bracketed paste so far.
  private var paste: [UInt8]?

  package init() {}

  /// Whether more bytes can change the meaning of the last ones.
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

  /// Ends an incomplete key, other than a paste: a lone ESC is the Escape key.
  package mutating func flush() -> [Key] {
    guard paste == nil, !pending.isEmpty else { return [] }
    let rest = pending
    pending = []
    let escape: UInt8 = 0x1B
    if rest == [escape] { return [.escape] }
    if rest.first != escape { return String(systemBytes: rest).map { .character($0) } }
    if rest.count == 2, rest[1] < 0x80 { return [.alt(Character(Unicode.Scalar(rest[1])))] }
    return [.unknown]
  }

  package mutating func reset() { self = KeyDecoder() }
}

/// Cuts bytes into keys, until only an incomplete one is left.
private struct Scanner {
  let bytes: [UInt8]
  /// The start of the next key.
  var position = 0
  var paste: [UInt8]?

  /// Keys of a run of text that was cut at once.
  private var characters: ArraySlice<Character> = []
  /// Whether a tab before other text is a character.
  private let hasLiteralTabs: Bool

  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)
  /// In bytes.
  private static let sequenceLimit = 64

  init(bytes: [UInt8], paste: [UInt8]?) {
    (self.bytes, self.paste) = (bytes, paste)
    hasLiteralTabs = bytes.count { $0 >= 0x20 && $0 != 0x7F } > 3
  }

  /// Nil if the rest is incomplete.
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
    case UInt8(ascii: "["): return controlSequence()
    case UInt8(ascii: "O"): return singleShift()
    case 0x1B, 0x80...:
      position += 1
      return .escape
    case let byte:
      position += 2
      return Key(altByte: byte)
    }
  }

  /// Takes `ESC [`, parameters and a final byte.
  private mutating func controlSequence() -> Key? {
    let start = position + 2
    guard start < bytes.count else { return nil }
    if bytes[start] == UInt8(ascii: "[") {
      // The Linux console's function keys.
      guard start + 1 < bytes.count else { return nil }
      position = start + 2
      return .unknown
    }
    var index = start
    while index < bytes.count, index - start < Self.sequenceLimit {
      let byte = bytes[index]
      let parameters = bytes[start..<index]
      if (0x40...0x7E).contains(byte) {
        position = index + 1
        return key(parameters, final: byte)
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

  private mutating func key(_ parameters: ArraySlice<UInt8>, final: UInt8) -> Key? {
    if parameters.elementsEqual("200".utf8), final == UInt8(ascii: "~") {
      paste = []
      return continuePaste()
    }
    return Key(parameters: parameters, final: final)
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
}
