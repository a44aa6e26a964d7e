import ArgumentParser
import PrimereplFoundation
import Scenarios

struct SelectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Run scenarios whose full name contains this text, or is exactly this text.",
      valueName: "text"))
  private var filter: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Run scenarios with one of these tags, such as slow,network; -tag excludes a tag.",
      valueName: "tags"))
  private var tags: [String] = []

  @Flag(help: "Run only the scenarios that failed the last time.")
  private var lastFailed = false

  @Option(
    help: ArgumentHelp(
      "Run in a random order; --shuffle=<seed> repeats an earlier one.", valueName: "seed"))
  private var shuffle: ShuffleSeed?

  var selection: RunOptions.Selection {
    var selection = RunOptions.Selection()
    selection.filters = filter
    selection.tags = tags.flatMap { $0.split(separator: ",").map(String.init) }
    selection.isLastFailed = lastFailed
    selection.shuffleSeed = shuffle?.seed
    return selection
  }
}

/// A seed of `--shuffle`, whose value can be left out.
struct ShuffleSeed: ExpressibleByArgument {
  let seed: UInt64

  /// The value for a random seed.
  private static let any = "any"

  init?(argument: String) {
    guard let seed = argument == Self.any ? UInt32.random(in: 0..<1_000_000) : UInt32(argument)
    else { return nil }
    self.seed = UInt64(seed)
  }

  /// The arguments of `test`, in which `--shuffle` has a value.
  static func completing(_ arguments: [String]) -> [String] {
    guard arguments.first == TestCommand.configuration.commandName else { return arguments }
    return arguments.map { $0 == "--shuffle" ? "--shuffle=\(any)" : $0 }
  }
}

struct RunningOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Number of parallel processes (default: number of cores).", valueName: "n"))
  private var jobs: Int?

  @Flag(help: "End the run after the first failure.")
  private var failFast = false

  @Option(
    name: .customLong("repeat"), help: ArgumentHelp("Run each scenario N times.", valueName: "n"))
  private var repetitions = 1

  @Option(
    help: ArgumentHelp(
      "Run failed scenarios again, up to N times; one that then passes is \"flaky\".",
      valueName: "n"))
  private var retries = 0

  @Option(
    help: ArgumentHelp("Time limit of each scenario, in real time.", valueName: "seconds"))
  private var timeout = 60.0

  @Flag(
    help: "Allow the network and services, also to properties, which call functions at random.")
  private var live = false

  @Flag(help: "Write snapshots that are missing or differ, and remove obsolete ones.")
  private var update = false

  @Flag(help: "Fail for missing and obsolete snapshots; the default if CI is set.")
  private var ci = false

  @Flag(help: "Fail if a scenario is marked with only.")
  private var forbidOnly = false

  @Flag(
    name: .customLong("watch"), help: "Rerun scenario files when they or their modules change.")
  var shouldWatch = false

  @Flag(
    name: .customLong("properties"),
    help: "Check the properties that hold for every app instead of running files.")
  var shouldCheckProperties = false

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs needs 1 or more, not \(jobs)") }
    if repetitions < 1 { throw ValidationError("--repeat needs 1 or more, not \(repetitions)") }
    if retries < 0 { throw ValidationError("--retries needs 0 or more, not \(retries)") }
    if !(timeout > 0 && timeout < 1_000_000) {
      throw ValidationError(
        "--timeout needs a number of seconds above 0 and below 1000000, not \(timeout)")
    }
  }

  func apply(to options: inout RunOptions, _ environment: [String: String]) {
    options.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    options.failsFast = failFast
    options.repetitions = repetitions
    options.retries = retries
    options.timeLimit = timeout
    options.isLive = live
    options.updatesSnapshots = update
    options.isContinuousIntegration = ci || environment["CI"].map { !$0.isEmpty } ?? false
    options.forbidsOnly = forbidOnly
    options.runsDefaultProperties = shouldCheckProperties
  }
}

struct ReportingOptions: ParsableArguments {
  @Flag(name: .customLong("list"), help: "List the scenarios instead of running them.")
  var shouldList = false

  @Option(
    help: ArgumentHelp(
      "Make a report: pretty, tap, junit, json or html, or one in a file: html=report.html; repeatable.",
      valueName: "format"),
    completion: .list(ReportFormat.allCases.map(\.rawValue)))
  private var report: [ReportRequest] = []

  @Flag(help: "List the actions, errors and fields of the app that no scenario touched.")
  private var coverage = false

  @Option(
    help: ArgumentHelp("Fail if the scenarios cover less of the app, in percent.", valueName: "n"))
  private var minCoverage: Double?

  @Flag(
    name: .shortAndLong,
    help: "Show all actions of failures, and the output of scenarios that passed.")
  private var verbose = false

  @Option(help: ArgumentHelp("List the slowest scenarios at the end.", valueName: "n"))
  private var slowest = 0

  @Flag(help: "Don't use colors; the default if NO_COLOR is set.")
  private var noColor = false

  func validate() throws {
    if let minCoverage, !(0...100).contains(minCoverage) {
      throw ValidationError("--min-coverage needs a percentage from 0 to 100, not \(minCoverage)")
    }
    for (index, request) in report.enumerated() {
      if let other = report[..<index].first(where: { $0.output.isSamePlace(as: request.output) }) {
        throw ValidationError(
          "two reports go to one place: \(other) and \(request); give each its own file")
      }
    }
  }

  func apply(to options: inout RunOptions) {
    options.reportsCoverage = coverage || minCoverage != nil
    options.leastCoverage = minCoverage
  }

  /// The reports to make; the pretty one on standard output if no other goes there.
  var reports: [ReportRequest] {
    let usesOutput = report.contains { $0.output.isSamePlace(as: .standardOutput) }
    return usesOutput ? report : report + [ReportRequest(format: .pretty, output: .standardOutput)]
  }

  func options(in environment: [String: String]) -> ReportOptions {
    let isTerminal = isatty(STDOUT_FILENO) != 0 && environment["TERM"] != "dumb"
    return ReportOptions(
      isColored: isTerminal && !noColor && TerminalColors.areUsed(in: environment),
      progressWidth: isTerminal ? CurrentProcess.terminalWidth : nil,
      isVerbose: verbose, slowestCount: slowest)
  }
}

extension ReportRequest: ExpressibleByArgument {}
