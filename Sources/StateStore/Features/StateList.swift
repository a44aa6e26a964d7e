/// A list of records in the box with a feature's state, whatever its types.
///
/// It consists of closures because only those are compiled for the types of a feature: behind a protocol, finding the
/// differences between two lists takes twenty times as long. Those that change the list need a box with one owner.
@usableFromInline final class StateList: Sendable {
  /// The elements, in the form that every front end can show.
  @usableFromInline let elements: @Sendable (AnyFeatureState) -> ListElements<StateValue>
  /// The edits from the list of one state to that of another; nil if the lists are the same.
  @usableFromInline let edits:
    @Sendable (_ old: AnyFeatureState, _ new: AnyFeatureState) -> ListEdits<StateValue>?
  /// Whether appended records come first.
  @usableFromInline let isNewestFirst: @Sendable (AnyFeatureState) -> Bool
  /// Starts to log the list's changes.
  @usableFromInline let startLog: @Sendable (AnyFeatureState, LogSession) -> Void
  /// Ends the log and returns the changes.
  @usableFromInline let endLog: @Sendable (AnyFeatureState, LogSession) -> LoggedEdits<StateValue>
  /// Gives the list a new lineage.
  @usableFromInline let renew: @Sendable (AnyFeatureState) -> Void
  /// Releases the records of the list in a copy of a Swift feature's state.
  @usableFromInline let releaseRecords: @Sendable (_ state: UnsafeMutableRawPointer) -> Void
  /// Puts the list into a copy of a Swift feature's state from which the records were released.
  ///
  /// Returns whether the list is unchanged since the copy was made.
  @usableFromInline let putBack:
    @Sendable (AnyFeatureState, _ state: UnsafeMutableRawPointer) -> Bool
  /// Reads the list from a document.
  @usableFromInline let restore: @Sendable (AnyFeatureState, any Decoder) throws -> Void
  /// The greatest id of a record.
  @usableFromInline let greatestID: @Sendable (AnyFeatureState) -> Int?
  @usableFromInline let containsID: @Sendable (AnyFeatureState, Int) -> Bool
  /// The encoded initial values of a record; nil if it has none.
  @usableFromInline let initialRecord: @Sendable () throws -> JSONValue?

  init(
    elements: @escaping @Sendable (AnyFeatureState) -> ListElements<StateValue>,
    edits: @escaping @Sendable (AnyFeatureState, AnyFeatureState) -> ListEdits<StateValue>?,
    isNewestFirst: @escaping @Sendable (AnyFeatureState) -> Bool,
    startLog: @escaping @Sendable (AnyFeatureState, LogSession) -> Void,
    endLog: @escaping @Sendable (AnyFeatureState, LogSession) -> LoggedEdits<StateValue>,
    renew: @escaping @Sendable (AnyFeatureState) -> Void,
    restore: @escaping @Sendable (AnyFeatureState, any Decoder) throws -> Void,
    greatestID: @escaping @Sendable (AnyFeatureState) -> Int?,
    containsID: @escaping @Sendable (AnyFeatureState, Int) -> Bool
  ) {
    (self.elements, self.edits, self.isNewestFirst) = (elements, edits, isNewestFirst)
    (self.startLog, self.endLog, self.renew, self.restore) = (startLog, endLog, renew, restore)
    (self.greatestID, self.containsID) = (greatestID, containsID)
    // Drafts take back the changes of declared features.
    (releaseRecords, putBack) = ({ _ in }, { _, _ in true })
    initialRecord = { nil }
  }

  @inlinable init<F: Feature, Element: Record>(
    _ path: any WritableKeyPath<F.State, RecordList<Element>> & Sendable, of feature: F.Type
  ) {
    elements = { ListElements(FeatureState<F>.of($0).state[keyPath: path]) { $0.stateValue } }
    edits = { old, new in
      FeatureState<F>.of(new).state[keyPath: path]
        .edits(since: FeatureState<F>.of(old).state[keyPath: path]) { $0.stateValue }
    }
    isNewestFirst = { FeatureState<F>.of($0).state[keyPath: path].order == .newestFirst }
    startLog = { FeatureState<F>.of($0).state[keyPath: path].startLog($1) }
    endLog = { FeatureState<F>.of($0).state[keyPath: path].endLog($1) { $0.stateValue } }
    renew = { FeatureState<F>.of($0).state[keyPath: path].renew() }
    // Safe: the boxes and the copies of states are those of this feature. The offset saves time, as this happens for every
    // action; a list within a computed part has none.
    let offset = MemoryLayout<F.State>.offset(of: path)
    releaseRecords = { state in
      if let offset {
        state.advanced(by: offset).assumingMemoryBound(to: RecordList<Element>.self)
          .pointee.releaseRecords()
      } else {
        state.assumingMemoryBound(to: F.State.self).pointee[keyPath: path].releaseRecords()
      }
    }
    putBack = { box, copy in
      let box = FeatureState<F>.of(box)
      let copy = copy.assumingMemoryBound(to: F.State.self)
      let isUnchanged = box.state[keyPath: path].isUnchanged(since: copy.pointee[keyPath: path])
      swap(&copy.pointee[keyPath: path], &box.state[keyPath: path])
      return isUnchanged
    }
    restore = { try FeatureState<F>.of($0).state[keyPath: path].restore(from: $1) }
    greatestID = { FeatureState<F>.of($0).state[keyPath: path].greatestID }
    containsID = { FeatureState<F>.of($0).state[keyPath: path].contains(id: $1) }
    initialRecord = {
      try (Element.self as? any EvolvingRecord.Type).map { try JSONValue(encoding: $0.initial) }
    }
  }
}

extension RecordList {
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
