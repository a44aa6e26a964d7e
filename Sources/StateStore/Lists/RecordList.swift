/// Ordered records that are found by id or by position, in a list whose copies share what they have in common.
///
/// Every operation on one record takes O(log `count`), and copying takes no time: old states of a list of a million
/// records can be kept, and changing the list then copies a few small nodes. Finding the differences between two
/// copies takes time proportional to the differences.
///
/// Each record has a sequence number; those of appended records grow, whatever the display order. Positions,
/// iteration, `replaceAll` and coding all use the display order.
///
/// Decode a `newestFirst` list with `init(order:records:)`: its encoding, an array, doesn't contain its order.
public struct RecordList<Record: StateStore.Record> {
  /// Which end of the list is displayed first.
  public enum Order: Sendable {
    /// Appended records come last.
    case oldestFirst
    /// Appended records come first.
    case newestFirst
  }

  /// Which end of the list is displayed first.
  public let order: Order

  /// The records; nil in an empty list that never had any.
  @usableFromInline var storage: ListStorage<Record>?

  /// Shared by a list and its copies, but not by lists that replaced it.
  @usableFromInline var lineage = Lineage()

  /// Makes an empty list.
  @inlinable public init(order: Order = .oldestFirst) {
    self.order = order
  }

  /// Makes a list of records, given in display order.
  ///
  /// - Throws: `RecordListError.duplicateIdentifier` if two have the same id.
  /// - Complexity: O(records · log records).
  @inlinable public init(order: Order, records: [Record]) throws {
    self.init(order: order)
    let numbered =
      switch order {
      case .oldestFirst:
        records.enumerated().map { SortedTree.Entry(key: $0 * Self.stride, value: $1) }
      case .newestFirst:
        records.reversed().enumerated().map { SortedTree.Entry(key: $0 * Self.stride, value: $1) }
      }
    let byID = numbered.map { SortedTree.Entry(key: $0.value.id, value: $0.key) }
      .sorted { $0.key < $1.key }
    if let duplicate = zip(byID, byID.dropFirst()).first(where: { $0.key == $1.key }) {
      throw RecordListError.duplicateIdentifier("\(duplicate.0.key)")
    }
    guard !records.isEmpty else { return }
    storage = ListStorage(
      SortedTree(sorted: numbered), SortedTree(sorted: byID),
      nextNumber: records.count * Self.stride)
  }

  /// The distance between the sequence numbers of records that are appended, so that others fit between them.
  @inlinable static var stride: Int { 1 << 20 }

  /// Converts a position from display order to the order of sequence numbers, or back.
  @inlinable func mirrored(_ position: Int) -> Int {
    Self.mirrored(position, of: count, order)
  }

  @inlinable static func mirrored(_ position: Int, of count: Int, _ order: Order) -> Int {
    switch order {
    case .oldestFirst: position
    case .newestFirst: count - 1 - position
    }
  }
}

// MARK: - Reading

extension RecordList: RandomAccessCollection {
  /// The first position, always 0.
  @inlinable public var startIndex: Int { 0 }

  /// One past the last position: the number of records.
  @inlinable public var endIndex: Int { storage?.records.count ?? 0 }

  /// The record at a position, which must be in the list.
  ///
  /// - Complexity: O(log `count`).
  @inlinable public subscript(position: Int) -> Record {
    guard let storage else { preconditionFailure("An empty list has no position \(position).") }
    return storage.records[position: mirrored(position)].value
  }

  /// The highest id of a record; nil for an empty list.
  ///
  /// - Complexity: O(log `count`).
  @inlinable public var maximumID: Record.ID? {
    storage.flatMap { isEmpty ? nil : $0.numbers[position: count - 1].key }
  }

  /// The earlier name of ``maximumID``.
  @available(*, deprecated, renamed: "maximumID")
  public var greatestID: Record.ID? { maximumID }

  /// Iterates in O(`count`), though access by position takes O(log `count`).
  @inlinable public func makeIterator() -> Iterator { Iterator(list: self) }

  /// Iterates over a list leaf by leaf.
  public struct Iterator: IteratorProtocol {
    @usableFromInline let list: RecordList
    @usableFromInline var position = 0
    @usableFromInline var leaf: [SortedTree<Int, Record>.Entry] = []
    @usableFromInline var offset = 0

    @inlinable init(list: RecordList) {
      self.list = list
    }

    /// The next record, or nil after the last.
    @inlinable public mutating func next() -> Record? {
      if !leaf.indices.contains(offset) {
        guard position < list.count, let storage = list.storage else { return nil }
        (leaf, offset) = storage.records.leaf(at: list.mirrored(position))
      }
      defer {
        position += 1
        offset += list.order == .oldestFirst ? 1 : -1
      }
      return leaf[offset].value
    }
  }

  /// The record with an id; nil if there is none.
  ///
  /// - Complexity: O(log `count`).
  @inlinable public subscript(id id: Record.ID) -> Record? {
    storage.flatMap { storage in storage.numbers[id].flatMap { storage.records[$0] } }
  }

  /// Whether the list contains a record with an id.
  ///
  /// - Complexity: O(log `count`).
  @inlinable public func contains(id: Record.ID) -> Bool {
    storage?.numbers.contains(id) ?? false
  }

  /// The position of the record with an id; nil if there is none.
  ///
  /// - Complexity: O(log `count`).
  @inlinable public func position(ofID id: Record.ID) -> Int? {
    storage?.numbers[id].flatMap(position(ofNumber:))
  }

  @inlinable func position(ofNumber number: Int) -> Int? {
    storage?.records.position(of: number).map(mirrored)
  }
}

// MARK: - Changing

extension RecordList {
  /// Makes sure that no other list shares the storage, and returns it.
  @inlinable mutating func ownStorage() -> ListStorage<Record> {
    if isKnownUniquelyReferenced(&storage), let storage { return storage }
    let own = storage.map { ListStorage(copying: $0) } ?? ListStorage()
    storage = own
    return own
  }

  /// Appends a record: at the end of an `oldestFirst` list, at the front of a `newestFirst` list.
  ///
  /// - Throws: `RecordListError.duplicateIdentifier` if its id is taken; the list is then unchanged.
  /// - Complexity: O(log `count`).
  @inlinable public mutating func append(_ record: Record) throws {
    guard !contains(id: record.id) else {
      throw RecordListError.duplicateIdentifier("\(record.id)")
    }
    let own = ownStorage()
    own.records.set(record, for: own.nextNumber)
    own.numbers.set(own.nextNumber, for: record.id)
    own.nextNumber += Self.stride
    if own.log != nil { own.logEdit(.inserted(position: mirrored(count - 1), record)) }
  }

  /// Inserts a record at a position in display order, from 0 to `count`.
  ///
  /// - Throws: `RecordListError.duplicateIdentifier` if its id is taken; the list is then unchanged.
  /// - Complexity: O(log `count`); about every twentieth of many at one place takes O(`count`).
  @inlinable public mutating func insert(_ record: Record, at position: Int) throws {
    precondition((0...count).contains(position), "The list has no position \(position).")
    guard !contains(id: record.id) else {
      throw RecordListError.duplicateIdentifier("\(record.id)")
    }
    // The number of records whose sequence numbers are less.
    let rank = order == .oldestFirst ? position : count - position
    guard rank < count else { return try append(record) }
    let own = ownStorage()
    let upper = own.records[position: rank].key
    let lower = rank == 0 ? upper - 2 * Self.stride : own.records[position: rank - 1].key
    guard upper - lower > 1 else {
      try renumber()
      return try insert(record, at: position)
    }
    let number = lower + (upper - lower) / 2
    own.records.set(record, for: number)
    own.numbers.set(number, for: record.id)
    if own.log != nil { own.logEdit(.inserted(position: position, record)) }
  }

  /// Moves the record with an id to a position in display order, from 0 to `count - 1`.
  ///
  /// - Returns: Whether the list contains a record with that id.
  /// - Throws: Never, as the record's id is free when it is inserted again.
  /// - Complexity: As ``insert(_:at:)``.
  @discardableResult
  @inlinable public mutating func move(id: Record.ID, to position: Int) throws -> Bool {
    precondition(indices.contains(position) || isEmpty, "The list has no position \(position).")
    guard let current = self.position(ofID: id) else { return false }
    guard current != position, let record = remove(id: id) else { return true }
    try insert(record, at: position)
    return true
  }

  /// Gives the records new sequence numbers, with room between them.
  @usableFromInline mutating func renumber() throws {
    guard let new = try RecordList(order: order, records: Array(self)).storage else { return }
    let own = ownStorage()
    (own.records, own.numbers, own.nextNumber) = (new.records, new.numbers, new.nextNumber)
    lineage = Lineage()
  }

  /// Changes the record with an id in place; the id must stay the same.
  ///
  /// - Returns: Whether the list contains a record with that id.
  /// - Throws: What the closure throws; the list is then unchanged.
  /// - Complexity: O(log `count`), plus the cost of the change.
  @discardableResult
  @inlinable public mutating func update<Failure: Error>(
    id: Record.ID, _ change: (inout Record) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard let number = storage?.numbers[id] else { return false }
    let own = ownStorage()
    let isLogged = own.log != nil
    let edit = try own.records.update(number) {
      (record) throws(Failure) -> (old: Record, new: Record)? in
      // Restored if the change fails; one that can't fail needs no copy.
      let old = isLogged || Failure.self != Never.self ? record : nil
      do throws(Failure) {
        try change(&record)
      } catch {
        if let old { record = old }
        throw error
      }
      precondition(record.id == id, "A change of a record leaves its id as it is.")
      guard isLogged, let old, !Self.areSame(old, record) else { return nil }
      return (old, record)
    }
    if case (let old, let new)?? = edit, let position = position(ofNumber: number) {
      own.logEdit(.changed(position: position, old: old, new: new))
    }
    return true
  }

  /// Removes the record with an id.
  ///
  /// - Returns: The removed record; nil if there was none.
  /// - Complexity: O(log `count`).
  @discardableResult
  @inlinable public mutating func remove(id: Record.ID) -> Record? {
    guard let number = storage?.numbers[id] else { return nil }
    let own = ownStorage()
    let position = own.log == nil ? nil : position(ofNumber: number)
    guard let removed = own.records.remove(number) else { return nil }
    own.numbers.remove(id)
    if let position { own.logEdit(.removed(position: position, removed)) }
    return removed
  }

  /// Removes the records at several positions.
  ///
  /// - Parameter positions: The positions before the removal, in any order; duplicates, and positions outside the
  ///   list, are ignored.
  /// - Complexity: O(positions · log `count`).
  @inlinable public mutating func remove(atPositions positions: some Sequence<Int>) {
    // From last to first, each position is still right when its record is removed.
    for position in Set(positions).filter(indices.contains).sorted(by: >) {
      remove(id: self[position].id)
    }
  }

  /// Removes every record.
  @inlinable public mutating func removeAll() { self = RecordList(order: order) }

  /// Replaces all records by others, given in display order.
  ///
  /// - Throws: `RecordListError.duplicateIdentifier` if two have the same id; the list is then unchanged.
  /// - Complexity: O(new records · log new records).
  @inlinable public mutating func replaceAll(with newRecords: [Record]) throws {
    self = try RecordList(order: order, records: newRecords)
  }

  /// Gives the list a new lineage: it then replaces every earlier list as a whole.
  @inlinable mutating func renew() { lineage = Lineage() }
}

// MARK: - Edits

extension RecordList {
  /// The edits that turn another list into this one, found by comparing the two; nil if the lists are the same.
  ///
  /// A list of another lineage is replaced as a whole.
  ///
  /// - Complexity: O(records that differ · log `count`).
  @inlinable func edits<Element>(
    since old: RecordList, as form: @escaping @Sendable (Record) -> Element
  ) -> ListEdits<Element>? {
    guard lineage === old.lineage else {
      // Replacing an empty list with an empty one changes nothing.
      guard !isEmpty || !old.isEmpty else { return nil }
      return .replaced(old: ListElements(old, form), new: ListElements(self, form))
    }
    // Removals come first: a record that moved is removed and inserted, and must not be in the list twice in between.
    var removals: [ListEdit<Element>] = []
    var others: [(position: Int, old: Record?, new: Record)] = []
    var insertionCount = 0
    func addRemoval(_ record: Record, at position: Int) {
      let place = Self.mirrored(
        position - insertionCount, of: old.count - removals.count, order)
      removals.append(.removed(position: place, form(record)))
    }
    func addInsertion(_ record: Record, at position: Int) {
      insertionCount += 1
      others.append((position, nil, record))
    }
    let (earlier, later) = (old.storage?.records ?? SortedTree(), storage?.records ?? SortedTree())
    later.compare(with: earlier, areSame: Self.areSame) { position, _, difference in
      switch difference {
      case .inserted(let record): addInsertion(record, at: position)
      case .removed(let record): addRemoval(record, at: position)
      case .changed(let old, let new) where old.id == new.id:
        others.append((position, old, new))
      case .changed(let old, let new):
        // Two copies have given the same sequence number to different records.
        addRemoval(old, at: position)
        addInsertion(new, at: position)
      }
    }
    var length = old.count - removals.count
    let edits =
      removals
      + others.map { position, old, new -> ListEdit<Element> in
        guard let old else {
          length += 1
          return .inserted(position: Self.mirrored(position, of: length, order), form(new))
        }
        let place = Self.mirrored(position, of: length, order)
        return .changed(position: place, old: form(old), new: form(new))
      }
    return edits.isEmpty ? nil : .edits(edits)
  }

  /// Whether two records with the same id are the same; texts in them are compared by their bytes, as a letter can have
  /// several forms, which `==` considers equal.
  @inlinable static func areSame(_ record: Record, _ other: Record) -> Bool {
    // Records that share their storage, which most of those that are compared do.
    haveSameBits(record, other) || (record == other && record.stateValue == other.stateValue)
  }
}

// MARK: - Conformances

extension RecordList: Equatable {
  /// Whether two lists have the same records in the same order, whatever their lineage.
  ///
  /// - Complexity: O(`count`); for equal lists, only the parts that they don't share are compared.
  @inlinable public static func == (left: Self, right: Self) -> Bool {
    left.order == right.order && left.count == right.count
      && (left.storage === right.storage || left.hasSameTree(as: right)
        || left.elementsEqual(right))
  }
}

extension RecordList {
  /// Whether two lists have the same records with the same sequence numbers.
  @inlinable func hasSameTree(as other: Self) -> Bool {
    guard let storage, let otherStorage = other.storage else { return false }
    return storage.records == otherStorage.records
  }
}

extension RecordList: Sendable {}

extension RecordList: Encodable {
  /// Encodes the records as an array, in display order.
  @inlinable public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for record in self {
      try container.encode(record)
    }
  }
}

extension RecordList: Decodable {
  /// Decodes an array of records as an `oldestFirst` list.
  @inlinable public init(from decoder: any Decoder) throws {
    try self.init(order: .oldestFirst, records: [Record](from: decoder))
  }
}

/// Why records can't be put in a list.
public typealias RecordListError = PlainError<any Identifiable>

extension RecordListError {
  @usableFromInline static func duplicateIdentifier(_ id: String) -> Self {
    Self(
      "duplicate_id", "Two records have the id \(id): give each record its own id.")
  }

  /// No record has an id.
  public static func notFound(_ id: Int) -> Self {
    Self("not_found", "No record has the id \(id): it was removed, or never existed.")
  }
}
