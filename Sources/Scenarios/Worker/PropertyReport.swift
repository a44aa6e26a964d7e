/// The report of a property's run that failed: its steps as a scenario to paste into a file.
struct PropertyReport {
  /// The run and its seed.
  let origin: String

  /// The number of steps that are shown if the process ended, so that they can't be reduced.
  private static let mostSteps = 10

  /// The text for a run that failed, below the failure's message.
  ///
  /// The steps were reduced from a count. `unfinished` is the one that didn't end: itself, or an invariant's check.
  func text(
    of steps: [String], reducedFrom count: Int, unfinished: String?, isInInvariant: Bool = false
  ) -> String {
    if let unfinished {
      let step = isInInvariant ? "the invariant's check of \(unfinished)" : unfinished
      let subject = isInInvariant ? "the invariant " : ""
      return "\(origin), in \(step), after \(ReportText.count(steps.count, "step")):"
        + Self.scenario(steps + ["\(unfinished) -- \(subject)doesn't end"])
    }
    // A run that failed before its first step has none.
    guard !steps.isEmpty else { return origin }
    let length =
      steps.count < count
      ? "reduced from \(count) steps to \(steps.count)"
      : "after \(ReportText.count(steps.count, "step"))"
    return "\(origin), \(length):" + Self.scenario(steps + ["-- what the property expects"])
  }

  /// The text for a run in which the process ended: in its last step, or after it.
  func text(after steps: [String]) -> String {
    guard !steps.isEmpty else { return origin }
    let shown = Array(steps.suffix(Self.mostSteps))
    let length =
      shown.count < steps.count
      ? "in the last of \(ReportText.count(steps.count, "step")), or after it; these are the last \(shown.count)"
      : steps.count == 1 ? "in this step, or after it" : "in the last of these steps, or after it"
    return "\(origin), \(length):" + Self.scenario(shown)
  }

  private static func scenario(_ lines: [String]) -> String {
    """


    scenario("...", function()
    \(lines.map { "  \($0)\n" }.joined())end)
    """
  }
}
