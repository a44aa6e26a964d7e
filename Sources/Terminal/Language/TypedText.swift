/// The typed part of a name, which can be anywhere in it, in upper or lower case.
struct TypedText {
  private let bytes: [UInt8]
  private let lowercased: [UInt8]

  init(_ bytes: some Collection<UInt8>) {
    self.bytes = Array(bytes)
    lowercased = bytes.map(Self.lowercased)
  }

  /// Ignores case.
  func isPart(of name: some Collection<UInt8>) -> Bool {
    guard name.count >= lowercased.count else { return false }
    return name.lazy.map(Self.lowercased).contains(lowercased)
  }

  /// The elements whose names begin with the text; if there are none, those whose names do so regardless of case; if there
  /// are none of these, those that contain it.
  func best<Element>(of elements: [Element], _ name: (Element) -> String) -> [Element] {
    let beginning = elements.filter { name($0).utf8.starts(with: bytes) }
    guard beginning.isEmpty else { return beginning }
    let similar = elements.filter {
      name($0).utf8.lazy.map(Self.lowercased).starts(with: lowercased)
    }
    return similar.isEmpty ? elements.filter { isPart(of: name($0).utf8) } : similar
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
