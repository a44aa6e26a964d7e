package import PrimereplFoundation

/// A document that ``JSONScanner`` accepts, prepared so that Foundation's decoder reads it in the same way.
///
/// Foundation's decoder takes other encodings, too, and the first of members with the same name.
package struct CheckedJSON {
  /// The document without a byte order mark, and with spaces in place of members that later ones replace.
  package let data: Data

  /// The memory that decoding takes at most, beside what the decoded value keeps.
  package let decodingSize: Int

  /// The members of an open object.
  private struct Members {
    /// The offsets of all names.
    var starts: [Int] = []
    /// The places of names among them.
    var places: [[UInt8]: Int] = [:]
  }

  /// The memory of a value in Foundation's map of a document.
  private static let valueSize = 48

  /// The number of tokens after which the scan looks whether it is to stop.
  private static let stopInterval = 4_096

  /// Checks a document; `checkStop`, which is called now and then, throws if that is to stop.
  ///
  /// - Throws: ``JSONMistake``; what `checkStop` throws.
  /// - Complexity: O(length).
  package init(_ content: Data, checkStop: () throws -> Void = {}) throws {
    var bytes = Array(content)
    var scanner = try JSONScanner(bytes)
    let start = scanner.position
    var objects: [Members] = []
    var (replaced, count): ([Range<Int>], Int) = ([], 0)
    while let token = try scanner.next() {
      count += 1
      if count.isMultiple(of: Self.stopInterval) { try checkStop() }
      switch token {
      case .beginObject: objects.append(Members())
      case .endObject: objects.removeLast()
      case .name:
        let name = scanner.withText { Array($0) }
        guard var members = objects.popLast() else { continue }
        if let place = members.places.updateValue(members.starts.count, forKey: name) {
          let next = place + 1 < members.starts.count ? members.starts[place + 1] : nil
          replaced.append(members.starts[place]..<(next ?? scanner.tokenStart))
        }
        members.starts.append(scanner.tokenStart)
        objects.append(members)
      default: break
      }
    }
    for offset in replaced.joined() { bytes[offset] = UInt8(ascii: " ") }
    data = start == 0 && replaced.isEmpty ? content : Data(bytes[start...])
    decodingSize = count * Self.valueSize + 2 * bytes.count
  }
}
