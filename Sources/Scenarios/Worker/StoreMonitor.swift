import Lua
import Scripting
import StateStore

/// Notes what a store does during a scenario, and checks its invariants after each event.
final class StoreMonitor {
  private let store: Store
  private let clock: VirtualClock

  /// The events, oldest first; the first ones are forgotten if there are very many.
  private var events: [Event] = []
  private var forgottenCount = 0
  private static let mostEvents = 10_000

  /// The calls that haven't ended of functions whose changes are expected.
  private var marks: [Int: Mark] = [:]
  private var markCount = 0
  private var last: States

  /// Whether a change outside a function whose changes are expected is a failure.
  var isExhaustive = false
  private var invariants: [Invariant] = []
  private var isChecking = false

  /// Returns the line of a file that is running; nil if none is.
  var callingLine: () -> SourceLocation? = { nil }
  /// Gets the text of each action, and the paths that it changed; nil if nobody needs them.
  var coverage: ((_ action: String, _ paths: [String]) -> Void)?
  /// Whether the scenario has ended: what it left behind is stopped, and that isn't noted.
  private var hasEnded = false
  /// Gets the failures that are found.
  var fail: (ScenarioFailure) -> Void = { _ in }

  private struct Event {
    let text: String
    let time: Double
    let location: SourceLocation?
    let before: States
    let after: States
  }

  /// The beginning of a function whose changes are expected.
  private struct Mark {
    /// The expectation, such as "changes".
    let expectation: String
    let location: SourceLocation?
    let states: States
    let eventCount: Int
  }

  private struct Invariant {
    let check: LuaFunction
    var hasFailed = false
  }

  init(of store: Store, clock: VirtualClock) {
    self.store = store
    self.clock = clock
    last = store.states
    store.eventMonitor = { [unowned self] event in note(event) }
  }

  // MARK: - Events

  private func note(_ event: JournalEntry.Event) {
    // A finalizer may expect changes of its own.
    guard !hasEnded || !marks.isEmpty else { return }
    let event = Event(
      text: event.luaText, time: clock.elapsed / .seconds(1), location: callingLine(), before: last,
      after: store.states)
    last = event.after
    if events.count == Self.mostEvents {
      events.removeFirst(Self.mostEvents / 2)
      forgottenCount += Self.mostEvents / 2
    }
    events.append(event)
    let mustBeMentioned = isExhaustive && marks.isEmpty
    if coverage != nil || mustBeMentioned {
      let paths = differences(in: event).map(\.path)
      coverage?(event.text, paths)
      if mustBeMentioned, !paths.isEmpty { failUnmentioned(paths, event) }
    }
    checkInvariants(after: event)
  }

  private func differences(in event: Event) -> [StateDifference] {
    store.schema.differences(from: event.before, to: event.after)
  }

  private func failUnmentioned(_ paths: [String], _ event: Event) {
    let paths = paths.joined(separator: ", ")
    fail(
      ScenarioFailure(
        .expectation,
        "\(event.text) changed \(paths) outside expect.changes, and the scenario is exhaustive",
        at: event.location))
  }

  private func checkInvariants(after event: Event) {
    // An invariant that changes the state isn't checked by itself.
    guard !isChecking else { return }
    isChecking = true
    defer { isChecking = false }
    for index in invariants.indices where !invariants[index].hasFailed {
      do {
        let broken = try invariants[index].check.call(as: BrokenInvariant?.self)
        guard let broken else { continue }
        invariants[index].hasFailed = true
        fail(
          ScenarioFailure(
            .invariant, "after \(event.text): \(broken.message)", at: event.location,
            differences: broken.differences))
      } catch {
        invariants[index].hasFailed = true
        // Why the code is being stopped is reported at its end.
        guard !error.isStop else { return }
        fail(ScenarioFailure(.invariant, "after \(event.text): \(error)", at: event.location))
      }
    }
  }

  /// What happened, for reports.
  ///
  /// - Parameter count: The most entries, counted from the last.
  /// - Returns: The entries, oldest first.
  func timeline(last count: Int) -> [TimelineEntry] {
    events.suffix(count).map { event in
      TimelineEntry(
        text: event.text, time: event.time, location: event.location,
        changes: differences(in: event).map {
          TimelineEntry.Change(
            path: $0.path, old: $0.old?.luaLiteral, new: $0.new?.luaLiteral)
        })
    }
  }

  // MARK: - The end

  /// Records the expectations that compared nothing, since their functions never ended.
  func failOpenExpectations() {
    for (_, mark) in marks.sorted(by: { $0.key < $1.key }) {
      fail(
        ScenarioFailure(
          .unfinished,
          "expect.\(mark.expectation) compared nothing: the scenario ended before its function did",
          at: mark.location))
    }
  }

  /// Ends the scenario.
  func end() {
    hasEnded = true
    marks = [:]
  }

  // MARK: - What the vocabulary asks

  func addMembers(to module: LuaModule) {
    addExpectations(to: module)
    addLists(to: module)
    module.function(
      "event_count", help: "The number of events so far: actions, undone and redone ones too.",
      example: "host.event_count()"
    ) { [unowned self] () in forgottenCount + events.count }
    module.function(
      "value", "path", help: "The value at a path of the state.",
      example: "host.value(\"counter.count\")"
    ) { [unowned self] (path: String) in
      // That of the elements that a list lost, and it lost none.
      if initialValue(at: path) == nil { return StateValue.none }
      return try store.schema.value(at: path, in: store.states)
    }
    module.function(
      "problem_of_path", "path", help: "Why the state has no such path; or nil.",
      example: "host.problem_of_path(\"counter.cuont\")"
    ) { [unowned self] (path: LuaString) in problem(of: path) }
    module.function(
      "add_invariant", "check", help: "Adds a function that returns what is wrong, or nothing.",
      example: "host.add_invariant(function() end)"
    ) { [unowned self] (check: LuaFunction) in invariants.append(Invariant(check: check)) }
  }

  private func addExpectations(to module: LuaModule) {
    module.function(
      "enter", "expectation",
      help: "Begins a function whose changes are expected; returns its mark.",
      example: "local mark = host.enter(\"changes\")"
    ) { [unowned self] (expectation: String) in
      markCount += 1
      marks[markCount] = Mark(
        expectation: expectation, location: callingLine(), states: store.states,
        eventCount: forgottenCount + events.count)
      return markCount
    }
    module.function(
      "leave", "mark", "message", "differences",
      help: "Ends a function whose changes are expected; with a message, it records a failure.",
      example: "host.leave(mark, nil, {})"
    ) { [unowned self] (mark: Int, message: LuaString?, differences: [ComparedValues]) in
      // One that is left when the scenario has ended was stopped with it.
      guard let mark = marks.removeValue(forKey: mark), let message, !isChecking else { return }
      fail(
        ScenarioFailure(
          .expectation, message.limitedText, at: mark.location,
          differences: differences.map(\.difference)))
    }
    module.function(
      "changes", "mark", help: "The differences of the state since a mark.",
      example: "host.changes(mark)"
    ) { [unowned self] (mark: Int) in
      guard let earlier = marks[mark]?.states else { return [DifferenceTable]() }
      return store.schema.differences(from: earlier, to: store.states).map {
        DifferenceTable(difference: $0)
      }
    }
    module.function(
      "differences_when_reopened",
      help: "How the state would differ if the session was saved and reopened.",
      example: "host.differences_when_reopened()"
    ) { [unowned self] () in
      try store.differencesWhenReopened().map { DifferenceTable(difference: $0) }
    }
    module.function(
      "actions", "mark", help: "The actions since a mark, as texts.",
      example: "host.actions(mark)"
    ) { [unowned self] (mark: Int) in
      guard let count = marks[mark]?.eventCount else { return [String]() }
      guard count >= forgottenCount else { throw StoreMonitorError.tooManyActions }
      return events.dropFirst(count - forgottenCount).map(\.text)
    }
  }

  private func addLists(to module: LuaModule) {
    module.function(
      "list_size", "path", help: "The number of elements of the list at a path.",
      example: "host.list_size(\"todo.items\")"
    ) { [unowned self] (path: String) in elements(at: path).count }
    module.function(
      "element_id", "path", "position",
      help: "The id of an element of the list at a path; the element itself if it has none.",
      example: "host.element_id(\"todo.items\", 1)"
    ) { [unowned self] (path: String, position: Int) in
      let element = elements(at: path)[position - 1]
      return element["id"] ?? element
    }
  }

  private func elements(at path: String) -> ListElements<StateValue> {
    store.schema.fields.first { $0.path == path }?.elements(in: store.states) ?? []
  }

  /// Why the state has no such path; nil if it has.
  private func problem(of path: LuaString) -> String? {
    if let text = path.text, isPath(text) { return nil }
    let known = store.schema.fields.map(\.path)
    let nearest = path.shortText.nearest(of: known).map { "; did you mean \"\($0)\"?" }
    return "the state has nothing at \"\(path.shortText)\""
      + (nearest ?? ": it has \(known.joined(separator: ", "))")
  }

  private func isPath(_ text: String) -> Bool {
    // An empty one leads to the whole state, which says nothing about what changes.
    guard !text.isEmpty else { return false }
    if initialValue(at: text) != nil { return true }
    // The elements that a list lost.
    guard text.hasSuffix(".removed") else { return false }
    if case .list = initialValue(at: String(text.dropLast(".removed".count))) { return true }
    return false
  }

  /// The value at a path of the initial state; nil if the state can't have one there.
  private func initialValue(at path: String) -> StateValue? {
    do {
      return try store.schema.value(at: path, in: store.schema.initial)
    } catch {
      return nil
    }
  }
}

/// Why the actions of a scenario can't be told.
typealias StoreMonitorError = PlainError<StoreMonitor>

extension StoreMonitorError {
  static var tooManyActions: Self {
    Self("too_many_actions", "The function sends more actions than expect.actions can compare.")
  }
}

/// How an invariant is broken, as the vocabulary tells it: `{message=, differences=}`.
private struct BrokenInvariant: LuaReadable {
  let message: String
  let differences: [ValueDifference]

  static var luaTypeName: String { "table" }

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    let table = try LuaTable.read(from: stack, at: index)
    do {
      return Self(
        message: try table.get("message", as: LuaString.self).limitedText,
        differences: try table.get("differences", as: [ComparedValues]?.self)?.map(\.difference)
          ?? [])
    } catch {
      throw LuaTypeMismatch(expected: luaTypeName, got: "\(error)")
    }
  }
}

/// A difference for the vocabulary: a table with the path, the old and the new value, and whether elements were removed.
private struct DifferenceTable: LuaPushable {
  let difference: StateDifference

  static var luaTypeName: String { "table" }

  func push(to stack: LuaStack) throws(LuaError) {
    let isRemoval = difference.old == nil && difference.path.hasSuffix(".removed")
    try LuaRecord([
      ("path", difference.path), ("old", difference.old), ("new", difference.new),
      ("is_removal", isRemoval),
    ]).push(to: stack)
  }
}
