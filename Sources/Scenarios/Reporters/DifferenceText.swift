import PrimereplPlatform

/// The colors of reports for people by their meaning; without effect where there are no colors.
struct ReportStyle: Equatable {
  let isColored: Bool

  /// Success, and actual values.
  func good(_ text: String) -> String { wrapped(text, in: "32") }
  /// Failure, and expected values.
  func bad(_ text: String) -> String { wrapped(text, in: "31") }
  func doubtful(_ text: String) -> String { wrapped(text, in: "33") }
  func minor(_ text: String) -> String { wrapped(text, in: "2") }
  /// Headings.
  func strong(_ text: String) -> String { wrapped(text, in: "1") }

  private func wrapped(_ text: String, in code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// How an actual value differs from the expected one, as text for people.
///
///     counter.count  - 2
///                    + 1
///     favorites[1]   - nil
///                    + 7
struct DifferenceText {
  let style: ReportStyle

  private static let maximumCount = 50
  /// The maximum width of a path with its values beside it.
  private static let maximumPathWidth = 40
  private static let maximumValueLength = 160
  private static let maximumValueLines = 40

  func lines(_ differences: [ValueDifference]) -> [String] {
    let shown = differences.prefix(Self.maximumCount)
    let paths = shown.map { ReportText.line($0.path) }
    let width = paths.map(\.columns).filter { $0 <= Self.maximumPathWidth }.max() ?? 0
    let lines = zip(shown, paths).flatMap { difference, path in
      beside(path, width: width, values(difference))
    }
    guard differences.count > shown.count else { return lines }
    let rest = ReportText.count(differences.count - shown.count, "more difference")
    return lines + [style.minor("... \(rest)")]
  }

  private func beside(_ path: String, width: Int, _ values: [String]) -> [String] {
    // The whole value has no path.
    guard width > 0 || !path.isEmpty else { return values }
    let margin = String(repeating: " ", count: width + 2)
    let pathWidth = path.columns
    guard pathWidth <= width, let first = values.first else {
      return [path] + values.map { margin + $0 }
    }
    let padding = String(repeating: " ", count: width + 2 - pathWidth)
    return [path + padding + first] + values.dropFirst().map { margin + $0 }
  }

  /// The lines of the expected value, then those of the actual one.
  private func values(_ difference: ValueDifference) -> [String] {
    let expected = difference.expected.map(ReportText.limitedScalars)
    let actual = difference.actual.map(ReportText.limitedScalars)
    if let expected, let actual, expected.contains("\n") || actual.contains("\n") {
      return changedLines(from: expected, to: actual)
    }
    let common = Self.commonPrefix(expected ?? [], actual ?? [])
    return [
      style.bad("- " + Self.value(expected, differingAt: common)),
      style.good("+ " + Self.value(actual, differingAt: common)),
    ]
  }

  private static func value(_ scalars: [Unicode.Scalar]?, differingAt position: Int) -> String {
    scalars.map { excerpt($0, differingAt: position) } ?? "nil"
  }

  /// The part of a long value around the place where it differs from another.
  ///
  /// If that is near its beginning, the value is cut in the middle.
  private static func excerpt(_ scalars: [Unicode.Scalar], differingAt position: Int) -> String {
    let end = maximumValueLength / 4
    guard scalars.count > maximumValueLength, position >= maximumValueLength - 2 * end,
      position < scalars.count
    else { return short(scalars, length: maximumValueLength) }
    let start = min(position - end, scalars.count - maximumValueLength)
    let part = scalars[start..<start + maximumValueLength]
    return "… " + text(part) + (part.endIndex < scalars.count ? " …" : "")
  }

  /// The lines that were removed and inserted, each group with a line before and after it.
  private func changedLines(from old: [Unicode.Scalar], to new: [Unicode.Scalar]) -> [String] {
    let old = old.split(separator: "\n", omittingEmptySubsequences: false).map(Self.text)
    let new = new.split(separator: "\n", omittingEmptySubsequences: false).map(Self.text)
    let edits = Self.edits(from: old, to: new)
    let lines = edits.indices.compactMap { index -> String? in
      switch edits[index] {
      case .removed(let line): style.bad("- " + line)
      case .inserted(let line): style.good("+ " + line)
      case .kept(let line):
        edits[max(0, index - 1)...min(index + 1, edits.count - 1)].contains(where: \.isChange)
          ? "  " + line : nil
      }
    }
    guard lines.count > Self.maximumValueLines else { return lines }
    let rest = ReportText.count(lines.count - Self.maximumValueLines, "more line")
    return lines.prefix(Self.maximumValueLines) + [style.minor("... \(rest)")]
  }

  private enum LineEdit {
    case kept(String), removed(String), inserted(String)

    var isChange: Bool { if case .kept = self { false } else { true } }
  }

  /// The edits that make new lines of old ones: before each kept line, removed ones come first.
  private static func edits(from old: [String], to new: [String]) -> [LineEdit] {
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var edits: [LineEdit] = []
    var next = 0
    for (offset, line) in old.enumerated() {
      if removed.contains(offset) {
        edits.append(.removed(line))
        continue
      }
      while inserted.contains(next) {
        edits.append(.inserted(new[next]))
        next += 1
      }
      edits.append(.kept(line))
      next += 1
    }
    return edits + new.dropFirst(next).map { .inserted($0) }
  }

  private static func commonPrefix<Element: Equatable>(_ one: [Element], _ other: [Element]) -> Int
  {
    zip(one, other).prefix { $0 == $1 }.count
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    ReportText.line(String(String.UnicodeScalarView(scalars)))
  }

  /// A value on a line of its own, cut in the middle if it is long.
  static func short(_ value: String?, length: Int) -> String {
    value.map { short(ReportText.limitedScalars($0), length: length) } ?? "nil"
  }

  private static func short(_ scalars: [Unicode.Scalar], length: Int) -> String {
    guard scalars.count > length else { return text(scalars[...]) }
    let end = length / 4
    return text(scalars.prefix(length - end)) + " … " + text(scalars.suffix(end))
  }
}

extension ReportText {
  /// The scalars of a text's beginning; limited as all texts are.
  fileprivate static func limitedScalars(_ text: String) -> [Unicode.Scalar] {
    Array(limited(text).unicodeScalars)
  }
}
