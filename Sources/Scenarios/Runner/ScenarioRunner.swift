import PrimereplFoundation
import StateStore

/// Runs the scenarios of files in worker processes, and reports the results.
@MainActor
package final class ScenarioRunner {
  package enum Conclusion: Equatable, Sendable {
    case passed
    case failed
    /// A file is missing or can't be loaded.
    case unloadable
    case noneMatched
    case interrupted
  }

  private let program: String
  private let appArguments: [String]
  private let version: String?
  private let options: RunOptions
  private let reporters: [any Reporter]
  private let pool: WorkerPool
  private let record: RunRecord?
  private let watcher: ScenarioWatcher?
  private var isInterrupted = false
  private var hasUnloadableFile = false
  private var nothingFailedLast = false
  private var lists: [String: ListedFile] = [:]
  private let temporaryFolder = TemporaryFolders.pathForRun()
  private let startTime = Date.now
  private let start = ContinuousClock.now

  /// Makes a runner, whose reports show the program, its version and its options for the app.
  ///
  /// `worker` is the command line of a ``ScenarioWorker``. `failures` collects why scenarios fail. `watcher` gets the
  /// files that ran.
  package init(
    program: String, version: String? = nil, appArguments: [String] = [], worker: [String],
    options: RunOptions, reports: [ReportRequest] = [],
    reportOptions: ReportOptions = ReportOptions(),
    collecting failures: FailureCollector? = nil, recordFolder: String? = nil,
    watcher: ScenarioWatcher? = nil
  ) throws {
    var reporters = try reports.map { request throws(ReportError) in
      try request.makeReporter(reportOptions)
    }
    if let failures { reporters.append(failures) }
    self.watcher = watcher
    (self.program, self.appArguments) = (program, appArguments)
    self.version = version
    self.options = options
    self.reporters = reporters
    record = recordFolder.map { RunRecord(in: $0) }
    pool = WorkerPool(
      command: worker,
      settings: WorkerSettings(
        timeLimit: options.timeLimit, isLive: options.isLive, temporaryFolder: temporaryFolder,
        snapshots: options.updatesSnapshots
          ? .update : options.isContinuousIntegration ? .compare : .write,
        reportsTimelines: reports.contains(where: \.format.showsAllTimelines),
        reportsModules: watcher != nil,
        reportsCoverage: options.reportsCoverage),
      size: max(1, options.jobs),
      // Several of these properties find the same crash; the calls that led there repeat it in a scenario.
      describesCrashes: !options.runsDefaultProperties)
  }

  /// Ends the run at once; what has ended is still reported.
  package func interrupt() {
    isInterrupted = true
    pool.stop()
  }

  // MARK: - Planning

  /// Finds the scenarios that a run with these options would run.
  ///
  /// - Throws: An error if no worker process can be started, or the record of failed scenarios is damaged.
  package func plan() async throws -> RunPlan {
    let paths = ScenarioPaths(options)
    var waiting = Array(paths.files.reversed())
    try await pool.perform({ waiting.popLast() }) { [self] file in
      lists[file] = try await pool.list(file)
    }
    let all = paths.files.flatMap { lists[$0]?.scenarios ?? [] }
    var found = paths.problems + paths.files.compactMap { lists[$0]?.problem }
    hasUnloadableFile = !found.isEmpty
    if options.forbidsOnly {
      found += all.filter(\.isOnly).map { scenario in
        FileProblem(
          file: scenario.id.file, message: "\"\(scenario.fullName)\" is marked with only",
          location: SourceLocation(file: scenario.id.file, line: scenario.line))
      }
    }
    let selection = ScenarioSelection(
      options: options.selection, lines: paths.lines,
      lastFailed: options.selection.isLastFailed ? try record?.failed() : nil)
    nothingFailedLast = options.selection.isLastFailed && selection.lastFailed?.isEmpty == true
    return RunPlan(
      program: program, appArguments: appArguments, programVersion: version, date: startTime,
      scenarios: selection.chosen(of: all),
      problems: isInterrupted ? [] : found, shuffleSeed: options.selection.shuffleSeed)
  }

  // MARK: - Running

  /// Runs the scenarios of a plan.
  ///
  /// - Throws: ``ReportError`` if a report can't be written, or an error if no worker process can be started.
  package func run(_ plan: RunPlan) async throws -> Conclusion {
    let collector = try RunCollector(plan, options, reporters)
    // After an error, too.
    defer { _ = TemporaryFolders.remove(temporaryFolder) }
    if !options.forbidsOnly || !plan.scenarios.contains(where: \.isOnly) {
      try await runScenarios(of: plan, collector)
    }
    try collector.reportRest()
    var summary = RunSummary(
      plan: plan, counts: collector.counts,
      seconds: (ContinuousClock.now - start) / .seconds(1), isInterrupted: isInterrupted)
    // Crashed processes leave theirs behind.
    if let problem = TemporaryFolders.remove(temporaryFolder) { summary.notes.append(problem) }
    for (functions, reason) in [
      (collector.uncalled, "without --live, as they can reach outside the app"),
      (collector.withoutValues, "without a generator, as their parameters have no random values"),
    ] where !functions.isEmpty {
      let names = functions.sorted().joined(separator: ", ")
      summary.notes.append("not called \(reason): \(names)")
    }
    checkSnapshots(of: plan, collector, &summary)
    if !isInterrupted {
      watcher?.updateDependencies(
        lists.mapValues { Set($0.modules) }.merging(collector.modules) { $0.union($1) },
        since: startTime)
    }
    if options.reportsCoverage, !isInterrupted {
      let coverage = CoverageSummary(
        all: try await pool.coverageItems(), touched: collector.touched)
      summary.coverage = coverage
      if let least = options.leastCoverage, coverage.percentage < least {
        summary.lateProblems.append(
          FileProblem(file: "coverage", message: coverage.shortfall(from: least)))
      }
    }
    if nothingFailedLast { summary.notes.append("no scenario failed the last time") }
    if let record {
      do throws(RunRecordError) {
        try record.update(collector.outcomes)
      } catch {
        summary.notes.append(error.message)
      }
    }
    try collector.end(summary)
    if isInterrupted { return .interrupted }
    if hasUnloadableFile { return .unloadable }
    if plan.scenarios.isEmpty, !nothingFailedLast {
      return .noneMatched
    }
    return summary.hasPassed ? .passed : .failed
  }

  private func runScenarios(of plan: RunPlan, _ collector: RunCollector) async throws {
    var batches = Batches(of: plan.scenarios.filter(\.runs), jobs: options.jobs)
    try await pool.perform({ batches.next() }) { [self] batch in
      if let first = batch.first { try collector.started(first) }
      var again: [ScenarioDescription] = []
      let rest = try await pool.run(batch) { scenario, ended in
        if try collector.add(scenario, ended) { again.append(scenario) }
      }
      batches.add(Array(rest))
      for scenario in again { batches.add([scenario]) }
      if options.failsFast, collector.hasFailure { pool.stop() }
    }
  }

  /// Reports snapshots that were written, and those that no scenario uses.
  private func checkSnapshots(
    of plan: RunPlan, _ collector: RunCollector, _ summary: inout RunSummary
  ) {
    if collector.writtenSnapshots > 0 {
      summary.notes.append(ReportText.count(collector.writtenSnapshots, "snapshot") + " written")
    }
    for file in completeFiles(of: plan, collector) {
      let used = collector.usedSnapshots[file] ?? []
      let obsolete = SnapshotAccess.files(of: file).filter { !used.contains($0) }
      for name in obsolete {
        let path = "\(SnapshotAccess.folder(of: file))/\(name)"
        if options.updatesSnapshots {
          summary.notes.append(SnapshotAccess.remove(path))
        } else if options.isContinuousIntegration {
          summary.lateProblems.append(
            FileProblem(file: path, message: "no scenario uses this snapshot: remove it"))
        } else {
          summary.notes.append("no scenario uses \(path): --update removes it")
        }
      }
    }
  }

  /// The files all of whose scenarios passed: a snapshot that none of them used is obsolete.
  private func completeFiles(of plan: RunPlan, _ collector: RunCollector) -> [String] {
    Dictionary(grouping: plan.scenarios, by: \.id.file).filter { file, scenarios in
      scenarios.count == lists[file]?.scenarios.count
        && scenarios.allSatisfy { $0.mode == .run && collector.outcomes[$0.key] == false }
    }.keys.sorted()
  }
}

/// The waiting scenarios, in batches of one file.
private struct Batches {
  private var waiting: [[ScenarioDescription]]

  /// The batches are so small that all processes have work until the end.
  init(of scenarios: [ScenarioDescription], jobs: Int) {
    let size = min(50, max(1, scenarios.count / (max(1, jobs) * 8)))
    var batches: [[ScenarioDescription]] = []
    for scenario in scenarios {
      if let last = batches.last, last.count < size, last.first?.id.file == scenario.id.file {
        batches[batches.count - 1].append(scenario)
      } else {
        batches.append([scenario])
      }
    }
    waiting = batches.reversed()
  }

  mutating func next() -> [ScenarioDescription]? { waiting.popLast() }

  mutating func add(_ scenarios: [ScenarioDescription]) {
    if !scenarios.isEmpty { waiting.append(scenarios) }
  }
}

extension ScenarioDescription {
  fileprivate var runs: Bool { mode == .run || mode == .todo }
}
