import PrimereplFoundation

/// The worker processes of a run, started on demand, and again after a crash.
@MainActor
final class WorkerPool {
  private let command: [String]
  private let settings: WorkerSettings
  private let size: Int
  private let describesCrashes: Bool
  private var idle: [WorkerProcess] = []
  private var busy: [ObjectIdentifier: WorkerProcess] = [:]
  private var isStopped = false
  private var workerCount = 0
  private var watch: Task<Void, Never>?

  /// The real time after the time limit in which a process must reply: a function in C may keep it from stopping.
  private static let patience = Duration.seconds(3)

  init(command: [String], settings: WorkerSettings, size: Int, describesCrashes: Bool) {
    (self.command, self.settings, self.size) = (command, settings, size)
    self.describesCrashes = describesCrashes
    watch = Task { [weak self] in
      while !Task.isCancelled, let self {
        for worker in busy.values { worker.endIfOverdue(at: .now) }
        do {
          try await Task.sleep(for: .milliseconds(200))
        } catch {
          return
        }
      }
    }
  }

  isolated deinit { watch?.cancel() }

  /// Ends all processes at once; their current work is lost.
  func stop() {
    isStopped = true
    for worker in busy.values { worker.end() }
    for worker in idle { worker.end() }
    idle = []
  }

  /// Does jobs, as many at once as there are processes, until `next` returns none.
  ///
  /// More jobs may come while others are done. After an error, the other jobs are ended.
  func perform<Job>(
    _ next: @escaping @MainActor () -> Job?,
    _ perform: @escaping @MainActor (Job) async throws -> Void
  ) async throws {
    let loops = (0..<size).map { _ in
      Task { while !isStopped, let job = next() { try await perform(job) } }
    }
    var failure: (any Error)?
    for loop in loops {
      do {
        try await loop.value
      } catch {
        failure = failure ?? error
        stop()
      }
    }
    if let failure { throw failure }
  }

  func list(_ file: String) async throws -> ListedFile {
    guard let worker = try await start(.list(file: file)) else { return ListedFile() }
    guard case .listed(let listed)? = try await worker.nextReply() else {
      let (failure, _) = await failure(of: worker, timeLimit: settings.timeLimit)
      return ListedFile(problem: FileProblem(file: file, message: failure.message))
    }
    putBack(worker)
    return listed
  }

  func coverageItems() async throws -> [CoverageItem] {
    guard let worker = try await start(.listCoverageItems) else { return [] }
    guard case .coverageItems(let items)? = try await worker.nextReply() else {
      throw WorkerError.failed(
        reason: await failure(of: worker, timeLimit: settings.timeLimit).failure.message)
    }
    putBack(worker)
    return items
  }

  /// Runs scenarios of a file one after the other; returns the remaining ones if the process ended before them.
  func run(
    _ scenarios: [ScenarioDescription],
    _ report: (ScenarioDescription, EndedScenario) throws -> Void
  ) async throws -> ArraySlice<ScenarioDescription> {
    guard let file = scenarios.first?.id.file else { return [] }
    guard let worker = try await start(.run(file: file, scenarios)) else { return [] }
    for (index, scenario) in scenarios.enumerated() {
      let timeLimit = scenario.timeLimit ?? settings.timeLimit
      worker.deadline = Self.deadline(after: timeLimit)
      var reply = try await worker.nextReply()
      var propertyRun: String?
      while case .progress(let progress)? = reply {
        switch progress {
        case .propertyRun(let description): propertyRun = description
        case .cleanup: worker.deadline = Self.deadline(after: timeLimit)
        }
        reply = try await worker.nextReply()
      }
      guard case .ended(let ended)? = reply else {
        var (failure, output) = await failure(of: worker, timeLimit: timeLimit)
        guard !isStopped else { return [] }
        if let propertyRun {
          failure = failure.explained(
            with: PropertyReport(origin: propertyRun).text(after: worker.steps()))
        }
        var ended = EndedScenario(failures: [failure])
        ended.output = output
        try report(scenario, ended)
        return scenarios[(index + 1)...]
      }
      try report(scenario, ended)
    }
    putBack(worker)
    return []
  }

  // MARK: - Processes

  private static func deadline(after seconds: Double) -> ContinuousClock.Instant {
    .now + .seconds(seconds) + patience
  }

  /// Sends a request to an idle process, or to a new one; nil if the pool is stopped.
  private func start(_ request: WorkerRequest) async throws -> WorkerProcess? {
    while let worker = idle.popLast() {
      // Otherwise it ended while it was idle.
      if await deliver(request, to: worker) { return worker }
    }
    guard !isStopped else { return nil }
    workerCount += 1
    var settings = settings
    settings.stepFile = "\(settings.temporaryFolder)/steps-\(workerCount)"
    let worker = try WorkerProcess(
      command, describesCrashes: describesCrashes, stepFile: settings.stepFile)
    try worker.send(.configure(settings))
    if await !deliver(request, to: worker) { busy[ObjectIdentifier(worker)] = worker }
    return worker
  }

  /// Sends a request to a process; returns whether it arrived.
  ///
  /// A process that ends before has done nothing of it.
  private func deliver(_ request: WorkerRequest, to worker: WorkerProcess) async -> Bool {
    busy[ObjectIdentifier(worker)] = worker
    worker.deadline = Self.deadline(after: settings.timeLimit)
    do {
      try worker.send(request)
      if case .began? = try await worker.nextReply() { return true }
    } catch {
      // The connection is closed.
    }
    busy[ObjectIdentifier(worker)] = nil
    return false
  }

  private func putBack(_ worker: WorkerProcess) {
    worker.deadline = nil
    busy[ObjectIdentifier(worker)] = nil
    if !isStopped { idle.append(worker) }
  }

  /// Why a process ended, and its output until then.
  private func failure(
    of worker: WorkerProcess, timeLimit: Double
  ) async -> (failure: ScenarioFailure, output: String?) {
    worker.deadline = nil
    busy[ObjectIdentifier(worker)] = nil
    let (status, output) = await worker.ended()
    let failure =
      worker.isOverdue
      ? ScenarioFailure(
        .timeout,
        "timed out after \(timeLimit.formatted("%g")) s, in a function that can't be stopped"
      ) : ScenarioFailure(.crash, "its process ended (\(status))")
    return (failure, output.isEmpty ? nil : output)
  }
}
