extension StringProtocol {
  /// The text without the white space, line ends included, at its ends.
  package var trimmingWhitespace: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

extension Sequence<Character> {
  package var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

extension String {
  /// The text in a form that is the same for upper and lower case in all languages: "STRASSE" and "straße".
  ///
  /// The lower case of each letter's upper case: but for a dotless ı, which isn't an I, that is Unicode's full case folding
  /// (CaseFolding.txt, C and F) in all but a few rare letters.
  package var caseFolded: String {
    unicodeScalars.reduce(into: "") { folded, scalar in
      folded += scalar == "ı" ? "ı" : scalar.properties.uppercaseMapping.lowercased()
    }
  }

  /// The text for use anywhere in an address: all but the unreserved characters of RFC 3986, section 2.3, are encoded.
  ///
  /// `URLComponents.queryItems` leaves `+` and `;` alone, and servers read `+` as a space.
  package var percentEncoded: String { utf8.percentEncoded(keeping: "-._~") }

  /// The text that this encodes; nil if an escape is malformed, or the bytes aren't UTF-8.
  package var percentDecoded: String? {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      rest = rest.dropFirst(2)
      // A number with a sign has a value, too.
      guard digits.count == 2, digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(code)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension String {
  /// Whether both have the same bytes.
  ///
  /// `==` also considers the composed and decomposed forms of a letter equal, but replacing one by the other is a
  /// change.
  ///
  /// - Complexity: O(length); that of `==` grows with the square of the number of combining marks.
  package func isExactly(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        guard let first = bytes.baseAddress, let other = others.baseAddress else { return true }
        return memcmp(first, other, bytes.count) == 0
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

// MARK: - Bytes

extension String {
  /// Makes a text of UTF-8, with another text in place of each byte that isn't, or whose scalar isn't kept.
  ///
  /// - Complexity: O(length).
  package init(
    _ bytes: some Collection<UInt8>, keeping isKept: (Unicode.Scalar) -> Bool = { _ in true },
    replacing replacement: (UInt8) -> String
  ) {
    let bytes = Array(bytes)
    // Bytes, since appending to a view of a text takes time proportional to its length.
    var text: [UInt8] = []
    var parser = Unicode.UTF8.ForwardParser()
    var input = bytes.makeIterator()
    var position = 0
    while true {
      let (length, isText): (Int, Bool)
      switch parser.parseScalar(from: &input) {
      case .valid(let sequence):
        (length, isText) = (sequence.count, isKept(UTF8.decode(sequence)))
      case .error(let count): (length, isText) = (count, false)
      case .emptyInput:
        self = String(decoding: text, as: UTF8.self)
        return
      }
      let part = bytes[position..<position + length]
      position += length
      if isText { text += part } else { for byte in part { text += replacement(byte).utf8 } }
    }
  }
}

extension UInt8 {
  @inlinable package var isASCIILetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  @inlinable package var isASCIIDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}

extension Sequence<UInt8> {
  /// The bytes as ASCII, with `%` and two digits for all but letters, digits and the kept characters.
  package func percentEncoded(keeping kept: String, space: String = "%20") -> String {
    let digits = Array("0123456789ABCDEF")
    return reduce(into: "") { encoded, byte in
      let character = Character(Unicode.Scalar(byte))
      if character.isASCII, character.isLetter || character.isNumber || kept.contains(character) {
        encoded.append(character)
      } else if character == " " {
        encoded += space
      } else {
        encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }

  /// A hash that is the same in every process: FNV-1a of 64 bits.
  ///
  /// Files are named by it and records identified, so it must stay as it is. Source:
  /// https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
  @inlinable package var stableHash: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The hash of 32 bits, for the same uses.
  @inlinable package var shortStableHash: UInt32 {
    reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}

// MARK: - Numbers and times

extension Double {
  /// The number as C's `printf` writes it, in a format of one number such as "%.2f".
  package func formatted(_ format: String) -> String {
    withVaList([self]) { arguments in
      // A number of 309 digits and its fraction fit.
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { text in
        guard let start = text.baseAddress, vsnprintf(start, text.count, format, arguments) >= 0
        else { return "" }
        return String(cString: start)
      }
    }
  }
}

extension Date {
  /// The time in the local time zone, as C's `strftime` writes it.
  ///
  /// - Parameter format: A format such as "%H:%M:%S", in which no name of a day or month stands.
  /// - Returns: The text; "?" for a year that C's calendar doesn't have.
  package func localTime(_ format: String) -> String {
    guard var seconds = time_t(exactly: timeIntervalSince1970.rounded(.down)) else { return "?" }
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return "?" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
      guard let start = text.baseAddress, strftime(start, text.count, format, &parts) > 0 else {
        return "?"
      }
      return String(cString: start)
    }
  }
}
