/// A list of records, or a set, in the box with a feature's state, whatever its types.
///
/// It consists of closures because only those are compiled for the types of a feature: behind a protocol, finding the
/// differences between two lists takes twenty times as long. Those that change the list need a box with one owner.
@usableFromInline package final class StateList: Sendable {
  @usableFromInline package enum Kind: Sendable {
    case records(StateRecords)
    /// The keys of a map with their values: records, whose ids are found by the keys.
    case map(StateRecords, idOfKey: @Sendable (AnyFeatureState, _ key: StateValue) -> Int?)
    /// The elements of a set, which have no ids.
    case set(StateSet)
  }

  package let kind: Kind
  package let count: @Sendable (AnyFeatureState) -> Int
  package let elements: @Sendable (AnyFeatureState) -> ListElements<StateValue>
  /// The edits from the list of one state to that of another; nil if the lists are the same.
  let edits: @Sendable (_ old: AnyFeatureState, _ new: AnyFeatureState) -> ListEdits<StateValue>?
  /// Makes a test of whether the list of another state is the same, which keeps the list and not the state.
  let mark: @Sendable (AnyFeatureState) -> (AnyFeatureState) -> Bool
  /// The key path of the list in the state of a feature of Swift types; nil for another feature.
  let property: (any AnyKeyPath & Sendable)?
  /// Releases the records of the list in a copy of a Swift feature's state.
  let release: @Sendable (_ state: UnsafeMutableRawPointer) -> Void
  /// Exchanges the list with that of a copy of a Swift feature's state.
  let exchange: @Sendable (AnyFeatureState, _ state: UnsafeMutableRawPointer) -> Void
  let restore: AnyField.Content.Restore
  /// Reads the list from JSON text, much faster; false if only `restore` can read it.
  let restorePlain: @Sendable (AnyFeatureState, String) -> Bool

  package var records: StateRecords? {
    switch kind {
    case .records(let records), .map(let records, _): records
    case .set: nil
    }
  }

  var set: StateSet? { if case .set(let set) = kind { set } else { nil } }

  package var isMap: Bool { if case .map = kind { true } else { false } }

  @usableFromInline init(
    _ kind: Kind, count: @escaping @Sendable (AnyFeatureState) -> Int,
    elements: @escaping @Sendable (AnyFeatureState) -> ListElements<StateValue>,
    edits: @escaping @Sendable (AnyFeatureState, AnyFeatureState) -> ListEdits<StateValue>?,
    mark: @escaping @Sendable (AnyFeatureState) -> (AnyFeatureState) -> Bool,
    property: (any AnyKeyPath & Sendable)? = nil,
    // The lists of declared features are beside their other values.
    release: @escaping @Sendable (UnsafeMutableRawPointer) -> Void = { _ in },
    exchange: @escaping @Sendable (AnyFeatureState, UnsafeMutableRawPointer) -> Void = { _, _ in },
    restore: @escaping AnyField.Content.Restore,
    restorePlain: @escaping @Sendable (AnyFeatureState, String) -> Bool = { _, _ in false }
  ) {
    (self.kind, self.count, self.elements) = (kind, count, elements)
    (self.edits, self.mark, self.property) = (edits, mark, property)
    (self.release, self.exchange) = (release, exchange)
    (self.restore, self.restorePlain) = (restore, restorePlain)
  }

  @inlinable convenience init<F: Feature, Element: Record>(
    _ path: any WritableKeyPath<F.State, RecordList<Element>> & Sendable, of feature: F.Type,
    _ records: StateRecords
  ) {
    // Safe: the boxes and the copies of states are those of this feature. The offset saves time, as this happens for every
    // action; a list within a computed part has none.
    let offset = MemoryLayout<F.State>.offset(of: path)
    self.init(
      .records(records), count: { FeatureState<F>.of($0).state[keyPath: path].count },
      elements: { ListElements(FeatureState<F>.of($0).state[keyPath: path]) { $0.stateValue } },
      edits: { old, new in
        FeatureState<F>.of(new).state[keyPath: path]
          .edits(since: FeatureState<F>.of(old).state[keyPath: path]) { $0.stateValue }
      },
      mark: { box in
        let contents = FeatureState<F>.of(box).state[keyPath: path].contents
        return { FeatureState<F>.of($0).state[keyPath: path].hasContents(contents) }
      },
      property: path,
      release: { state in
        if let offset {
          state.advanced(by: offset).assumingMemoryBound(to: RecordList<Element>.self)
            .pointee.storage = nil
        } else {
          state.assumingMemoryBound(to: F.State.self).pointee[keyPath: path].storage = nil
        }
      },
      exchange: { box, state in
        let box = FeatureState<F>.of(box)
        let state = state.assumingMemoryBound(to: F.State.self)
        swap(&state.pointee[keyPath: path], &box.state[keyPath: path])
      },
      restore: { try FeatureState<F>.of($0).state[keyPath: path].restore(from: $1) })
  }
}

/// The records of a list in the box with a feature's state, found by their ids, and assigned by their parts.
///
/// It consists of closures for the same reason as a ``StateList``.
@usableFromInline package final class StateRecords: Sendable {
  /// The id of the record at a position, counted from 0.
  package let id: @Sendable (AnyFeatureState, _ position: Int) -> Int
  package let position: @Sendable (AnyFeatureState, _ id: Int) -> Int?
  package let contains: @Sendable (AnyFeatureState, _ id: Int) -> Bool
  package let record: @Sendable (AnyFeatureState, _ id: Int) -> (any Record)?
  package let part: @Sendable (AnyFeatureState, _ id: Int, _ index: Int) -> StateValue?
  let maximumID: @Sendable (AnyFeatureState) -> Int?
  /// Whether appended records come first.
  let isNewestFirst: @Sendable (AnyFeatureState) -> Bool
  /// Gives the list a new lineage.
  let renew: @Sendable (AnyFeatureState) -> Void
  let log: Log

  /// How the list logs the changes of an action, which are of the type of its records.
  @usableFromInline struct Log: Sendable {
    let start: @Sendable (AnyFeatureState, ListLogSession) -> Void
    /// Ends the log, and returns the change, a `ListDelta`; nil if there is none.
    let end: @Sendable (AnyFeatureState, ListLogSession) -> (any AnyObject & Sendable)?
    /// Ends the log, and restores the list.
    let revert: @Sendable (AnyFeatureState, ListLogSession) -> Void
    let apply: @Sendable (AnyFeatureState, _ delta: AnyObject, _ isUndone: Bool) -> Void
    /// A change of this list in the form that observers get; nil if it changes nothing.
    let edits: @Sendable (_ delta: AnyObject) -> ListEdits<StateValue>?
    let savedEdits: @Sendable (_ delta: AnyObject) -> ListEdits<SavedElement>?
    /// Makes an edit, whose record is decoded; it must be possible, except for a position of a new record after the end.
    let edit: @Sendable (AnyFeatureState, ListEdit<any Decoder>) throws -> Void
    /// Moves a record to where it belongs in a list that is sorted.
    let sort: @Sendable (AnyFeatureState, _ id: Int) throws -> Void

    @usableFromInline init(
      start: @escaping @Sendable (AnyFeatureState, ListLogSession) -> Void,
      end: @escaping @Sendable (AnyFeatureState, ListLogSession) -> (any AnyObject & Sendable)?,
      revert: @escaping @Sendable (AnyFeatureState, ListLogSession) -> Void,
      apply: @escaping @Sendable (AnyFeatureState, AnyObject, Bool) -> Void,
      edits: @escaping @Sendable (AnyObject) -> ListEdits<StateValue>?,
      savedEdits: @escaping @Sendable (AnyObject) -> ListEdits<SavedElement>?,
      edit: @escaping @Sendable (AnyFeatureState, ListEdit<any Decoder>) throws -> Void,
      sort: @escaping @Sendable (AnyFeatureState, Int) throws -> Void = { _, _ in }
    ) {
      (self.start, self.end, self.revert) = (start, end, revert)
      (self.apply, self.edits, self.savedEdits) = (apply, edits, savedEdits)
      (self.edit, self.sort) = (edit, sort)
    }
  }

  package let missing: @Sendable (_ id: Int) -> any Error
  /// The assignments of parts by scripts, by the indexes of the parts; nil for one that scripts can't assign.
  private let assignments: [PartAssignment?]

  @usableFromInline init(
    id: @escaping @Sendable (AnyFeatureState, Int) -> Int,
    position: @escaping @Sendable (AnyFeatureState, Int) -> Int?,
    contains: @escaping @Sendable (AnyFeatureState, Int) -> Bool,
    record: @escaping @Sendable (AnyFeatureState, Int) -> (any Record)?,
    part: @escaping @Sendable (AnyFeatureState, Int, Int) -> StateValue?,
    maximumID: @escaping @Sendable (AnyFeatureState) -> Int?,
    isNewestFirst: @escaping @Sendable (AnyFeatureState) -> Bool,
    renew: @escaping @Sendable (AnyFeatureState) -> Void, log: Log,
    missing: (@Sendable (Int) -> any Error)? = nil, assignments: [PartAssignment]
  ) {
    var assigned: [PartAssignment?] = []
    for assignment in assignments {
      while assigned.count <= assignment.index { assigned.append(nil) }
      assigned[assignment.index] = assigned[assignment.index] ?? assignment
    }
    self.assignments = assigned
    (self.id, self.position, self.contains) = (id, position, contains)
    (self.record, self.part, self.maximumID) = (record, part, maximumID)
    (self.isNewestFirst, self.renew, self.log) = (isNewestFirst, renew, log)
    self.missing = missing ?? { RecordListError.notFound($0) }
  }

  @inlinable convenience init<F: Feature, Element: Record>(
    _ path: any WritableKeyPath<F.State, RecordList<Element>> & Sendable, of feature: F.Type,
    missing: (@Sendable (Int) -> any Error)?, assignments: [PartAssignment]
  ) {
    self.init(
      id: { FeatureState<F>.of($0).state[keyPath: path][$1].id },
      position: { FeatureState<F>.of($0).state[keyPath: path].position(ofID: $1) },
      contains: { FeatureState<F>.of($0).state[keyPath: path].contains(id: $1) },
      record: { FeatureState<F>.of($0).state[keyPath: path][id: $1] },
      part: { box, id, index in
        FeatureState<F>.of(box).state[keyPath: path][id: id].map {
          Element.recordFields[index].read($0)
        }
      },
      maximumID: { FeatureState<F>.of($0).state[keyPath: path].maximumID },
      isNewestFirst: { FeatureState<F>.of($0).state[keyPath: path].order == .newestFirst },
      renew: { FeatureState<F>.of($0).state[keyPath: path].renew() },
      // Safe: the delta is one that this list has made.
      log: Log(
        start: { FeatureState<F>.of($0).state[keyPath: path].startLog($1) },
        end: { FeatureState<F>.of($0).state[keyPath: path].endLog($1) },
        revert: { FeatureState<F>.of($0).state[keyPath: path].revert($1) },
        apply: { box, delta, isUndone in
          FeatureState<F>.of(box).state[keyPath: path]
            .apply(unsafeDowncast(delta, to: ListDelta<Element>.self), isUndone: isUndone)
        },
        edits: { unsafeDowncast($0, to: ListDelta<Element>.self).edits { $0.stateValue } },
        savedEdits: {
          unsafeDowncast($0, to: ListDelta<Element>.self).savedEdits { $0.stateValue }
        },
        edit: {
          try FeatureState<F>.of($0).state[keyPath: path]
            .make($1) { try Element(fromDocument: $0) }
        }),
      missing: missing, assignments: assignments)
  }

  package func assignment(ofPart index: Int) -> PartAssignment? {
    index < assignments.count ? assignments[index] : nil
  }
}

/// The elements of a set in the box with a feature's state.
///
/// Versions of states have copies of it, so that its changes need no log.
@usableFromInline package struct StateSet: Sendable {
  package let contains: @Sendable (AnyFeatureState, StateValue) -> Bool
  /// Adds an element, or removes it; returns false if the set has it already, or doesn't have it.
  let edit: @Sendable (AnyFeatureState, StateValue, _ isAdded: Bool) -> Bool
}

/// The assignment of a part of a list's records by scripts.
// A structure, as arrays of closures make another one for each that is read.
@usableFromInline package struct PartAssignment: Sendable {
  @usableFromInline typealias Assign =
    @Sendable (Store, _ id: Int, _ new: StateValue) throws -> Void

  fileprivate let index: Int
  /// Sends an action; the new value is of the part's type.
  package let assign: @Sendable (Store, _ id: Int, _ new: StateValue) throws -> Void

  init(_ index: Int, _ assign: @escaping Assign) { (self.index, self.assign) = (index, assign) }
}

extension RecordList {
  /// Makes an edit, whose record a closure decodes.
  ///
  /// - Throws: ``RecordListError``, or what the closure throws; the list is then unchanged.
  @usableFromInline mutating func make(
    _ edit: ListEdit<any Decoder>, decoding record: (any Decoder) throws -> Record
  ) throws {
    switch edit {
    case .inserted(let position, let decoder):
      try insert(record(decoder), at: Swift.min(Swift.max(0, position), count))
    case .removed(let position, _): remove(atPositions: CollectionOfOne(position))
    case .changed(_, _, let decoder):
      let new = try record(decoder)
      update(id: new.id) { $0 = new }
    }
  }

  /// Replaces the records by those of a document.
  ///
  /// - Throws: ``DocumentError``, or the error of reading a record; the list is then unchanged.
  @usableFromInline mutating func restore(from decoder: any Decoder) throws {
    let records = try [Record](fromDocument: decoder)
    for (index, record) in records.enumerated() {
      do {
        try record.validate()
      } catch {
        throw DocumentError(decoder.codingPath + [AnyKey(index)], error.userMessage)
      }
    }
    do {
      self = try RecordList(order: order, records: records)
    } catch {
      throw DocumentError(decoder.codingPath, error.userMessage)
    }
  }
}
