package import Foundation

/// The names of members in JSON text, before it is decoded.
package enum JSONNames {
  /// The length in bytes of the longest name that is decoded, as it is written.
  private static let maximumLength = 1000

  /// Whether a name is longer than any that is meant to be read.
  ///
  /// Decoders keep members in dictionaries. To find the place of a name there takes time that grows with the square of its
  /// combining marks, so that a small file could keep a decoder busy for hours.
  ///
  /// - Parameter json: Text that need not be JSON.
  /// - Returns: Whether there is one.
  /// - Complexity: O(length).
  package static func haveOneTooLong(in json: Data) -> Bool {
    let (quote, backslash, colon) = (UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: ":"))
    return json.withUnsafeBytes { bytes in
      var position = 0
      /// The length of the last text, until something comes after it.
      var length = 0
      while position < bytes.count {
        switch bytes[position] {
        case quote:
          let start = position + 1
          position = start
          while position < bytes.count, bytes[position] != quote {
            position += bytes[position] == backslash ? 2 : 1
          }
          length = position - start
        case colon:
          if length > maximumLength { return true }
        case 0x20, 0x09, 0x0A, 0x0D:
          break
        default:
          length = 0
        }
        position += 1
      }
      return false
    }
  }
}
