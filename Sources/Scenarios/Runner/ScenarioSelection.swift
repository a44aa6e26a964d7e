import PrimereplFoundation

/// Chooses the scenarios of a run among all that the files declare.
struct ScenarioSelection {
  let options: RunOptions.Selection
  /// The lines that the command line names, by file.
  let lines: [String: Set<Int>]
  /// The scenarios that failed the last time; nil if unknown.
  let lastFailed: Set<String>?

  /// The scenarios that run or are reported as skipped, in the order in which they are reported.
  func chosen(of scenarios: [ScenarioDescription]) -> [ScenarioDescription] {
    var chosen = scenarios.filter { isAtNamedLine($0) && hasTags($0) }
    if !options.filters.isEmpty {
      // A whole name means only that scenario.
      let names = Set(chosen.map(\.fullName))
      chosen = chosen.filter { scenario in
        options.filters.contains { filter in
          names.contains(filter)
            ? scenario.fullName == filter : filter.isEmpty || scenario.fullName.contains(filter)
        }
      }
    }
    if chosen.contains(where: \.isOnly) { chosen = chosen.filter(\.isOnly) }
    if options.isLastFailed, let lastFailed {
      chosen = chosen.filter { lastFailed.contains($0.key) }
    }
    if let seed = options.shuffleSeed {
      var generator = SplitMix64(seed: seed)
      chosen = Self.byName(chosen).shuffled(using: &generator)
    }
    return chosen
  }

  /// The scenarios in an order that is the same in all runs: files can declare them in that of a loop over `pairs`.
  private static func byName(_ scenarios: [ScenarioDescription]) -> [ScenarioDescription] {
    scenarios.sorted { ($0.key, $0.id.number) < ($1.key, $1.id.number) }
  }

  private func isAtNamedLine(_ scenario: ScenarioDescription) -> Bool {
    lines[scenario.id.file].map { $0.contains(scenario.line) } ?? true
  }

  private func hasTags(_ scenario: ScenarioDescription) -> Bool {
    let excluded = options.tags.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) }
    let included = options.tags.filter { !$0.hasPrefix("-") }
    return !scenario.tags.contains(where: excluded.contains)
      && (included.isEmpty || scenario.tags.contains(where: included.contains))
  }
}

extension ScenarioDescription {
  /// Identifies the scenario, also after its file has changed.
  var key: String { "\(id.file)\n\(fullName)" }
}
