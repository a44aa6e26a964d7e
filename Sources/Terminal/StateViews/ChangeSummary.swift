package import PrimereplLineEditing
package import Scripting
package import StateStore

/// A store at the beginning of a command, and what the command did since; keeping it costs almost nothing.
package struct ChangeBaseline {
  let position: Int
  let states: States
  /// The number of actions that were sent since.
  package private(set) var actions = 0
  /// Whether actions were undone or redone since.
  private(set) var hasTraveled = false

  package init(of store: Store) {
    position = store.position
    states = store.states
  }

  package mutating func record(_ event: StoreEvent) {
    switch event {
    case .action: actions += 1
    case .travel: hasTraveled = true
    }
  }
}

/// The changes of a command, in a few dim lines.
///
///     #12  counter.count 7 → 8 · counter.modal (4 fields)
///     #13…#72  60 actions: counter.count 7 → 67
///     #11 of 12  undone: counter.increment() · counter.count 8 → 7
package struct ChangeSummary {
  private let heading: String
  private let phrases: [String]
  private let detail: ChangeDetail

  /// The maximum length of an action's text, in characters.
  fileprivate static let actionLength = 40

  package init(
    since start: ChangeBaseline, in store: Store, _ texts: ActionTexts,
    _ detail: ChangeDetail = .folded
  ) {
    self.detail = detail
    let changes = ChangeText(from: start.states, to: store.states, store.schema, detail)
    if changes.phrases.isEmpty && (start.actions > 0 || store.position == start.position) {
      // Actions may cancel each other out, or change nothing.
      (heading, phrases) = ("", [])
    } else if start.actions > 0 {
      heading = Self.heading(since: start, at: store.position)
      phrases = changes.phrases
    } else if store.position != start.position {
      heading = "#\(store.position) of \(store.reachable.upperBound)  "
      phrases = [Self.travel(from: start.position, in: store, texts)] + changes.phrases
    } else {
      (heading, phrases) = ("", changes.phrases)
    }
  }

  private static func heading(since start: ChangeBaseline, at position: Int) -> String {
    guard start.actions > 1 || start.hasTraveled else { return "#\(position)  " }
    let count = start.actions.counted("action")
    guard !start.hasTraveled else { return "#\(position)  \(count) and undo: " }
    return "#\(position - start.actions + 1)…#\(position)  \(count): "
  }

  private static func travel(
    from start: Int, in store: Store, _ texts: ActionTexts
  ) -> String {
    let (verb, first, last) =
      store.position < start
      ? ("undone", store.position + 1, start) : ("redone", start + 1, store.position)
    guard first == last else {
      return "\(verb): \((last - first + 1).counted("action")) #\(first)…#\(last)"
    }
    let text =
      store.contents.action(first).map { texts.shownText(of: $0, limit: actionLength) }
      ?? "#\(first)"
    return "\(verb): \(text)"
  }

  /// The lines, each at most as wide as the screen; none if nothing changed.
  package func lines(columns: Int) -> [StyledText] {
    WrappedPhrases(heading: heading, phrases).lines(columns: columns, limit: detail.lines)
      .flatMap { line in
        let text = StyledText(line, .dim)
        return detail.isFolded ? [text.fitted(to: columns)] : text.wrapped(to: columns)
      }
  }
}

/// The source of a change that no command made.
package enum RemoteChange: Sendable {
  case startupFile
  case task
  /// Other processes that have the session open.
  case process(RemoteActions)

  private var name: String {
    switch self {
    case .startupFile: "init.lua"
    case .task: "task"
    case .process(let actions): actions.name
    }
  }

  /// The change in one dim line, such as `task  #14 todo.loading true → false`; nil if nothing changed.
  package func line(
    since start: ChangeBaseline, in store: Store, _ texts: ActionTexts, columns: Int
  ) -> StyledText? {
    let changes = ChangeText(from: start.states, to: store.states, store.schema)
    guard !changes.phrases.isEmpty else { return nil }
    var sent = start.position < store.position ? start.position + 1...store.position : nil
    if case .process(let actions) = self { sent = actions.numbers }
    let numbers =
      switch sent {
      case let numbers? where numbers.count == 1:
        "#\(numbers.lowerBound) \(action(numbers.lowerBound, in: store, texts))"
      case let numbers?:
        "#\(numbers.lowerBound)…#\(numbers.upperBound) \(numbers.count.counted("action")): "
      case nil: "now at #\(store.position): "
      }
    let line = "\(name)  \(numbers)\(changes.line)"
    return StyledText(line, .dim).fitted(to: columns)
  }

  private func action(_ number: Int, in store: Store, _ texts: ActionTexts) -> String {
    guard case .process = self, let action = store.contents.action(number) else { return "" }
    return texts.shownText(of: action, limit: ChangeSummary.actionLength) + "  "
  }
}

/// Actions of other processes that were reloaded.
package struct RemoteActions: Equatable {
  /// Their users and hosts, each once; empty if they aren't known.
  var authors: [String] = []
  /// Their numbers; nil if there are none, or the others have undone or redone actions.
  package var numbers: ClosedRange<Int>?

  package init() {}

  /// Actions by some users, each on a host; nil for one that isn't known.
  package init(by authors: [String?]) {
    for author in authors.compactMap(\.self) where !self.authors.contains(author) {
      self.authors.append(author)
    }
  }

  /// The authors as they are shown.
  package var name: String {
    switch authors.count {
    case 0: "another process"
    case 1...3: authors.map { $0.printable(limit: 40) }.joined(separator: ", ")
    default: "\(authors.count) others"
    }
  }

  package init(of reload: JournaledSession.Reload) {
    self.init(by: reload.entries.map(\.author))
    numbers = reload.numbers
  }
}

/// Phrases with dots between them, in as many lines as they need.
struct WrappedPhrases {
  let heading: String
  let phrases: [String]

  init(heading: String, _ phrases: [String]) { (self.heading, self.phrases) = (heading, phrases) }

  /// The lines; those after the first are indented below the heading's number.
  ///
  /// A phrase wider than a line has one of its own. If there are too many lines, the last counts what is left out.
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
