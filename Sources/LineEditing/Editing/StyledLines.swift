import PrimereplFoundation

/// The lines of a text with the styles of its language.
struct StyledLines {
  let text: String
  private(set) var lines: [StyledText] = []
  /// As `usable` makes them.
  private let ranges: [StyledRange]

  /// Applies styles to a text; the ranges must be in order, but may overlap.
  init(of buffer: EditBuffer, _ ranges: [StyledRange]) {
    text = buffer.text
    self.ranges = Self.usable(ranges, in: buffer.text)
    lines = (0..<buffer.lineCount).map { line(buffer.offsets(ofLine: $0)) }
  }

  // MARK: - Styles

  /// Ranges without overlaps, inside the text, with their ends between characters.
  static func usable(_ ranges: [StyledRange], in text: String) -> [StyledRange] {
    var end = 0
    return ranges.compactMap { range in
      let lower = max(characterBoundary(range.range.lowerBound, in: text), end)
      let upper = characterBoundary(range.range.upperBound, in: text)
      guard lower < upper else { return nil }
      end = upper
      return StyledRange(lower..<upper, range.style)
    }
  }

  /// The first offset from a given one on that is between two characters.
  private static func characterBoundary(_ offset: Int, in text: String) -> Int {
    let bytes = text.utf8
    guard offset > 0 else { return 0 }
    guard offset < bytes.count else { return bytes.count }
    var (offset, index) = (offset, bytes.index(bytes.startIndex, offsetBy: offset))
    // An ASCII character always begins a new one, but for the newline after a carriage return, which ends a line anyway.
    while index < bytes.endIndex, bytes[index] >= 0x80, String.Index(index, within: text) == nil {
      bytes.formIndex(after: &index)
      offset += 1
    }
    return offset
  }

  /// The part of the text at some offsets with its styles, and emphasis in addition to them.
  ///
  /// - Complexity: O(log styles + length).
  func line(_ offsets: Range<Int>, emphasis: [StyledRange] = []) -> StyledText {
    var line = StyledText()
    func append(_ range: Range<Int>, _ style: Style) {
      guard !range.isEmpty else { return }
      let lower = text.utf8.index(text.utf8.startIndex, offsetBy: range.lowerBound)
      let upper = text.utf8.index(lower, offsetBy: range.count)
      line.append(String(text[lower..<upper]), style)
    }
    func appendEmphasized(_ range: Range<Int>, _ style: Style) {
      var position = range.lowerBound
      for part in emphasis where part.range.overlaps(range) {
        let part = part.range.clamped(to: position..<range.upperBound)
        append(position..<part.lowerBound, style)
        var emphasized = style
        (emphasized.isBold, emphasized.isUnderlined) = (true, true)
        append(part, emphasized)
        position = part.upperBound
      }
      append(position..<range.upperBound, style)
    }
    var position = offsets.lowerBound
    let first = ranges.partitioningIndex { $0.range.upperBound > offsets.lowerBound }
    for styled in ranges[first...] {
      guard styled.range.lowerBound < offsets.upperBound else { break }
      let range = styled.range.clamped(to: position..<offsets.upperBound)
      appendEmphasized(position..<range.lowerBound, .plain)
      appendEmphasized(range, styled.style)
      position = range.upperBound
    }
    appendEmphasized(position..<offsets.upperBound, .plain)
    return line
  }
}
