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
  /// Logs the changes that actions make; nil for a list whose copies cost so little that versions of states have them.
  @usableFromInline let log: Log?
  /// Gives the list a new lineage.
  @usableFromInline let renew: @Sendable (AnyFeatureState) -> Void
  /// Releases the records of the list in a copy of a Swift feature's state.
  @usableFromInline let release: @Sendable (_ state: UnsafeMutableRawPointer) -> Void
  /// Exchanges the list with that of a copy of a Swift feature's state.
  @usableFromInline let exchange:
    @Sendable (AnyFeatureState, _ state: UnsafeMutableRawPointer) -> Void
  /// Reads the list from a document.
  @usableFromInline let restore: @Sendable (AnyFeatureState, any Decoder) throws -> Void
  /// The greatest id of a record.
  @usableFromInline let greatestID: @Sendable (AnyFeatureState) -> Int?
  @usableFromInline let containsID: @Sendable (AnyFeatureState, Int) -> Bool
  /// The encoded initial values of a record; nil if it has none.
  @usableFromInline let initialRecord: @Sendable () throws -> JSONValue?

  /// How a list logs the changes of an action, which are of the type of its records.
  @usableFromInline struct Log: Sendable {
    @usableFromInline let start: @Sendable (AnyFeatureState, ListLogSession) -> Void
    /// Ends the log, and returns the change, a `ListDelta`; nil if there is none.
    @usableFromInline let end:
      @Sendable (AnyFeatureState, ListLogSession) -> (any AnyObject & Sendable)?
    /// Ends the log, and restores the list.
    @usableFromInline let revert: @Sendable (AnyFeatureState, ListLogSession) -> Void
    /// Takes a change of this list back, or makes it again.
    @usableFromInline let apply:
      @Sendable (AnyFeatureState, _ delta: AnyObject, _ isUndone: Bool) -> Void
    /// A change of this list in the form that observers get; nil if it changes nothing.
    @usableFromInline let edits: @Sendable (_ delta: AnyObject) -> ListEdits<StateValue>?

    @usableFromInline init(
      start: @escaping @Sendable (AnyFeatureState, ListLogSession) -> Void,
      end: @escaping @Sendable (AnyFeatureState, ListLogSession) -> (any AnyObject & Sendable)?,
      revert: @escaping @Sendable (AnyFeatureState, ListLogSession) -> Void,
      apply: @escaping @Sendable (AnyFeatureState, AnyObject, Bool) -> Void,
      edits: @escaping @Sendable (AnyObject) -> ListEdits<StateValue>?
    ) {
      (self.start, self.end, self.revert) = (start, end, revert)
      (self.apply, self.edits) = (apply, edits)
    }
  }

  init(
    elements: @escaping @Sendable (AnyFeatureState) -> ListElements<StateValue>,
    edits: @escaping @Sendable (AnyFeatureState, AnyFeatureState) -> ListEdits<StateValue>?,
    isNewestFirst: @escaping @Sendable (AnyFeatureState) -> Bool,
    log: Log?,
    renew: @escaping @Sendable (AnyFeatureState) -> Void,
    restore: @escaping @Sendable (AnyFeatureState, any Decoder) throws -> Void,
    greatestID: @escaping @Sendable (AnyFeatureState) -> Int?,
    containsID: @escaping @Sendable (AnyFeatureState, Int) -> Bool
  ) {
    (self.elements, self.edits, self.isNewestFirst) = (elements, edits, isNewestFirst)
    (self.log, self.renew, self.restore) = (log, renew, restore)
    (self.greatestID, self.containsID) = (greatestID, containsID)
    // The lists of declared features are beside their other values.
    release = { _ in }
    exchange = { _, _ in }
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
    // Safe: the delta is one that this list has made.
    log = Log(
      start: { FeatureState<F>.of($0).state[keyPath: path].startLog($1) },
      end: { FeatureState<F>.of($0).state[keyPath: path].endLog($1) },
      revert: { FeatureState<F>.of($0).state[keyPath: path].revert($1) },
      apply: { box, delta, isUndone in
        FeatureState<F>.of(box).state[keyPath: path]
          .apply(unsafeDowncast(delta, to: ListDelta<Element>.self), isUndone: isUndone)
      },
      edits: { unsafeDowncast($0, to: ListDelta<Element>.self).edits { $0.stateValue } })
    renew = { FeatureState<F>.of($0).state[keyPath: path].renew() }
    // Safe: the copies of states are those of this feature. The offset saves time, as this happens for every action; a list
    // within a computed part has none.
    let offset = MemoryLayout<F.State>.offset(of: path)
    release = { state in
      if let offset {
        state.advanced(by: offset).assumingMemoryBound(to: RecordList<Element>.self)
          .pointee.storage = nil
      } else {
        state.assumingMemoryBound(to: F.State.self).pointee[keyPath: path].storage = nil
      }
    }
    exchange = { box, state in
      let box = FeatureState<F>.of(box)
      let state = state.assumingMemoryBound(to: F.State.self)
      swap(&state.pointee[keyPath: path], &box.state[keyPath: path])
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
