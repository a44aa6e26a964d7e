import Collections

/// Something in the states that is observed, with what it takes to tell how it changed.
class Watch {
  /// The features on which it depends.
  let sources: FeatureSet

  /// How many subscriptions observe it.
  var observers = 0

  /// Whether it needs the states before a change: once a reducer made a new list, it may do so each time.
  @exclusivity(unchecked) fileprivate(set) var comparesStates = false

  init(_ sources: FeatureSet) { self.sources = sources }

  /// Prepares for a change of its features, of which `takeChange` then tells.
  func prepare(_ states: inout States) {}

  /// Ends what `prepare` began.
  ///
  /// - Parameters:
  ///   - states: The states.
  ///   - isChanged: Whether its features were changed, or couldn't be.
  /// - Returns: Whether it knows what changed without the states before.
  func finish(_ states: inout States, isChanged: Bool) -> Bool { true }

  /// How it changed since this was last called, or nil where it didn't.
  ///
  /// - Parameters:
  ///   - earlier: The states before; nil where every watch knows what changed without them.
  ///   - later: The states after.
  /// - Returns: The change.
  func takeChange(from earlier: States?, to later: States) -> WatchedChange? {
    preconditionFailure("Each kind of watch looks in its own way.")
  }
}

/// What became of something that is observed.
enum WatchedChange {
  case field(FieldChange)
  /// Tells the only one who observes it.
  case report(() throws -> Void)
}

/// A field that is observed.
final class FieldWatch: Watch {
  let path: String

  private let content: StateField.Content

  /// Reads a value; nil for a list.
  private let read: (@Sendable (States) -> StateValue)?

  /// What the list noted of its last change; nil where nobody asked it to.
  @exclusivity(unchecked) private var logged: LoggedEdits<StateValue>?

  /// The value when it was last looked at.
  ///
  /// Unchecked, as it is only read and replaced as a whole, and this is done for every action.
  @exclusivity(unchecked) private var last = StateValue.none

  /// Watches a field.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - states: The states from which changes are told.
  init(_ field: StateField, states: States) {
    path = field.path
    content = field.content
    switch content {
    case .value(let access):
      read = access.read
      last = access.read(states)
    case .list:
      read = nil
    }
    super.init(field.sources)
  }

  /// Whether a list is watched, which tells of its changes by itself.
  var isList: Bool { read == nil }

  private let session = LogSession()

  override func prepare(_ states: inout States) {
    guard case .list(let list) = content, !comparesStates else { return }
    list.startLog(&states, session)
  }

  override func finish(_ states: inout States, isChanged: Bool) -> Bool {
    guard case .list(let list) = content, !comparesStates else { return true }
    let edits = list.endLog(&states, session)
    guard isChanged else { return true }
    logged = edits
    if case .unknown = edits { comparesStates = true }
    return !comparesStates
  }

  /// - Complexity: O(1) for a value, O(records that differ · log records) for a list.
  override func takeChange(from earlier: States?, to later: States) -> WatchedChange? {
    takeFieldChange(from: earlier, to: later).map(WatchedChange.field)
  }

  func takeFieldChange(from earlier: States?, to later: States) -> FieldChange? {
    if let read {
      let old = last
      let new = read(later)
      guard new != old else { return nil }
      last = new
      return FieldChange(path: path, change: .value(new: new, old: old))
    }
    guard case .list(let list) = content else { return nil }
    defer { logged = nil }
    let edits =
      if case .known(let edits) = logged { edits } else {
        earlier.flatMap { list.edits($0, later) }
      }
    return edits.map { FieldChange(path: path, change: .list($0)) }
  }
}

/// A part of a feature's state that is observed as it is.
final class TypedWatch<F: Feature, Value: Equatable>: Watch {
  private let index: Int
  private let part: KeyPath<F.State, Value>
  private var last: Value
  private let body: (_ new: Value, _ old: Value) throws -> Void

  init(
    _ part: KeyPath<F.State, Value>, at index: Int, states: States,
    _ body: @escaping (Value, Value) throws -> Void
  ) {
    self.part = part
    self.index = index
    self.body = body
    last = states.read(F.self, at: index) { $0[keyPath: part] }
    super.init(FeatureSet(index))
  }

  override func takeChange(from earlier: States?, to later: States) -> WatchedChange? {
    let old = last
    let new = later.read(F.self, at: index) { $0[keyPath: part] }
    guard new != old else { return nil }
    last = new
    return .report { [body] in try body(new, old) }
  }
}

extension Schema {
  /// The fields to watch for those who observe a path.
  ///
  /// - Parameter path: The path of a field; of what contains fields, or nothing for all of them; or of a part of a field.
  /// - Returns: The fields, at least one.
  /// - Throws: `StoreError.unknownPath` where there is nothing, and can't be.
  func fields(at path: String) throws(StoreError) -> [StateField] {
    // No path is so long, and comparing texts takes time that grows with the square of their combining marks.
    guard path.utf8.count <= StatePath.maximumLength else {
      throw .unknownPath(path, known: knownPaths)
    }
    if let field = fields.first(where: { $0.path == path }) { return [field] }
    let contained = fields.filter { path.isEmpty || $0.path.hasPrefix(path + ".") }
    guard contained.isEmpty else { return contained }
    guard let steps = StatePath(path)?.steps, let part = part(at: steps, path: path) else {
      throw .unknownPath(path, known: knownPaths)
    }
    return [part]
  }

  private func part(at steps: [StatePath.Step], path: String) -> StateField? {
    fields.lazy.compactMap { field in
      let own = StatePath(field.path)?.steps ?? []
      return steps.starts(with: own) ? field.part(at: steps[own.count...], path: path) : nil
    }.first
  }

  /// Every path of a field and of what contains fields, each parent before its fields.
  private var knownPaths: [String] {
    var paths = OrderedSet<String>()
    for path in fields.map(\.path) {
      for dot in path.indices where path[dot] == "." { paths.append(String(path[..<dot])) }
      paths.append(path)
    }
    return Array(paths)
  }
}
