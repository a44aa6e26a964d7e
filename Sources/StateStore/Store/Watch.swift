/// An observed part of the states, which finds its changes.
class Watch {
  /// The features on which it depends.
  let sources: FeatureSet

  /// The number of subscriptions that observe it.
  var observers = 0

  init(_ sources: FeatureSet) { self.sources = sources }

  /// Whether it is observed, and depends on one of some features.
  final func isObserved(of features: FeatureSet) -> Bool {
    observers > 0 && sources.intersects(features)
  }

  /// The change since the last call, if any.
  ///
  /// - Parameters:
  ///   - delta: What the only action since then changed; nil if there were several.
  ///   - earlier: The states before; they may be nil for an action of one feature.
  ///   - later: The states now.
  /// - Returns: The change.
  func takeChange(by delta: StateDelta?, from earlier: States?, to later: States) -> WatchedChange?
  {
    preconditionFailure("Each kind of watch looks in its own way.")
  }
}

/// A change of an observed part.
enum WatchedChange {
  case field(FieldChange)
  /// Calls the watch's only observer.
  case report(() throws -> Void)
}

final class FieldWatch: Watch {
  var path: String { field.path }

  private let field: StateField

  /// The log of a list that has one, and its index among those of the feature.
  private let log: (log: StateRecords.Log, index: Int)?

  /// The value when it was last read; `.none` for a list.
  ///
  /// Unchecked: it is only read and replaced as a whole, and this for every action.
  @exclusivity(unchecked) private var last = StateValue.none

  /// Changes are reported relative to `states`.
  init(_ field: StateField, of schema: StoreSchema, states: States) {
    self.field = field
    log = schema.log(of: field)
    if !field.isList { last = field.value(in: states) }
    super.init(field.sources)
  }

  /// - Complexity: O(1) for a value, O(records that differ · log records) for a list.
  override func takeChange(
    by delta: StateDelta?, from earlier: States?, to later: States
  ) -> WatchedChange? {
    takeFieldChange(by: delta, from: earlier, to: later).map(WatchedChange.field)
  }

  func takeFieldChange(
    by delta: StateDelta?, from earlier: States?, to later: States
  ) -> FieldChange? {
    guard field.isList else {
      let old = last
      let new = field.value(in: later)
      guard new != old else { return nil }
      last = new
      return FieldChange(path: path, change: .value(new: new, old: old))
    }
    guard case .feature(let delta, field.index) = delta else {
      return earlier.flatMap { field.change(from: $0, to: later) }
    }
    return edits(of: delta).map { FieldChange(path: path, change: .list($0)) }
  }

  private func edits(of delta: FeatureDelta) -> ListEdits<StateValue>? {
    if let log {
      return delta.lists.first { $0.log == log.index }.flatMap { log.log.edits($0.delta) }
    }
    guard case .list(let list) = field.content else { return nil }
    return list.edits(delta.before, delta.after)
  }
}

/// A part of a feature's state, observed with its own type.
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

  override func takeChange(
    by delta: StateDelta?, from earlier: States?, to later: States
  ) -> WatchedChange? {
    let old = last
    let new = later.read(F.self, at: index) { $0[keyPath: part] }
    guard new != old else { return nil }
    last = new
    return .report { [body] in try body(new, old) }
  }
}

extension StoreSchema {
  /// The log of a list, and its index among those of its feature; nil for a set, or another field.
  fileprivate func log(of field: StateField) -> (log: StateRecords.Log, index: Int)? {
    guard let log = field.list?.records?.log else { return nil }
    return features[field.index].recordLists.firstIndex { $0.path == field.path }.map { (log, $0) }
  }

  /// The value at a path: of a field, of a part of one, or of all fields below it as a record.
  ///
  /// - Throws: `StoreError.unknownPath` if the state can't have a value there.
  package func value(at path: String, in states: States) throws(StoreError) -> StateValue {
    let fields = try fields(at: path)
    if fields.count == 1, let field = fields.first, field.path == path {
      return field.value(in: states)
    }
    let prefix = path.isEmpty ? 0 : path.count + 1
    return StateValue(
      leaves: fields.map { (path: $0.path.dropFirst(prefix), value: $0.value(in: states)) })
  }

  /// The fields to watch for observers of a path; at least one.
  ///
  /// The path is that of a field, of a part of one, or of a parent of fields; the empty path is the parent of all.
  ///
  /// - Throws: `StoreError.unknownPath` if the state can't have a value there.
  package func fields(at path: String) throws(StoreError) -> [StateField] {
    // Comparing texts takes time that grows with the square of the number of combining marks.
    guard path.utf8.count <= StatePath.maximumLength else {
      throw .unknownPath(path, known: knownPaths)
    }
    if let field = fields.first(where: { $0.path == path }) { return [field] }
    let contained = fields.filter {
      !$0.isListView && (path.isEmpty || $0.path.hasPrefix(path + "."))
    }
    guard contained.isEmpty else { return contained }
    guard let steps = StatePath(path)?.steps, let part = part(at: steps, path: path) else {
      throw .unknownPath(path, known: knownPaths)
    }
    return [part]
  }

  private func part(at steps: [StatePath.Step], path: String) -> StateField? {
    first(along: steps) { $0.part(at: $1, path: path) }
  }

  /// Every path of a field or of a parent of fields, each parent before its fields.
  package var knownPaths: [String] {
    var paths: [String] = []
    for path in fields.map(\.path) {
      for dot in path.indices where path[dot] == "." { paths.append(String(path[..<dot])) }
      paths.append(path)
    }
    var known: Set<String> = []
    return paths.filter { known.insert($0).inserted }
  }
}
