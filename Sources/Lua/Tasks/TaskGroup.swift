/// The tasks that `task.all` waits for, by the keys of its table.
final class TaskGroup {
  private enum Entry: LuaReadable {
    case task(LuaTask)
    case function(LuaFunction)

    static var luaTypeName: String { "task or function" }

    static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Entry {
      if let task = stack.value(at: index, as: LuaTask.self) { return .task(task) }
      if let function = stack.value(at: index, as: LuaFunction.self) { return .function(function) }
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
  }

  private let scheduler: Scheduler
  private let waiter: LuaTask?
  private let entries: [(key: LuaValue, entry: Entry)]

  /// Reads the table, and checks that the running task can wait for what is in it.
  init(_ content: PlainTable, in scheduler: Scheduler) throws(LuaError) {
    let table = content.table
    self.scheduler = scheduler
    var entries: [(key: LuaValue, entry: Entry)] = []
    var tasks: [LuaTask] = []
    for (key, _) in try table.entries() {
      let entry = try table.get(key, as: Entry.self)
      if case .task(let task) = entry { tasks.append(task) }
      entries.append((key, entry))
    }
    self.entries = entries
    waiter = try scheduler.waiter(for: tasks)
  }

  /// Starts the functions, waits for all to end, and returns the first result of each.
  ///
  /// When one fails, or the waiting is cancelled, the others are cancelled.
  ///
  /// - Throws: The error of the task that failed first, once all have ended.
  func results() async throws -> TaskResults {
    defer { waiter?.endAwaiting() }
    let tasks = try start()
    let suspension = LuaSuspension()
    var running = tasks.count
    var firstFailure: LuaError?
    if running == 0 { suspension.end() }
    for (_, task) in tasks {
      task.whenEnded {
        running -= 1
        if firstFailure == nil, case .failure(let error) = task.outcome {
          firstFailure = error
          for (_, other) in tasks { other.cancel() }
        }
        if running == 0 { suspension.end() }
      }
    }
    await suspension.wait()
    for (_, task) in tasks where Task.isCancelled { task.cancel() }
    try Task.checkCancellation()
    if let firstFailure { throw firstFailure }
    return try TaskResults(
      entries: tasks.map { (key: $0.key, value: try $0.task.outcome?.get().first ?? .nil) })
  }

  /// Starts the functions, and returns all tasks with their keys.
  ///
  /// It throws if one can't be started, or was stopped; then no more are started, and those before are cancelled.
  private func start() throws -> [(key: LuaValue, task: LuaTask)] {
    var tasks: [(key: LuaValue, task: LuaTask)] = []
    do {
      for (key, entry) in entries {
        let task = try task(of: entry)
        tasks.append((key, task))
        task.observe()
        if case .function = entry, case .failure(let error) = task.outcome, error.isStop {
          throw error
        }
      }
      return tasks
    } catch {
      for (_, task) in tasks { task.cancel() }
      throw error
    }
  }

  private func task(of entry: Entry) throws(LuaError) -> LuaTask {
    switch entry {
    case .task(let task):
      waiter?.startAwaiting(task)
      return task
    case .function(let function):
      return try scheduler.start(function, [], awaitedBy: waiter)
    }
  }
}

/// The results of a group's tasks, by their keys: a table for Lua.
struct TaskResults: LuaPushable {
  let entries: [(key: LuaValue, value: LuaValue)]

  static var luaTypeName: String { "table" }

  func push(to stack: LuaStack) throws(LuaError) {
    try stack.pushTable(fieldCount: entries.count) { table throws(LuaError) in
      for (key, value) in entries { try table.set(key: key, to: value) }
    }
  }
}
