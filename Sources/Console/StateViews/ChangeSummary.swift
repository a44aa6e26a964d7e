import LineEditing
import Scripting
import StateStore

/// A store at one time, to be compared with a later one; keeping it costs almost nothing.
struct StoreMark {
  let position: Int
  /// The number of the last action, in effect or undone.
  let last: Int
  let states: States

  /// Marks the present of a store.
  init(of store: Store) {
    position = store.position
    last = store.reachable.upperBound
    states = store.states
  }
}

/// What a command did to a store, besides changing its states.
struct StoreActivity {
  /// Undone actions, which can be redone until the next action replaces them.
  struct UndoneActions {
    var count = 0
    /// The first of them.
    var first: [RecordedAction] = []

    init() {}

    init(in store: Store) {
      count = store.reachable.upperBound - store.position
      guard count > 0 else { return }
      let reader = store.historyReader
      first = (1...min(count, ChangeSummary.namedActions)).compactMap {
        reader.action(reader.position + $0)
      }
    }
  }

  /// The number of actions that were sent.
  var actions = 0
  /// Whether actions were undone or redone.
  var hasTraveled = false
  /// The undone actions that a new one replaced; the first if that happened several times.
  var replaced = UndoneActions()
}

/// Notes what happens to a store from one command to the next.
///
/// It takes the store's event monitor.
final class ActivityMonitor {
  private let store: Store
  private var activity = StoreActivity()
  private var start: StoreMark
  private var undone: StoreActivity.UndoneActions

  /// Called after each action, undo, redo and jump; it doesn't send actions.
  var whenChanged: () -> Void = {}

  init(of store: Store) {
    self.store = store
    start = StoreMark(of: store)
    undone = StoreActivity.UndoneActions(in: store)
    store.eventMonitor = { [weak self] in self?.note($0) }
  }

  /// Begins to note what happens: at the beginning of a command, or once its changes have been shown.
  func begin() {
    activity = StoreActivity()
    start = StoreMark(of: store)
    undone = StoreActivity.UndoneActions(in: store)
  }

  /// What has changed since `begin`, in lines of a width; none if nothing has.
  func summary(columns: Int) -> [StyledText] {
    ChangeSummary(activity, since: start, in: store).lines(columns: columns)
  }

  /// What has changed by itself since `begin`: a line, and one for undone actions that were replaced; none if nothing has.
  func remoteChange(by source: RemoteChange, columns: Int) -> [StyledText] {
    guard let line = source.line(since: start, in: store, columns: columns) else { return [] }
    let note = ChangeSummary.note(on: activity.replaced)
    return [line] + (note.map { [StyledText($0, .dim).fitted(to: columns)] } ?? [])
  }

  private func note(_ event: JournalEntry.Event) {
    switch event {
    case .action:
      activity.actions += 1
      if undone.count > 0 {
        if activity.replaced.count == 0 { activity.replaced = undone }
        undone = StoreActivity.UndoneActions()
      }
    case .travel:
      activity.hasTraveled = true
      undone = StoreActivity.UndoneActions(in: store)
    }
    whenChanged()
  }
}

/// What a command changed, in a few dim lines.
///
///     #12  counter.count 7 → 8 · favorites +17
///     #13…#72  60 actions: counter.count 7 → 67
///     #11 of 12  undone: counter.increment() · counter.count 8 → 7
struct ChangeSummary {
  private let heading: String
  private let phrases: [String]
  private let note: String?

  /// The maximum number of lines.
  static let maximumLines = 5
  /// The maximum number of undone actions that are named.
  static let namedActions = 2
  /// The maximum length of an action's text, in characters.
  fileprivate static let actionLength = 40

  /// - Parameters:
  ///   - activity: What was done since the mark.
  ///   - start: The store before.
  ///   - store: The store after.
  init(_ activity: StoreActivity, since start: StoreMark, in store: Store) {
    let changes = ChangeText(from: start.states, to: store.states, store.schema).phrases
    note = Self.note(on: activity.replaced)
    if changes.isEmpty && (activity.actions > 0 || store.position == start.position) {
      // Actions may cancel each other out, or change nothing.
      (heading, phrases) = ("", [])
    } else if activity.actions > 0 {
      heading = Self.heading(of: activity, at: store.position)
      phrases = changes
    } else if store.position != start.position {
      heading = "#\(store.position) of \(store.reachable.upperBound)  "
      phrases = [Self.travel(from: start.position, in: store)] + changes
    } else {
      (heading, phrases) = ("", changes)
    }
  }

  private static func heading(of activity: StoreActivity, at position: Int) -> String {
    guard activity.actions > 1 || activity.hasTraveled else { return "#\(position)  " }
    let count = activity.actions.counted("action")
    guard !activity.hasTraveled else { return "#\(position)  \(count) and undo: " }
    return "#\(position - activity.actions + 1)…#\(position)  \(count): "
  }

  private static func travel(from start: Int, in store: Store) -> String {
    let (verb, first, last) =
      store.position < start
      ? ("undone", store.position + 1, start) : ("redone", start + 1, store.position)
    guard first == last else {
      return "\(verb): \((last - first + 1).counted("action")) #\(first)…#\(last)"
    }
    let text = store.historyReader.action(first)?.shownText(limit: actionLength) ?? "#\(first)"
    return "\(verb): \(text)"
  }

  fileprivate static func note(on replaced: StoreActivity.UndoneActions) -> String? {
    guard replaced.count > 0 else { return nil }
    var names = replaced.first.map { "#\($0.number) \($0.shownText(limit: actionLength))" }
    if replaced.count > names.count { names.append("…") }
    return "replaces \(replaced.count.counted("undone action")) (\(names.joined(separator: ", ")))"
  }

  /// The lines, each at most as wide as the screen; none if nothing changed.
  func lines(columns: Int) -> [StyledText] {
    let limit = Self.maximumLines - (note == nil ? 0 : 1)
    let changes = WrappedPhrases(heading: heading, phrases).lines(columns: columns, limit: limit)
    return (changes + (note.map { [$0] } ?? [])).map {
      StyledText($0, .dim).fitted(to: columns)
    }
  }
}

/// What changed without a command.
enum RemoteChange: Sendable {
  /// The user's startup file.
  case startupFile
  /// A task of this process.
  case task
  /// Another process that has the session open.
  case process

  private var name: String {
    switch self {
    case .startupFile: "init.lua"
    case .task: "task"
    case .process: "another process"
    }
  }

  /// The change in one dim line, such as `task  #14 todo.loading true → false`; nil if nothing changed.
  ///
  /// A single action of another process is named, too.
  ///
  /// - Parameters:
  ///   - start: The store before.
  ///   - store: The store after.
  ///   - columns: The width of the screen.
  /// - Returns: The line.
  func line(since start: StoreMark, in store: Store, columns: Int) -> StyledText? {
    let changes = ChangeText(from: start.states, to: store.states, store.schema)
    guard !changes.phrases.isEmpty else { return nil }
    let count = store.position - start.position
    let numbers =
      switch count {
      case 1: "#\(store.position) \(action(at: store.position, in: store))"
      case 2...: "#\(start.position + 1)…#\(store.position) \(count.counted("action")): "
      default: "now at #\(store.position): "
      }
    return StyledText("\(name)  \(numbers)\(changes.line)", .dim).fitted(to: columns)
  }

  private func action(at position: Int, in store: Store) -> String {
    guard self == .process, let action = store.historyReader.action(position) else { return "" }
    return action.shownText(limit: ChangeSummary.actionLength) + "  "
  }
}

/// Phrases with dots between them, in as many lines as they need.
struct WrappedPhrases {
  let heading: String
  let phrases: [String]

  init(heading: String, _ phrases: [String]) { (self.heading, self.phrases) = (heading, phrases) }

  /// The lines; those after the first are indented below the heading's number.
  ///
  /// - Parameters:
  ///   - columns: The width of a line. A phrase that is wider has a line of its own.
  ///   - limit: The maximum number of lines; the last says how many phrases are left out.
  /// - Returns: The lines; none without phrases.
  func lines(columns: Int, limit: Int) -> [String] {
    guard !phrases.isEmpty else { return [] }
    let indentation = "    "
    var lines: [(text: String, phrases: Int)] = [(heading, 0)]
    for phrase in phrases {
      let last = lines.count - 1
      let separator = lines[last].phrases == 0 ? "" : " · "
      let text = lines[last].text + separator + phrase
      if lines[last].phrases > 0, StyledText(text).columns > columns {
        lines.append((indentation + phrase, 1))
      } else {
        lines[last] = (text, lines[last].phrases + 1)
      }
    }
    guard lines.count > limit else { return lines.map(\.text) }
    let rest = lines[(limit - 1)...].reduce(0) { $0 + $1.phrases }
    return lines.prefix(limit - 1).map(\.text) + [indentation + "… \(rest.counted("more change"))"]
  }
}
