extension String {
  /// Whether code may contain a password, which is kept and shown nowhere: in code that sets it, or in an address.
  var mayShowPassword: Bool {
    if mentionsPassword { return true }
    return Array(utf8).split(separator: UInt8(ascii: "\n")).contains { line in
      guard let sign = line.lastIndex(of: UInt8(ascii: "@")) else { return false }
      return ["//", "http:", "https:"].contains { line[..<sign].contains(word: $0) }
    }
  }

  /// Whether the text is about passwords, in upper or lower case.
  var mentionsPassword: Bool { Array(utf8)[...].contains(word: "password") }
}

extension ArraySlice<UInt8> {
  /// Whether a word in lower-case ASCII is in the bytes, in upper or lower case.
  func contains(word: String) -> Bool {
    let word = Array(word.utf8)
    func isSame(_ byte: UInt8, _ letter: UInt8) -> Bool {
      byte == letter
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && byte | 0x20 == letter
    }
    return indices.contains { self[$0...].starts(with: word, by: isSame) }
  }
}
