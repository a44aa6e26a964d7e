/// The texts of secrets, which are searched for in other texts, also with the escapes of addresses, JSON and Lua.
///
/// Searching takes O(n) for a text of n bytes, unless many secrets have the same first four bytes.
struct SecretTexts: Sendable {
  /// The minimum size of a secret that is searched for, in bytes: shorter ones are parts of nearly every text.
  private static let minimumSize = 4

  static let bullets = "••••••"

  /// By their first four bytes.
  private var texts: [UInt32: [[UInt8]]] = [:]
  /// For each byte, whether a secret begins with it.
  private var isBeginning = [Bool](repeating: false, count: 256)

  var isEmpty: Bool { texts.isEmpty }

  mutating func insert(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= Self.minimumSize else { return }
    let key = Self.key(of: bytes, at: 0)
    guard texts[key]?.contains(bytes) != true else { return }
    texts[key, default: []].append(bytes)
    isBeginning[Int(bytes[0])] = true
  }

  /// A text with bullets in place of secrets.
  ///
  /// The beginning of a secret is one, too, where the rest is left out of a text: before `…` and `...`.
  func hidden(in text: String) -> String {
    guard !isEmpty else { return text }
    let bytes = Array(text.utf8)
    let ranges = ranges(in: bytes)
    guard !ranges.isEmpty else { return text }
    var shown: [UInt8] = []
    var end = 0
    for range in ranges where range.upperBound > end {
      if range.lowerBound >= end {
        shown += bytes[end..<range.lowerBound]
        shown += Self.bullets.utf8
      }
      end = range.upperBound
    }
    return String(decoding: shown + bytes[end...], as: UTF8.self)
  }

  func areContained(in bytes: [UInt8]) -> Bool { !isEmpty && !ranges(in: bytes).isEmpty }

  /// The places of secrets in the order in which they begin; they may overlap.
  private func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    let escaped = EscapedText.Escapes.allCases.filter { $0.mayBe(in: bytes) }.flatMap { escapes in
      let text = EscapedText(bytes, escapes)
      return ranges(inPlain: text.bytes).map { text.range($0) }
    }
    let plain = ranges(inPlain: bytes)
    return escaped.isEmpty ? plain : (plain + escaped).sorted { $0.lowerBound < $1.lowerBound }
  }

  private func ranges(inPlain bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var position = 0
    while position + Self.minimumSize <= bytes.count {
      if isBeginning[Int(bytes[position])],
        let candidates = texts[Self.key(of: bytes, at: position)],
        let size = size(of: candidates, in: bytes, at: position)
      {
        ranges.append(position..<position + size)
        position += size
      } else {
        position += 1
      }
    }
    return ranges
  }

  /// The size of the longest secret at a position; nil if none is there.
  private func size(of candidates: [[UInt8]], in bytes: [UInt8], at position: Int) -> Int? {
    candidates.compactMap { secret in
      let size = zip(secret, bytes[position...]).prefix { $0 == $1 }.count
      let rest = bytes[(position + size)...]
      let isShortened = rest.starts(with: "…".utf8) || rest.starts(with: "...".utf8)
      return size == secret.count || isShortened ? size : nil
    }.max()
  }

  /// The first four bytes from a position on, which has as many after it.
  private static func key(of bytes: [UInt8], at position: Int) -> UInt32 {
    bytes[position..<position + minimumSize].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// A text whose escapes are replaced by what they stand for.
private struct EscapedText {
  enum Escapes: CaseIterable {
    /// `%2F`, in addresses.
    case percent
    /// `%2F`, and `+` for a space, in forms.
    case form
    /// `\"`, in JSON and Lua.
    case backslash

    func mayBe(in bytes: [UInt8]) -> Bool {
      switch self {
      case .percent: bytes.contains(UInt8(ascii: "%"))
      case .form: bytes.contains(UInt8(ascii: "+"))
      case .backslash: bytes.contains(UInt8(ascii: "\\"))
      }
    }
  }

  private(set) var bytes: [UInt8] = []
  /// The positions of the bytes in the text, and the text's end.
  private var positions: [Int] = []

  init(_ text: [UInt8], _ escapes: Escapes) {
    var position = 0
    while position < text.count {
      let (byte, size) = Self.byte(in: text[position...], escapes)
      bytes.append(byte)
      positions.append(position)
      position += size
    }
    positions.append(position)
  }

  /// The place of a part in the text.
  func range(_ range: Range<Int>) -> Range<Int> {
    positions[range.lowerBound]..<positions[range.upperBound]
  }

  private static func byte(in rest: ArraySlice<UInt8>, _ escapes: Escapes) -> (UInt8, size: Int) {
    let first = rest[rest.startIndex]
    switch (escapes, first) {
    case (.form, UInt8(ascii: "+")): return (UInt8(ascii: " "), 1)
    case (.percent, UInt8(ascii: "%")), (.form, UInt8(ascii: "%")):
      let digits = rest.dropFirst().prefix(2)
      guard digits.count == 2, let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return (first, 1) }
      return (byte, 3)
    case (.backslash, UInt8(ascii: "\\")):
      switch rest.dropFirst().first {
      case UInt8(ascii: "n"): return (10, 2)
      case UInt8(ascii: "t"): return (9, 2)
      case UInt8(ascii: "r"): return (13, 2)
      case UInt8(ascii: "b"): return (8, 2)
      case UInt8(ascii: "f"): return (12, 2)
      case let escaped?: return (escaped, 2)
      case nil: return (first, 1)
      }
    default: return (first, 1)
    }
  }
}
