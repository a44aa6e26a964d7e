/// The query part of an address.
enum QueryString {
  /// Makes a query from names and values.
  ///
  /// - Parameter items: the pairs, in order.
  /// - Returns: `name=value` pairs joined by `&`, percent-encoded.
  static func make(_ items: KeyValuePairs<String, String>) -> String {
    items.map { "\(percentEncoded($0.key))=\(percentEncoded($0.value))" }.joined(separator: "&")
  }

  /// Percent-encodes all but the unreserved characters of RFC 3986, section 2.3.
  ///
  /// `URLComponents.queryItems` leaves `+` and `;` alone, and servers read `+` as a space.
  ///
  /// - Parameter text: any text; its UTF-8 bytes are what is encoded.
  /// - Returns: text that stands for itself anywhere in an address.
  static func percentEncoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let hexadecimal = String(byte, radix: 16, uppercase: true)
        encoded += byte < 16 ? "%0\(hexadecimal)" : "%\(hexadecimal)"
      }
    }
    return encoded
  }
}
