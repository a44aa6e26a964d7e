internal import Synchronization

/// The records of a list, which its copies share until one of them is changed, and the log of an action's edits.
// Safe: it is changed only by a list that is its only owner, so that its exclusivity needs no check, either.
@usableFromInline final class ListStorage<Record: StateStore.Record>: @unchecked Sendable {
  /// The records by their sequence numbers.
  @exclusivity(unchecked) @usableFromInline var records: SortedTree<Int, Record>
  @exclusivity(unchecked) @usableFromInline var numbers: SortedTree<Record.ID, Int>
  /// Greater than all sequence numbers.
  @exclusivity(unchecked) @usableFromInline var nextNumber: Int

  /// The edits since the log was started; nil while none is logged.
  @exclusivity(unchecked) @usableFromInline var log: Log?

  /// The edits of a list during an action.
  ///
  /// A copy of a list has a copy of its log. So whichever copy is the list after the action: with its edits taken back, it
  /// is the original one.
  @usableFromInline struct Log {
    @usableFromInline let session: ListLogSession
    @usableFromInline let number: Int
    @usableFromInline let order: RecordList<Record>.Order
    @usableFromInline let lineage: Lineage
    @usableFromInline var edits: [ListEdit<Record>] = []
    /// The records after so many edits that the later ones aren't logged: keeping the records makes the next edits copy
    /// parts of them, which only pays for many edits.
    @usableFromInline var kept: ListStorage?

    @inlinable static var limit: Int { 100 }

    @inlinable init(_ session: ListLogSession, number: Int, of list: RecordList<Record>) {
      (self.session, self.number) = (session, number)
      (order, lineage) = (list.order, list.lineage)
    }
  }

  @inlinable convenience init() { self.init(SortedTree(), SortedTree(), nextNumber: 0) }

  @inlinable init(
    _ records: SortedTree<Int, Record>, _ numbers: SortedTree<Record.ID, Int>, nextNumber: Int,
    log: Log? = nil
  ) {
    (self.records, self.numbers, self.nextNumber, self.log) = (records, numbers, nextNumber, log)
  }

  @inlinable convenience init(copying other: ListStorage) {
    self.init(other.records, other.numbers, nextNumber: other.nextNumber, log: other.log)
  }

  @inlinable deinit {
    if let log, log.session.isOpen(log.number) {
      // Not the object itself, which can't be kept any more.
      log.session.keep(ListStorage(copying: self), at: address)
    }
  }

  @inlinable var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

  @inlinable func logEdit(_ edit: ListEdit<Record>) {
    // The log isn't bound to a name: a second reference to the edits would copy them for each edit.
    guard let session = log?.session, let number = log?.number, session.isOpen(number) else {
      // That of a copy of the list, made while the list logged its edits.
      log = nil
      return
    }
    guard log?.kept == nil else { return }
    log?.edits.append(edit)
    if log?.edits.count == Log.limit {
      log?.kept = ListStorage(records, numbers, nextNumber: nextNumber)
    }
  }
}

/// A time in which a list of the state logs its edits, so that an action can be taken back.
///
/// A reducer can put another list in the place of the one that has the log. The original is then taken from the place to
/// which the reducer moved it, or is kept when it is released.
@usableFromInline final class ListLogSession: Sendable {
  /// A list's storage whose log leads back to the original list.
  private struct State {
    /// The address of the storage that got the log; nil once it is released.
    var address: UInt?
    /// What was released during the session.
    var released: (any AnyObject & Sendable)?
  }

  // Atomic and locked, as a copy of the list can be released on another thread.
  private let current = Atomic(0)
  private let state = Mutex(State())

  @usableFromInline init() {}

  @usableFromInline func isOpen(_ number: Int) -> Bool {
    current.load(ordering: .relaxed) == number
  }

  /// Begins, and returns the number of this time.
  @usableFromInline func start(at address: UInt) -> Int {
    state.withLock { $0.address = address }
    return current.wrappingAdd(1, ordering: .relaxed).newValue
  }

  @usableFromInline func end() {
    current.wrappingAdd(1, ordering: .relaxed)
    // A kept storage would be copied by the next edit.
    state.withLock { $0 = State() }
  }

  /// Keeps the contents of a storage that is released.
  @usableFromInline func keep(_ storage: any AnyObject & Sendable, at address: UInt) {
    state.withLock { state in
      if state.address == address { state.address = nil }
      state.released = state.released ?? storage
    }
  }

  /// A storage whose log leads back to the original list, of which no other list of the state has the log.
  @usableFromInline var storage: AnyObject? {
    state.withLock { state in
      if let released = state.released { return released }
      guard let address = state.address, let pointer = UnsafeRawPointer(bitPattern: address) else {
        return nil
      }
      // Safe: the storage wasn't released, as that would have been logged.
      return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    }
  }
}

/// How an action changed a list.
@usableFromInline final class ListDelta<Record: StateStore.Record>: Sendable {
  @usableFromInline enum Content: Sendable {
    /// The edits, in the order in which they were made; at least one.
    case edits([ListEdit<Record>])
    /// Another list took the list's place, or there were many edits.
    case replacement(old: RecordList<Record>, new: RecordList<Record>)
  }

  @usableFromInline let content: Content

  @inlinable init(_ content: Content) { self.content = content }

  /// The change in the form that is saved; nil if the lists are the same.
  @inlinable func savedEdits(
    as form: @escaping @Sendable (Record) -> StateValue
  ) -> ListEdits<SavedElement>? {
    let element: @Sendable (Record) -> SavedElement = { SavedElement(id: $0.id, value: form($0)) }
    let change = edits(as: element)
    // If most records are others, the whole lists are saved.
    if case .replacement(let old, let new) = content, case .edits(let edits)? = change,
      2 * edits.count > old.count + new.count
    {
      return .replaced(old: ListElements(old, element), new: ListElements(new, element))
    }
    return change
  }

  /// The change in the form that observers get; nil if the lists are the same.
  @inlinable func edits<Element>(
    as form: @escaping @Sendable (Record) -> Element
  ) -> ListEdits<Element>? {
    switch content {
    case .edits(let edits): .edits(edits.map { $0.mapped(form) })
    case .replacement(let old, let new): new.edits(since: old, as: form)
    }
  }
}

/// A record of a list in the form that is saved.
@usableFromInline struct SavedElement: Sendable {
  let id: Int
  let value: StateValue

  @usableFromInline init(id: Int, value: StateValue) { (self.id, self.value) = (id, value) }
}

// MARK: - Changes of actions

extension RecordList {
  @inlinable mutating func startLog(_ session: ListLogSession) {
    let storage = ownStorage()
    storage.log = ListStorage.Log(
      session, number: session.start(at: storage.address), of: self)
  }

  /// Returns the change since the log was started; nil if there is none.
  @inlinable mutating func endLog(_ session: ListLogSession) -> ListDelta<Record>? {
    defer { session.end() }
    let log = takeLog(session)
    if let log, log.kept == nil { return log.edits.isEmpty ? nil : ListDelta(.edits(log.edits)) }
    let original = log.flatMap { Self.original(of: $0) } ?? original(of: session)
    guard !original.isEmpty || !isEmpty else { return nil }
    return ListDelta(.replacement(old: original, new: self))
  }

  /// Ends the log, and restores the list for which it was started.
  @inlinable mutating func revert(_ session: ListLogSession) {
    defer { session.end() }
    guard let log = takeLog(session) else {
      self = original(of: session)
      return
    }
    if let original = Self.original(of: log) {
      self = original
    } else {
      lineage = log.lineage
      revert(log.edits)
    }
  }

  /// The list for which a log was started that has kept its records; nil if all edits are in the log.
  @inlinable static func original(of log: ListStorage<Record>.Log) -> RecordList? {
    log.kept.map { original(of: log, in: $0) }
  }

  @inlinable static func original(
    of log: ListStorage<Record>.Log, in storage: ListStorage<Record>
  ) -> RecordList {
    var list = RecordList(order: log.order)
    (list.storage, list.lineage) = (storage, log.lineage)
    list.revert(log.edits)
    return list
  }

  /// Takes the log from the list; nil if another list has it.
  @inlinable func takeLog(_ session: ListLogSession) -> ListStorage<Record>.Log? {
    guard let storage, let log = storage.log, log.session === session,
      session.isOpen(log.number)
    else { return nil }
    storage.log = nil
    return log
  }

  /// The list for which a log was started that this list doesn't have.
  @inlinable func original(of session: ListLogSession) -> RecordList {
    // Safe: the storage is one that a list of this type has given.
    guard
      let storage = session.storage.map({ unsafeDowncast($0, to: ListStorage<Record>.self) }),
      let log = storage.log
    else {
      preconditionFailure("A list that isn't in its place is somewhere else, or was released.")
    }
    storage.log = nil
    return Self.original(of: log, in: log.kept ?? storage)
  }

  /// Takes a change back from the list that it led to, or makes it again.
  @inlinable mutating func apply(_ delta: ListDelta<Record>, isUndone: Bool) {
    switch delta.content {
    case .edits(let edits):
      if isUndone { revert(edits) } else { for edit in edits { repeats(edit) } }
    case .replacement(let old, let new): self = isUndone ? old : new
    }
  }

  @inlinable mutating func revert(_ edits: [ListEdit<Record>]) {
    for edit in edits.reversed() { repeats(edit.inverse) }
  }

  /// The list must have the records that it had before the edit was made.
  @inlinable mutating func repeats(_ edit: ListEdit<Record>) {
    switch edit {
    case .inserted(let position, let record):
      do {
        try insert(record, at: position)
      } catch {
        preconditionFailure("The record with the id was removed before.")
      }
    case .removed(let position, let record):
      precondition(self[position].id == record.id, "The record was at this position.")
      remove(id: record.id)
    case .changed(_, let old, let new):
      let isFound = update(id: old.id) { $0 = new }
      precondition(isFound, "The list had the record.")
    }
  }
}
