extension StringProtocol {
  /// The text without the white space, line ends included, at its ends.
  package var trimmingWhitespace: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
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
  package var percentEncoded: String {
    let digits = Array("0123456789ABCDEF")
    return utf8.reduce(into: "") { encoded, byte in
      let character = Character(Unicode.Scalar(byte))
      if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
        encoded.append(character)
      } else {
        encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }

  /// The text that is percent-encoded; nil if it isn't encoded so, or no UTF-8.
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

extension Double {
  /// The number as C's `printf` writes it.
  ///
  /// - Parameter format: A format of one number, such as "%.2f".
  /// - Returns: The text.
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
