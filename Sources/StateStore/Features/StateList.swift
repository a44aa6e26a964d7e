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

  @usableFromInline package let kind: Kind
  @usableFromInline package let count: @Sendable (AnyFeatureState) -> Int
  @usableFromInline package let elements: @Sendable (AnyFeatureState) -> ListElements<StateValue>
  /// The edits from the list of one state to that of another; nil if the lists are the same.
  @usableFromInline let edits:
    @Sendable (_ old: AnyFeatureState, _ new: AnyFeatureState) -> ListEdits<StateValue>?
  /// Makes a test of whether the list of another state is the same, which keeps the list and not the state.
  @usableFromInline let mark: @Sendable (AnyFeatureState) -> (AnyFeatureState) -> Bool
  /// The key path of the list in the state of a feature of Swift types; nil for another feature.
  @usableFromInline let property: (any AnyKeyPath & Sendable)?
  /// Releases the records of the list in a copy of a Swift feature's state.
  @usableFromInline let release: @Sendable (_ state: UnsafeMutableRawPointer) -> Void
  /// Exchanges the list with that of a copy of a Swift feature's state.
  @usableFromInline let exchange:
    @Sendable (AnyFeatureState, _ state: UnsafeMutableRawPointer) -> Void
  @usableFromInline let restore: AnyField.Content.Restore
  /// Reads the list from JSON text, much faster; false if only `restore` can read it.
  @usableFromInline let restorePlain: @Sendable (AnyFeatureState, String) -> Bool

  package var records: StateRecords? {
    switch kind {
    case .records(let records), .map(let records, _): records
    case .set: nil
    }
  }

  var set: StateSet? { if case .set(let set) = kind { set } else { nil } }

  package var isMap: Bool { if case .map = kind { true } else { false } }

  /// Makes a list of records.
  @inlinable init<Place: ListPlace>(
    _ kind: Kind, at place: Place, property: (any AnyKeyPath & Sendable)? = nil,
    // The lists of declared features are beside their other values.
    release: @escaping @Sendable (UnsafeMutableRawPointer) -> Void = { _ in },
    exchange: @escaping @Sendable (AnyFeatureState, UnsafeMutableRawPointer) -> Void = { _, _ in }
  ) {
    (self.kind, self.property, self.release, self.exchange) = (kind, property, release, exchange)
    count = { place[$0].count }
    elements = { ListElements(place[$0]) { $0.stateValue } }
    edits = { old, new in place[new].edits(since: place[old]) { $0.stateValue } }
    mark = { box in
      let contents = place[box].contents
      return { place[$0].hasContents(contents) }
    }
    restore = { try place.restore($0, from: $1) }
    restorePlain = { place.restore($0, fromPlain: $1) }
  }

  /// Makes a set.
  init(
    _ set: StateSet, count: @escaping @Sendable (AnyFeatureState) -> Int,
    elements: @escaping @Sendable (AnyFeatureState) -> ListElements<StateValue>,
    edits: @escaping @Sendable (AnyFeatureState, AnyFeatureState) -> ListEdits<StateValue>?,
    mark: @escaping @Sendable (AnyFeatureState) -> (AnyFeatureState) -> Bool,
    restore: @escaping AnyField.Content.Restore
  ) {
    (kind, self.count, self.elements) = (.set(set), count, elements)
    (self.edits, self.mark, self.restore) = (edits, mark, restore)
    property = nil
    release = { _ in }
    exchange = { _, _ in }
    restorePlain = { _, _ in false }
  }
}

/// The place of a list of records in the box with a feature's state.
///
/// Code for all lists is compiled for each place. What changes the list needs a box with one owner.
@usableFromInline protocol ListPlace: Sendable {
  associatedtype Element: Record

  subscript(box: AnyFeatureState) -> RecordList<Element> { get nonmutating set }

  /// The value of a record's part, by the index of the part.
  func part(_ index: Int, of record: Element) -> StateValue

  /// Decodes a record of an edit.
  func element(from decoder: any Decoder) throws -> Element

  /// Moves a record to where it belongs in a list that is sorted.
  func sort(_ id: Int, in list: inout RecordList<Element>) throws

  /// Reads the list from a document.
  func restore(_ box: AnyFeatureState, from decoder: any Decoder) throws

  /// Reads the list from JSON text; false if a decoder has to read it.
  func restore(_ box: AnyFeatureState, fromPlain text: String) -> Bool
}

extension ListPlace {
  /// Does nothing: reducers of Swift types sort their lists.
  @inlinable func sort(_ id: Int, in list: inout RecordList<Element>) {}

  /// False: the coding of a Swift type reads its records.
  @inlinable func restore(_ box: AnyFeatureState, fromPlain text: String) -> Bool { false }
}

/// A list in the state of a feature of Swift types.
@usableFromInline struct StateListPlace<F: Feature, Element: Record>: ListPlace {
  @usableFromInline let path: any WritableKeyPath<F.State, RecordList<Element>> & Sendable
  /// The offset in the state's memory, which saves time for every action; a list within a computed part has none.
  @usableFromInline let offset: Int?

  @inlinable init(
    _ path: any WritableKeyPath<F.State, RecordList<Element>> & Sendable, of feature: F.Type
  ) {
    self.path = path
    offset = MemoryLayout<F.State>.offset(of: path)
  }

  @inlinable subscript(box: AnyFeatureState) -> RecordList<Element> {
    @inline(__always) get { FeatureState<F>.of(box).state[keyPath: path] }
    @inline(__always) nonmutating _modify {
      yield &FeatureState<F>.of(box).state[keyPath: path]
    }
  }

  @inlinable func part(_ index: Int, of record: Element) -> StateValue {
    Element.recordFields[index].read(record)
  }

  @inlinable func element(from decoder: any Decoder) throws -> Element {
    try Element(fromDocument: decoder)
  }

  @inlinable func restore(_ box: AnyFeatureState, from decoder: any Decoder) throws {
    try self[box].restore(from: decoder)
  }

  // Safe: the copies of states are those of this feature.

  @inlinable func release(_ state: UnsafeMutableRawPointer) {
    if let offset {
      state.advanced(by: offset).assumingMemoryBound(to: RecordList<Element>.self)
        .pointee.storage = nil
    } else {
      state.assumingMemoryBound(to: F.State.self).pointee[keyPath: path].storage = nil
    }
  }

  @inlinable func exchange(_ box: AnyFeatureState, _ state: UnsafeMutableRawPointer) {
    let box = FeatureState<F>.of(box)
    let state = state.assumingMemoryBound(to: F.State.self)
    swap(&state.pointee[keyPath: path], &box.state[keyPath: path])
  }
}

/// The records of a list in the box with a feature's state, found by their ids, and assigned by their parts.
///
/// It consists of closures for the same reason as a ``StateList``.
@usableFromInline package final class StateRecords: Sendable {
  /// The id of the record at a position, counted from 0.
  @usableFromInline package let id: @Sendable (AnyFeatureState, _ position: Int) -> Int
  @usableFromInline package let position: @Sendable (AnyFeatureState, _ id: Int) -> Int?
  @usableFromInline package let contains: @Sendable (AnyFeatureState, _ id: Int) -> Bool
  @usableFromInline package let record: @Sendable (AnyFeatureState, _ id: Int) -> (any Record)?
  @usableFromInline package let part:
    @Sendable (AnyFeatureState, _ id: Int, _ index: Int) -> StateValue?
  @usableFromInline let maximumID: @Sendable (AnyFeatureState) -> Int?
  /// Whether appended records come first.
  @usableFromInline let isNewestFirst: @Sendable (AnyFeatureState) -> Bool
  /// Gives the list a new lineage.
  @usableFromInline let renew: @Sendable (AnyFeatureState) -> Void

  /// Starts the log of an action's changes, which are of the type of the list's records.
  @usableFromInline let startLog: @Sendable (AnyFeatureState, ListLogSession) -> Void
  /// Ends the log, and returns the change, a `ListDelta`; nil if there is none.
  @usableFromInline let endLog:
    @Sendable (AnyFeatureState, ListLogSession) -> (any AnyObject & Sendable)?
  /// Ends the log, and restores the list.
  @usableFromInline let revertLog: @Sendable (AnyFeatureState, ListLogSession) -> Void
  @usableFromInline let apply:
    @Sendable (AnyFeatureState, _ delta: AnyObject, _ isUndone: Bool) -> Void
  /// A change of this list in the form that observers get; nil if it changes nothing.
  @usableFromInline let edits: @Sendable (_ delta: AnyObject) -> ListEdits<StateValue>?
  @usableFromInline let savedEdits: @Sendable (_ delta: AnyObject) -> ListEdits<SavedElement>?
  /// Makes an edit, whose record is decoded; it must be possible, except for a position of a new record after the end.
  @usableFromInline let edit: @Sendable (AnyFeatureState, ListEdit<any Decoder>) throws -> Void
  /// Moves a record to where it belongs in a list that is sorted.
  @usableFromInline let sort: @Sendable (AnyFeatureState, _ id: Int) throws -> Void

  @usableFromInline package let missing: @Sendable (_ id: Int) -> any Error
  /// The assignments of parts by scripts, by the indexes of the parts; nil for one that scripts can't assign.
  @usableFromInline let assignments: [PartAssignment?]

  @inlinable init<Place: ListPlace>(
    at place: Place, missing: (@Sendable (Int) -> any Error)? = nil, assignments: [PartAssignment]
  ) {
    id = { place[$0][$1].id }
    position = { place[$0].position(ofID: $1) }
    contains = { place[$0].contains(id: $1) }
    record = { place[$0][id: $1] }
    part = { box, id, index in place[box][id: id].map { place.part(index, of: $0) } }
    maximumID = { place[$0].maximumID }
    isNewestFirst = { place[$0].order == .newestFirst }
    renew = { place[$0].renew() }
    startLog = { place[$0].startLog($1) }
    endLog = { place[$0].endLog($1) }
    revertLog = { place[$0].revert($1) }
    // Safe: the delta is one that this list has made.
    apply = { box, delta, isUndone in
      place[box]
        .apply(unsafeDowncast(delta, to: ListDelta<Place.Element>.self), isUndone: isUndone)
    }
    edits = { unsafeDowncast($0, to: ListDelta<Place.Element>.self).edits { $0.stateValue } }
    savedEdits = {
      unsafeDowncast($0, to: ListDelta<Place.Element>.self).savedEdits { $0.stateValue }
    }
    edit = { try place[$0].make($1) { try place.element(from: $0) } }
    sort = { try place.sort($1, in: &place[$0]) }
    self.missing = missing ?? { RecordListError.notFound($0) }
    self.assignments = PartAssignment.byParts(assignments)
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

  /// Assignments by the indexes of their parts, of which the first for each counts.
  @usableFromInline static func byParts(_ assignments: [PartAssignment]) -> [PartAssignment?] {
    var assigned: [PartAssignment?] = []
    for assignment in assignments {
      while assigned.count <= assignment.index { assigned.append(nil) }
      assigned[assignment.index] = assigned[assignment.index] ?? assignment
    }
    return assigned
  }
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
