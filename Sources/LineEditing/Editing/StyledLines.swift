/// The lines of a text with the styles that its language gives them.
///
/// Lines that an edit leaves as they are, are taken from the lines before it: most edits change few lines of many.
struct StyledLines {
  let text: String
  private(set) var lines: [StyledText] = []
  /// In their order without overlaps, inside the text, with their ends between characters.
  private let ranges: [StyledRange]

  /// Applies styles to a text.
  ///
  /// - Parameters:
  ///   - buffer: The text.
  ///   - ranges: Any ranges, in their order.
  ///   - earlier: The lines of a similar text.
  init(of buffer: EditBuffer, _ ranges: [StyledRange], reusing earlier: StyledLines?) {
    text = buffer.text
    self.ranges = Self.usable(ranges, in: buffer.text)
    let reuse = earlier.map { Reuse(of: $0, for: self) } ?? Reuse()
    let count = buffer.lineCount
    lines.reserveCapacity(count)
    for line in 0..<count {
      let offsets = buffer.offsets(ofLine: line)
      let old =
        if offsets.upperBound < reuse.start {
          line
        } else if offsets.lowerBound > reuse.end {
          line - count + (earlier?.lines.count ?? 0)
        } else {
          -1
        }
      if let earlier, earlier.lines.indices.contains(old) {
        lines.append(earlier.lines[old])
      } else {
        lines.append(self.line(offsets))
      }
    }
  }

  // MARK: - Reusing lines

  /// The parts of a text that look as they did in an earlier one.
  private struct Reuse {
    /// The offset up to which the text and its styles are the same.
    var start = 0
    /// The offset after which the text and its styles are the same, whatever the distance from the start.
    var end = Int.max

    init() {}

    init(of earlier: StyledLines, for new: StyledLines) {
      let (text, count) = Self.common(earlier.text, new.text)
      let shift = new.text.utf8.count - earlier.text.utf8.count
      (start, end) = (text, new.text.utf8.count - count)
      let shorter = min(earlier.ranges.count, new.ranges.count)
      var first = 0
      while first < shorter, earlier.ranges[first] == new.ranges[first] { first += 1 }
      for ranges in [earlier.ranges, new.ranges] where first < ranges.count {
        start = min(start, ranges[first].range.lowerBound)
      }
      var last = 0
      while last < shorter - first {
        var old = earlier.ranges[earlier.ranges.count - 1 - last]
        old.range = old.range.lowerBound + shift..<old.range.upperBound + shift
        guard old == new.ranges[new.ranges.count - 1 - last] else { break }
        last += 1
      }
      if last < new.ranges.count {
        end = max(end, new.ranges[new.ranges.count - 1 - last].range.upperBound)
      }
      if last < earlier.ranges.count {
        end = max(end, earlier.ranges[earlier.ranges.count - 1 - last].range.upperBound + shift)
      }
    }

    /// The number of bytes that two texts have in common at the start, and at the end after those.
    private static func common(_ left: String, _ right: String) -> (start: Int, end: Int) {
      var (left, right) = (left, right)
      return left.withUTF8 { left in
        right.withUTF8 { right in
          let shorter = min(left.count, right.count)
          var (start, end) = (0, 0)
          while start < shorter, left[start] == right[start] { start += 1 }
          while end < shorter - start,
            left[left.count - 1 - end] == right[right.count - 1 - end]
          {
            end += 1
          }
          return (start, end)
        }
      }
    }
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
    for styled in ranges[firstRange(after: offsets.lowerBound)...] {
      guard styled.range.lowerBound < offsets.upperBound else { break }
      let range = styled.range.clamped(to: position..<offsets.upperBound)
      appendEmphasized(position..<range.lowerBound, .plain)
      appendEmphasized(range, styled.style)
      position = range.upperBound
    }
    appendEmphasized(position..<offsets.upperBound, .plain)
    return line
  }

  /// The index of the first range that ends after an offset; binary search.
  private func firstRange(after offset: Int) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
