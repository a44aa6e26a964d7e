import Collections

/// Ordered records that are found by id or by position in constant time, and that note their edits.
///
/// The notes are how a store knows what changed in a collection without comparing or copying it.
/// They aren't part of the list's value: equality and coding ignore them. Whoever owns a list takes
/// them (`takeEdits`) or drops them (`discardEdits`) after every change; they pile up otherwise.
///
/// Records are stored in the order they are appended, whatever the order people see, so that
/// appending never moves the others. Positions, iteration, `replaceAll` and coding are all in the
/// order people see.
///
/// A list of `newestFirst` decodes through `init(order:records:)`: the array it is encoded as
/// doesn't say its order.
public struct RecordList<Record>
where Record: Identifiable & Equatable & Sendable, Record.ID: Sendable {
  /// Which end of the list people see first.
  public enum Order: Sendable {
    /// Appended records come last.
    case oldestFirst
    /// Appended records come first.
    case newestFirst
  }

  /// Which end of the list people see first.
  public let order: Order

  private var records: OrderedDictionary<Record.ID, Record>
  private var edits: [ListEdit<Record>] = []
  /// Says that the list became another as a whole, and makes `edits` before that meaningless.
  private var isReplaced = false

  /// Makes an empty list.
  public init(order: Order = .oldestFirst) {
    self.order = order
    self.records = [:]
  }

  /// Makes a list of records, given in the order people see.
  ///
  /// - Throws: `RecordListError.duplicateIdentifier` where two have the same id.
  public init(order: Order, records: [Record]) throws {
    self.order = order
    self.records = try Self.stored(records, order: order)
  }

  private static func stored(
    _ records: [Record], order: Order
  ) throws -> OrderedDictionary<Record.ID, Record> {
    var stored = OrderedDictionary<Record.ID, Record>(minimumCapacity: records.count)
    func store(_ record: Record) throws {
      guard stored.updateValue(record, forKey: record.id) == nil else {
        throw RecordListError.duplicateIdentifier("\(record.id)")
      }
    }
    switch order {
    case .oldestFirst: try records.forEach(store)
    case .newestFirst: try records.reversed().forEach(store)
    }
    return stored
  }

  /// The position people see for a stored index, and the other way around.
  private func mirrored(_ index: Int) -> Int {
    switch order {
    case .oldestFirst: index
    case .newestFirst: records.count - 1 - index
    }
  }
}

// MARK: - Reading

extension RecordList: RandomAccessCollection {
  /// The first position, always 0.
  public var startIndex: Int { 0 }

  /// One past the last position: the number of records.
  public var endIndex: Int { records.count }

  /// The record at a position, which must be one of the list's.
  ///
  /// - Complexity: O(1).
  public subscript(position: Int) -> Record {
    records.elements[mirrored(position)].value
  }

  /// The record with an id, or nil where there is none.
  ///
  /// - Complexity: O(1).
  public subscript(id id: Record.ID) -> Record? {
    records[id]
  }

  /// Whether there is a record with an id.
  ///
  /// - Complexity: O(1).
  public func contains(id: Record.ID) -> Bool {
    records.keys.contains(id)
  }

  /// The position of the record with an id, or nil where there is none.
  ///
  /// - Complexity: O(1).
  public func position(ofID id: Record.ID) -> Int? {
    records.index(forKey: id).map(mirrored)
  }
}

// MARK: - Changing

extension RecordList {
  /// Appends a record: at the end of a list of the oldest first, at the front of one of the newest
  /// first.
  ///
  /// - Throws: `RecordListError.duplicateIdentifier` where its id is taken; the list is unchanged.
  /// - Complexity: Amortised O(1).
  public mutating func append(_ record: Record) throws {
    guard !contains(id: record.id) else {
      throw RecordListError.duplicateIdentifier("\(record.id)")
    }
    records[record.id] = record
    note(.inserted(position: mirrored(records.count - 1), record))
  }

  /// Changes the record with an id in place.
  ///
  /// - Parameters:
  ///   - id: The record's id.
  ///   - change: What to do with the record. It leaves the id as it is.
  /// - Returns: Whether there is a record with that id.
  /// - Complexity: O(1), besides what the change costs.
  @discardableResult
  public mutating func update(id: Record.ID, _ change: (inout Record) -> Void) -> Bool {
    guard let index = records.index(forKey: id) else { return false }
    let old = records.elements[index].value
    change(&records.values[index])
    let new = records.elements[index].value
    precondition(new.id == id, "A change of a record leaves its id as it is.")
    if new != old {
      note(.changed(position: mirrored(index), old: old, new: new))
    }
    return true
  }

  /// Removes the record with an id.
  ///
  /// - Returns: The removed record, or nil where there was none.
  /// - Complexity: O(`count`), as the records after it move.
  @discardableResult
  public mutating func remove(id: Record.ID) -> Record? {
    guard let index = records.index(forKey: id) else { return nil }
    let position = mirrored(index)
    let removed = records.remove(at: index).value
    note(.removed(position: position, removed))
    return removed
  }

  /// Removes the records at several positions, in one pass over the list.
  ///
  /// - Parameter positions: The positions of the records to remove, in any order, as they are
  ///   before any is removed. One that comes twice counts once; one that isn't the list's is
  ///   ignored.
  /// - Complexity: O(`count`).
  public mutating func remove(atPositions positions: some Sequence<Int>) {
    let removed = Set(positions).filter(indices.contains)
    if removed.count == 1, let position = removed.first {
      // Several times as fast as a pass, which finds a new place in the hash table for each record.
      remove(id: self[position].id)
      return
    }
    guard !removed.isEmpty else { return }
    // Seen from the last position to the first, each position is right both before the first
    // removal and at the time of its own.
    for position in removed.sorted(by: >) {
      note(.removed(position: position, self[position]))
    }
    let removedIDs = Set(removed.map { self[$0].id })
    records.removeAll { removedIDs.contains($0.key) }
  }

  /// Removes every record.
  public mutating func removeAll() {
    guard !isEmpty else { return }
    records.removeAll()
    noteReplaced()
  }

  /// Makes these the records of the list.
  ///
  /// - Parameter newRecords: The records in the order people see.
  /// - Throws: `RecordListError.duplicateIdentifier` where two have the same id; the list is
  ///   unchanged.
  /// - Complexity: O(new records).
  public mutating func replaceAll(with newRecords: [Record]) throws {
    records = try Self.stored(newRecords, order: order)
    noteReplaced()
  }
}

// MARK: - Edits

extension RecordList {
  /// What happened since edits were last taken, or nil where nothing did; then they are forgotten.
  ///
  /// - Complexity: O(edits), or O(`count`) where the list was replaced as a whole.
  public mutating func takeEdits() -> ListEdits<Record>? {
    defer { discardEdits() }
    if isReplaced { return .replaced(with: Array(self)) }
    return edits.isEmpty ? nil : .edits(edits)
  }

  /// Forgets the edits noted so far.
  ///
  /// - Complexity: O(edits).
  public mutating func discardEdits() {
    isReplaced = false
    if !edits.isEmpty { edits = [] }
  }

  private mutating func note(_ edit: ListEdit<Record>) {
    // What a list became as a whole is read when the edits are taken, with all that came after.
    if !isReplaced { edits.append(edit) }
  }

  private mutating func noteReplaced() {
    isReplaced = true
    edits = []
  }
}

// MARK: - Conformances

extension RecordList: Equatable {
  /// Whether two lists have the same records in the same order, whatever was edited before.
  public static func == (left: Self, right: Self) -> Bool {
    left.order == right.order && left.records == right.records
  }
}

extension RecordList: Sendable {}

extension RecordList: Encodable where Record: Encodable {
  /// Encodes the records as an array, in the order people see.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for record in self {
      try container.encode(record)
    }
  }
}

extension RecordList: Decodable where Record: Decodable {
  /// Decodes an array of records as a list of the oldest first.
  public init(from decoder: any Decoder) throws {
    try self.init(order: .oldestFirst, records: [Record](from: decoder))
  }
}
