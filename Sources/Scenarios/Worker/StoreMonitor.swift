import Lua
import Scripting
import StateStore

/// Records the events of a store during a scenario, and checks invariants after each.
final class StoreMonitor {
  private let store: Store
  private let texts: ActionTexts
  private let clock: VirtualClock
  /// Keeps the failures.
  private let scenario: ScenarioHost

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
  /// The store when the last step of a property began.
  private var stepStart: (eventCount: Int, states: States)?
  private var isChecking = false
  /// Where the invariant was added that was stopped, as at the time limit; nil if none was.
  private(set) var stoppedInvariant: SourceLocation?

  /// Returns the line of a file that is running; nil if none is.
  var callingLine: () -> SourceLocation? = { nil }
  /// Records what actions touch; nil if nobody asks for it.
  var coverage: CoverageRecorder?
  /// Whether the scenario has ended: the end of its tasks isn't recorded.
  private var hasEnded = false

  private struct Event {
    let event: StoreEvent
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
    /// Where it was added.
    let location: SourceLocation?
    var hasFailed = false
  }

  init(of app: ScriptedApp, clock: VirtualClock, in scenario: ScenarioHost) {
    store = app.store
    texts = app.texts
    self.clock = clock
    self.scenario = scenario
    last = store.states
    // The app's requests may end after the scenario.
    store.observeEvents { [weak self] event in self?.record(event) }
  }

  // MARK: - Events

  private func record(_ event: StoreEvent) {
    // A finalizer may expect changes of its own.
    guard !hasEnded || !marks.isEmpty else { return }
    let event = Event(
      event: event, time: clock.elapsed / .seconds(1), location: callingLine(), before: last,
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
      coverage?.record(action: text(of: event), changed: paths)
      if mustBeMentioned, !paths.isEmpty { failUnmentioned(paths, event) }
    }
    checkInvariants(after: event)
  }

  private func text(of event: Event) -> String { texts.text(of: event.event) }

  private func differences(in event: Event) -> [StateDifference] {
    store.schema.differences(from: event.before, to: event.after)
  }

  private func failUnmentioned(_ paths: [String], _ event: Event) {
    let paths = paths.joined(separator: ", ")
    scenario.fail(
      ScenarioFailure(
        .expectation,
        "\(text(of: event)) changed \(paths) outside expect.changes, and the scenario is exhaustive",
        at: event.location))
  }

  private func checkInvariants(after event: Event) {
    // An invariant that changes the state isn't checked for these changes.
    guard !isChecking else { return }
    isChecking = true
    defer { isChecking = false }
    for index in invariants.indices where !invariants[index].hasFailed {
      do {
        let (message, differences) = try invariants[index].check.call(
          as: (LuaString?, [ValueDifference]?).self)
        guard let message else { continue }
        invariants[index].hasFailed = true
        scenario.fail(
          ScenarioFailure(
            .invariant, "after \(text(of: event)): \(message.limitedText)", at: event.location,
            differences: differences ?? []))
      } catch {
        invariants[index].hasFailed = true
        // Why the code is being stopped is reported at its end.
        guard !error.isStop else {
          stoppedInvariant = invariants[index].location
          return
        }
        scenario.fail(
          ScenarioFailure(
            .invariant, "after \(text(of: event)): \(error.userMessage)", at: event.location))
      }
    }
  }

  /// The last events, for reports, the oldest first.
  func timeline(last count: Int) -> [TimelineEntry] {
    events.suffix(count).map { event in
      TimelineEntry(
        text: text(of: event), time: event.time, location: event.location,
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
      scenario.fail(
        ScenarioFailure(
          .unfinished,
          "expect.\(mark.expectation) compared nothing: the scenario ended before its function did",
          at: mark.location))
    }
  }

  func end() {
    hasEnded = true
    marks = [:]
  }

  // MARK: - Functions for the vocabulary

  func addFunctions(to host: HostFunctions) throws {
    // The value at a path of the state.
    try host.add("value") { [unowned self] (path: String) -> StateValue in
      // That of the elements that a list lost, and it lost none.
      if initialValue(at: path) == nil { return StateValue.none }
      return try store.schema.value(at: path, in: store.states)
    }
    try host.add("problem_of_path") { [unowned self] (path: LuaString) in problem(of: path) }
    // Adds a function that returns a problem and differences, or nothing.
    try host.add("add_invariant") { [unowned self] (check: LuaFunction) in
      invariants.append(Invariant(check: check, location: callingLine()))
    }
    // Begins a function whose changes are expected; returns its mark.
    try host.add("enter") { [unowned self] (expectation: String) -> Int in
      markCount += 1
      marks[markCount] = Mark(
        expectation: expectation, location: callingLine(), states: store.states,
        eventCount: eventCount)
      return markCount
    }
    // Ends a function whose changes are expected; a message is recorded as a failure.
    try host.add("leave") {
      [unowned self] (mark: Int, message: LuaString?, differences: [ValueDifference]) in
      // One that is left when the scenario has ended was stopped with it.
      guard let mark = marks.removeValue(forKey: mark), let message, !isChecking else { return }
      scenario.fail(
        ScenarioFailure(
          .expectation, message.limitedText, at: mark.location, differences: differences))
    }
    // The differences of the state since a mark.
    try host.add("changes") { [unowned self] (mark: Int) -> [LuaRecord] in
      guard let earlier = marks[mark]?.states else { return [] }
      return store.schema.differences(from: earlier, to: store.states).map(\.record)
    }
    // The actions since a mark, as texts.
    try host.add("actions") { [unowned self] (mark: Int) -> [String] in
      guard let count = marks[mark]?.eventCount else { return [] }
      guard count >= forgottenCount else { throw StoreMonitorError.tooManyActions }
      return events.dropFirst(count - forgottenCount).map(text)
    }
  }

  /// Adds the functions that properties need; `record` keeps the steps in case the process ends.
  func addPropertyFunctions(to host: HostFunctions, _ record: StepRecord?) throws {
    // Begins the step at a position of the sequence.
    try host.add("begin_step") { [unowned self] (position: Int, text: LuaString) in
      stepStart = (eventCount, store.states)
      try record?.write(text.bytes, at: position - 1)
    }
    // Whether the step has sent an action that wasn't refused.
    try host.add("has_acted") { [unowned self] in eventCount != stepStart?.eventCount }
    // Whether the step has sent such an action, or changed the state in another way.
    try host.add("has_changed") { [unowned self] () -> Bool in
      guard let stepStart else { return false }
      return eventCount != stepStart.eventCount
        || !store.schema.differences(from: stepStart.states, to: store.states).isEmpty
    }
    try host.add("differences_when_reopened") { [unowned self] () in
      try store.differencesWhenReopened().map(\.record)
    }
    try host.add("list_size") { [unowned self] (path: String) in elements(at: path).count }
    // The id of an element of the list at a path; the element itself if it has none.
    try host.add("element_id") { [unowned self] (path: String, position: Int) -> StateValue in
      let element = elements(at: path)[position - 1]
      return element["id"] ?? element
    }
  }

  /// The number of events, with those that were forgotten.
  var eventCount: Int { forgottenCount + events.count }

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

typealias StoreMonitorError = PlainError<StoreMonitor>

extension StoreMonitorError {
  static var tooManyActions: Self {
    Self("too_many_actions", "The function sends more actions than expect.actions can compare.")
  }
}

extension StateDifference {
  /// The difference for the vocabulary.
  fileprivate var record: LuaRecord {
    let isRemoval = if case .removed = kind { true } else { false }
    return LuaRecord([("path", path), ("old", old), ("new", new), ("is_removal", isRemoval)])
  }
}
