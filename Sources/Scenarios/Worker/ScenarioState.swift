import Lua
import PrimereplFoundation
import PrimereplPlatform
import Scripting
import StateStore

/// A fresh Lua state with a fresh app, in which a scenario file was run: to list its scenarios, or to run one.
///
/// It is made on an actor, as its tasks run there.
@MainActor
final class ScenarioState {
  let host: ScenarioHost
  let monitor: StoreMonitor
  let clock = VirtualClock()
  private let state: LuaState
  private let app: ScriptedApp
  private let members: AppMembers
  let vocabulary: Vocabulary
  /// The files of the modules that the file requires; known when the state is closed.
  private var modules: [String] = []
  var report: (ScenarioProgress) throws -> Void = { _ in }
  private let stepRecord: StepRecord?
  private var hasCleanup = false
  /// The parts of the app that earlier runs of a property touched.
  var touchedEarlier: Set<CoverageItem> = []

  private let settings: WorkerSettings

  /// The scenario to run; nil to list all.
  private let scenario: ScenarioDescription?
  /// The file, or the part of it that the scenario needs.
  private let chunk: CompiledChunk
  private let seed: Int

  /// The real time that the scenario may take, in seconds.
  private(set) var timeLimit: Double
  /// The runs of a property; nil for a scenario that isn't one.
  private(set) var property: PropertyRun.Plan?

  /// Makes a state to run a scenario, or to list all.
  ///
  /// By default, the seed of `math.random` follows from the scenario's name.
  init(
    of app: ScenarioApp, _ file: ScenarioFile, running scenario: ScenarioDescription?,
    seed: Int? = nil, _ settings: WorkerSettings
  ) throws {
    self.settings = settings
    self.scenario = scenario
    chunk = scenario.map { file.chunk(declaring: $0.line) } ?? file.chunk
    timeLimit = settings.timeLimit
    let name = scenario?.fullName ?? ""
    let seed = seed ?? Int(name.utf8.stableHash % 1_000_000)
    self.seed = seed
    host = ScenarioHost(
      file, running: scenario?.fullName,
      snapshots: SnapshotAccess(of: name, in: file.path, mode: settings.snapshots),
      folders: TemporaryFolders(in: settings.temporaryFolder))
    state = try LuaState()
    // Until the vocabulary is installed: nothing is garbage yet.
    try state.global("collectgarbage", as: LuaFunction.self).call("stop")
    let stubs = ScenarioStubs(in: state, isLive: settings.isLive)
    let environment = app.environment(
      ScenarioServices(clock: clock, stubs: stubs, isLive: settings.isLive))
    let store = Store(
      app.schema, now: { [clock] in Date(timeIntervalSince1970: clock.elapsed / .seconds(1)) })
    // The first app of the process shows whether it is described without mistakes; most scenarios use few of its modules.
    self.app = try ScriptedApp(
      in: state, store: store, modules: app.modules, environment: environment,
      describesModules: app.description.stubbable == nil || settings.reportsCoverage)
    self.app.enableScenarioExport()
    let stubbable = app.description.stubbable ?? StubbableFunctions(self.app.stubbable)
    app.description.stubbable = stubbable
    stubs.stubbable = stubbable
    monitor = StoreMonitor(of: self.app, clock: clock, in: host)
    members = AppMembers(of: self.app, isLive: settings.isLive)
    stepRecord = settings.stepFile.map { StepRecord(path: $0) }
    let functions = try HostFunctions(in: state)
    try host.addFunctions(to: functions)
    try monitor.addFunctions(to: functions)
    try stubs.addFunctions(to: functions)
    try functions.add("property_vocabulary") {
      [unowned state, unowned monitor, unowned members, stepRecord] () in
      let functions = try HostFunctions(in: state)
      try members.addFunctions(to: functions)
      try monitor.addPropertyFunctions(to: functions, stepRecord)
      return (try Vocabulary.property(in: state), functions.table)
    }
    vocabulary = try Vocabulary(
      in: state, host: functions.table, running: scenario?.name, caseKey: scenario?.caseKey,
      folder: LuaString(bytes: file.folder.systemBytes), seed: seed)
    if settings.reportsCoverage { try recordCoverage() }
    monitor.callingLine = { [vocabulary, host] in
      vocabulary.innermostCall().map { host.file.location(of: $0.file, line: $0.line) }
    }
    try clock.drive(state) { [host, weak state] in
      host.fail(
        ScenarioFailure(
          .unfinished, "deadlock: all its tasks wait for each other"
        ))
      state?.stopTasks()
    }
    // The app's requests may end after the scenario.
    store.onObserverFailure = { [weak self] (error: any Error) in
      guard let self, !(error is ObserverStopped), !isRecorded(error) else { return }
      host.fail(ScenarioFailure(.error, "a subscriber failed: \(error.userMessage)"))
    }
  }

  private func recordCoverage() throws {
    let coverage = CoverageRecorder(of: app)
    monitor.coverage = coverage
    // Only observes: the app's own description follows.
    state.describeErrors { error in
      if let error = error as? any CodedError { coverage.record(errorCode: error.code) }
      return nil
    }
    try coverage.observeCalls(in: state)
  }

  /// The parts of the app that the scenario touched, in this run and in earlier ones of a property.
  var touched: Set<CoverageItem> { touchedEarlier.union(monitor.coverage?.touched ?? []) }

  var coverageItems: [CoverageItem] { CoverageRecorder.items(of: app) }

  /// Frees the state, which runs the finalizers of the scenario's values, and removes its folders.
  func close() {
    if settings.reportsModules { modules = requiredFiles }
    // Closing a pipe waits for the process at its other end.
    ChildProcesses.endAll()
    let limit = min(timeLimit, Self.mostSecondsOfFinalizers)
    limitTime(to: limit)
    if state.close() != nil {
      host.fail(
        ScenarioFailure(
          .timeout, "the finalizers of its values took longer than \(limit.shown) s of real time"))
    }
    ChildProcesses.endAll()
    ChildProcesses.forgetEnded()
    for problem in host.folders.removeAll() { host.fail(ScenarioFailure(.error, problem)) }
  }

  /// The runner ends a process that needs much longer than the scenario may take.
  private static let mostSecondsOfFinalizers = 1.0

  /// Runs the file, which declares its scenarios.
  ///
  /// - Throws: `LuaError` if it can't be loaded; `FileProblem` if it no longer declares the scenario to run.
  func load() async throws {
    limitTime(to: timeLimit)
    try await state.run(chunk.function(in: state))
    let (limit, isExhaustive, runCount, seed, hasCleanup) = try vocabulary.prepare.call(
      as: (Double?, Bool?, Int?, Int?, Bool?).self)
    guard scenario != nil else { return }
    guard let hasCleanup else {
      throw FileProblem(
        file: host.file.path,
        message: """
          the file no longer declares this scenario: it has changed, or the name has something that differs each \
          time the file runs
          """)
    }
    timeLimit = limit ?? timeLimit
    monitor.isExhaustive = isExhaustive ?? false
    self.hasCleanup = hasCleanup
    property = runCount.map { PropertyRun.Plan(runCount: $0, seed: seed ?? self.seed) }
  }

  /// Runs the chosen scenario with its `before` and `after`; the host records failures.
  ///
  /// Without steps, those of a property are random. `limit` is in seconds of real time.
  func runScenario(steps: [String]? = nil, timeLimit limit: Double? = nil) async {
    if property != nil { stepRecord?.clear() }
    var hasEnded = await run(vocabulary.run, [steps], within: limit ?? timeLimit)
    if hasCleanup {
      do {
        try report(.cleanup)
      } catch {
        recordEnd(by: error)
      }
      // Whatever became of the scenario, it may have something to clean up.
      if await !run(vocabulary.cleanUp, [], within: timeLimit, "after: ") { hasEnded = false }
    }
    if hasEnded {
      do {
        try await checkTasks()
      } catch {
        recordEnd(by: error)
      }
    }
    monitor.end()
    state.stopTasks()
    for failure in await state.finishTasks() where !failure.isStop { recordFailure(failure) }
  }

  /// Runs a function; returns whether it ended by itself, and records otherwise why it was stopped.
  private func run(
    _ function: LuaFunction, _ arguments: [any LuaPushable], within seconds: Double,
    _ name: String = ""
  ) async -> Bool {
    limitTime(to: seconds)
    do {
      _ = try await state.start(function, arguments).value()
      return true
    } catch {
      recordEnd(by: error, of: name)
      return false
    }
  }

  /// Limits the real time of what runs next; a process for which it still waits then is ended.
  private func limitTime(to seconds: Double) {
    state.limitTime(to: .seconds(seconds)) { ChildProcesses.endChildren() }
  }

  /// Checks that no task is left, nor an expectation in a coroutine, and that no task failed unnoticed.
  private func checkTasks() async throws {
    let spawned = try vocabulary.spawnedTasks.entries()
    var isUnfinished = false
    for (_, entry) in spawned {
      guard case .table(let entry) = entry else { continue }
      let task = try entry.get("task", as: LuaTask.self)
      // A cancelled one ends as soon as what it waits for has.
      if task.isCancelled { await task.ended() }
      guard task.status == .waiting || task.status == .running else { continue }
      isUnfinished = true
      let place = try entry.get("file", as: LuaString?.self)
      let line = try entry.get("line", as: Int?.self)
      host.fail(
        ScenarioFailure(
          .unfinished, "the scenario ended before this task did: await it, or cancel it",
          at: place.map { host.file.location(of: $0, line: line ?? 0) }))
    }
    // Those in unfinished tasks are no failures of their own.
    if !isUnfinished { monitor.failOpenExpectations() }
    for failure in state.takeTaskFailures() { recordFailure(failure) }
  }

  /// Records an error of a task that nobody awaited.
  private func recordFailure(_ error: LuaError) {
    guard !isRecorded(error) else { return }
    host.fail(
      ScenarioFailure(
        .error, "a task failed that nothing awaited: \(error.message)",
        at: location(in: error.traceback)))
  }

  private func location(in traceback: String?) -> SourceLocation? {
    host.file.firstLocation(in: traceback, modules: requiredFiles)
  }

  /// Whether an error is a failed expectation, which was recorded when it failed.
  private func isRecorded(_ error: any Error) -> Bool {
    guard let error = error as? LuaError, let value = state.value(of: error) else { return false }
    do {
      return try vocabulary.isFailure.call(value, as: Bool.self)
    } catch {
      // The code is being stopped.
      return false
    }
  }

  /// Records why the scenario, or the part of it with a name, was stopped.
  private func recordEnd(by error: any Error, of name: String = "") {
    let error = error as? LuaError
    let location = location(in: error?.traceback)
    switch error {
    case let error? where error.is(.timeLimit):
      // What runs after the scenario was stopped by itself.
      let invariant = name.isEmpty ? monitor.stoppedInvariant : nil
      let place = invariant == nil ? "" : " in an invariant"
      host.fail(
        ScenarioFailure(
          .timeout,
          "\(name)timed out after \(timeLimit.shown) s\(place) "
            + "(raise it with { timeout = ... } or --timeout)",
          at: invariant ?? location))
    case let error? where error.is(.interrupted) && !host.failures.isEmpty:
      break
    default:
      host.fail(ScenarioFailure(.error, error?.message ?? "it was stopped", at: location))
    }
  }

  var requiredFiles: [String] { vocabulary.requiredFiles() }

  /// The result of the scenario; called when the state is closed.
  func finish() -> EndedScenario {
    var ended = EndedScenario()
    if !host.failures.isEmpty { ended.failures = host.failures }
    if settings.reportsTimelines || !host.failures.isEmpty {
      let timeline = monitor.timeline(last: Self.longestTimeline)
      ended.timeline = timeline
      if timeline.count < monitor.eventCount {
        ended.earlierActions = monitor.eventCount - timeline.count
      }
    }
    if !members.uncalled.isEmpty { ended.uncalled = members.uncalled }
    if !members.withoutValues.isEmpty { ended.withoutValues = members.withoutValues }
    if !host.snapshots.usedFiles.isEmpty { ended.usedSnapshots = host.snapshots.usedFiles }
    if settings.reportsModules { ended.modules = modules }
    if settings.reportsCoverage { ended.touched = touched }
    if host.snapshots.writtenCount > 0 { ended.writtenSnapshots = host.snapshots.writtenCount }
    return ended
  }

  private static let longestTimeline = 1000
}

extension Double {
  /// The number as messages show it.
  fileprivate var shown: String { formatted("%g") }
}

extension [LuaString] {
  /// A scenario's full name, of the names of its groups and its own.
  var fullName: String { map(\.shownName).joined(separator: " > ") }
}
