/// The failures of a scenario as text for people.
struct FailureText {
  let style: ReportStyle
  /// The number of actions before the failure that are shown; nil for all.
  var actionCount: Int? = 3

  private static let maximumCount = 20
  private static let changeCount = 4
  /// The number of characters of a value in the list of actions.
  private static let valueLength = 60

  /// The lines below a scenario's name: why it failed, or the output of one that passed.
  func details(_ result: ScenarioResult, isVerbose: Bool) -> [String] {
    switch result.outcome {
    case .failed: Self.sections([failuresAndActions(result), output(result.output)])
    case .flaky: failures(result)
    case .passed, .skipped, .todo: isVerbose ? output(result.output) : []
    }
  }

  func failuresAndActions(_ result: ScenarioResult) -> [String] {
    Self.sections([failures(result), timeline(result)])
  }

  private static func sections(_ sections: [[String]]) -> [String] {
    Array(sections.filter { !$0.isEmpty }.joined(separator: [""]))
  }

  /// The problems, their places, and how values differ.
  func failures(_ result: ScenarioResult) -> [String] {
    let shown = result.failures.prefix(Self.maximumCount).map(lines)
    let rest = result.failures.count - shown.count
    let more = rest > 0 ? [["... " + ReportText.count(rest, "more failure")]] : []
    return Array((shown + more).joined(separator: [""]))
  }

  private func lines(_ failure: ScenarioFailure) -> [String] {
    // A failure without a message still has a kind.
    let message = failure.message.isEmpty ? failure.kind.rawValue : failure.message
    var lines = Self.split(ReportText.lines(message)).map(style.bad)
    if let location = failure.location { lines += Self.lines("at", location) }
    lines += failure.callers.prefix(Self.maximumCount).flatMap { Self.lines("called from", $0) }
    guard !failure.differences.isEmpty else { return lines }
    let legend =
      style.minor("Differences (") + style.bad("- expected") + style.minor(", ")
      + style.good("+ actual") + style.minor("):")
    let differences = DifferenceText(style: style).lines(failure.differences)
    return lines + ["", legend] + differences.map { "  " + $0 }
  }

  private static func lines(_ role: String, _ location: SourceLocation) -> [String] {
    ["  \(role) \(Self.place(location))"] + source(location).map { "    " + $0 }
  }

  /// The source at a place: the line alone or, with those around it, numbered and marked.
  private static func source(_ location: SourceLocation) -> [String] {
    guard let excerpt = location.excerpt else {
      return location.text.map { $0.isEmpty ? [] : [ReportText.line($0)] } ?? []
    }
    let last = excerpt.first + excerpt.lines.count - 1
    return excerpt.lines.enumerated().map { index, text in
      let number = "\(excerpt.first + index)"
      let padding = String(repeating: " ", count: "\(last)".count - number.count)
      let mark = excerpt.first + index == location.line ? ">" : " "
      let line = "\(mark) \(padding)\(number)  \(ReportText.line(text))"
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  func problems(_ problems: [FileProblem]) -> [String] {
    problems.flatMap { problem in
      let place = problem.location.map(Self.place) ?? ReportText.line(problem.file)
      let message = Self.split(ReportText.lines(problem.message))
      var lines = [style.bad("\(place): \(message.first ?? "")")]
      lines += message.dropFirst().map { "  " + $0 }
      lines += (problem.location.map(Self.source) ?? []).map { "    " + $0 }
      return lines
    }
  }

  /// The file and the line of a location, as editors understand them.
  private static func place(_ location: SourceLocation) -> String {
    "\(ReportText.line(location.file)):\(location.line)"
  }

  // MARK: - Actions and output

  private func timeline(_ result: ScenarioResult) -> [String] {
    let timeline = result.timeline
    guard !timeline.isEmpty else { return [] }
    let shown = timeline.suffix(actionCount ?? timeline.count)
    let times = shown.map { ReportText.seconds($0.time) }
    let width = times.map(\.utf8.count).max() ?? 0
    let count = result.earlierActions + timeline.count
    let rest = result.earlierActions > 0 ? "more" : "all"
    let hint = shown.count < timeline.count ? " (--verbose shows \(rest))" : ""
    let title =
      shown.count < count ? "The last \(shown.count) of \(count) actions\(hint):" : "The actions:"
    return [style.minor(title)]
      + zip(shown, times).flatMap { entry, time in
        let padding = String(repeating: " ", count: width - time.utf8.count)
        let line = entry.location.map { style.minor("  line \($0.line)") } ?? ""
        let text = DifferenceText.short(entry.text, length: 2 * Self.valueLength)
        let indentation = String(repeating: " ", count: width + 6)
        return ["  \(style.minor(padding + time))  \(text)\(line)"]
          + changes(entry.changes).map { indentation + $0 }
      }
  }

  private func changes(_ changes: [TimelineEntry.Change]) -> [String] {
    let shown = changes.prefix(Self.changeCount).map { change in
      let old = DifferenceText.short(change.old, length: Self.valueLength)
      let new = DifferenceText.short(change.new, length: Self.valueLength)
      return ReportText.line(change.path) + style.minor(" \(old) → ") + new
    }
    let rest = changes.count - shown.count
    return shown + (rest > 0 ? [style.minor("... \(ReportText.count(rest, "more change"))")] : [])
  }

  func output(_ output: String) -> [String] {
    guard !output.isEmpty else { return [] }
    var lines = Self.split(ReportText.lines(output))
    if lines.last == "" { lines.removeLast() }
    return [style.minor("Its output:")] + lines.map { style.minor("  | ") + $0 }
  }

  static func split(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

extension ScenarioDescription {
  /// Its full name on one line, as reports for people show it.
  var shownName: String {
    let name = ReportText.line(fullName)
    return name.isEmpty ? "(no name)" : name
  }
}
