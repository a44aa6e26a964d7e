/// Ordered records that are found by id or by position, whose copies share what they have in common, and that note their
/// edits.
///
/// Everything that concerns one record takes O(log `count`), and a copy takes no time at all: old states of a list of a
/// million records can be kept, and changing the list then copies a few small nodes.
///
/// The notes are how a store knows what changed in a collection without comparing or copying it.
/// They aren't part of the list's value: equality and coding ignore them. Whoever owns a list takes
/// them (`takeEdits`) or drops them (`discardEdits`) after every change; they pile up otherwise.
///
/// Each record has a stamp, which grows with every record that is appended, whatever the order people see. Positions, iteration, `replaceAll` and coding are all in the
/// order people see.
///
/// A list of `newestFirst` decodes through `init(order:records:)`: the array it is encoded as
/// doesn't say its order.
public struct RecordList<Record>
where Record: Identifiable & Equatable & Sendable, Record.ID: Comparable & Sendable {
  /// Which end of the list people see first.
  public enum Order: Sendable {
    /// Appended records come last.
    case oldestFirst
    /// Appended records come first.
    case newestFirst
  }

  /// Which end of the list people see first.
  public let order: Order

  /// The records by their stamps.
  private var records = SortedTree<Int, Record>()
  /// The stamps by the records' ids.
  private var stamps = SortedTree<Record.ID, Int>()
  /// Greater than all stamps.
  private var nextStamp = 0

  private var edits: [ListEdit<Record>] = []
  /// The records before the list became another as a whole, which makes `edits` meaningless; nil where it didn't.
  private var replaced: SortedTree<Int, Record>?

  /// Makes an empty list.
  public init(order: Order = .oldestFirst) {
    self.order = order
  }

  /// Makes a list of records, given in the order people see.
  ///
  /// - Throws: `RecordListError.duplicateIdentifier` where two have the same id.
  /// - Complexity: O(records · log records).
  public init(order: Order, records: [Record]) throws {
    self.init(order: order)
    let stamped =
      switch order {
      case .oldestFirst: records.enumerated().map { SortedTree.Entry(key: $0, value: $1) }
      case .newestFirst:
        records.reversed().enumerated().map { SortedTree.Entry(key: $0, value: $1) }
      }
    let byID = stamped.map { SortedTree.Entry(key: $0.value.id, value: $0.key) }
      .sorted { $0.key < $1.key }
    if let duplicate = zip(byID, byID.dropFirst()).first(where: { $0.key == $1.key }) {
      throw RecordListError.duplicateIdentifier("\(duplicate.0.key)")
    }
    self.records = SortedTree(sorted: stamped)
    self.stamps = SortedTree(sorted: byID)
    nextStamp = records.count
  }

  /// The position people see for one in the order of stamps, and the other way around.
  private func mirrored(_ position: Int) -> Int {
    Self.mirrored(position, of: count, order)
  }

  private static func mirrored(_ position: Int, of count: Int, _ order: Order) -> Int {
    switch order {
    case .oldestFirst: position
    case .newestFirst: count - 1 - position
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
  /// - Complexity: O(log `count`).
  public subscript(position: Int) -> Record {
    records[position: mirrored(position)].value
  }

  /// Goes through the records in O(`count`), though each by itself takes O(log `count`).
  public func makeIterator() -> Iterator { Iterator(list: self) }

  /// Goes through a list from leaf to leaf.
  public struct Iterator: IteratorProtocol {
    private let list: RecordList
    private var position = 0
    private var leaf: [SortedTree<Int, Record>.Entry] = []
    private var offset = 0

    fileprivate init(list: RecordList) {
      self.list = list
    }

    /// The next record, or nil after the last.
    public mutating func next() -> Record? {
      if !leaf.indices.contains(offset) {
        guard position < list.count else { return nil }
        (leaf, offset) = list.records.leaf(at: list.mirrored(position))
      }
      defer {
        position += 1
        offset += list.order == .oldestFirst ? 1 : -1
      }
      return leaf[offset].value
    }
  }

  /// The record with an id, or nil where there is none.
  ///
  /// - Complexity: O(log `count`).
  public subscript(id id: Record.ID) -> Record? {
    stamps[id].flatMap { records[$0] }
  }

  /// Whether there is a record with an id.
  ///
  /// - Complexity: O(log `count`).
  public func contains(id: Record.ID) -> Bool {
    stamps.contains(id)
  }

  /// The position of the record with an id, or nil where there is none.
  ///
  /// - Complexity: O(log `count`).
  public func position(ofID id: Record.ID) -> Int? {
    stamps[id].flatMap(position(ofStamp:))
  }

  private func position(ofStamp stamp: Int) -> Int? {
    records.position(of: stamp).map(mirrored)
  }
}

// MARK: - Changing

extension RecordList {
  /// Appends a record: at the end of a list of the oldest first, at the front of one of the newest
  /// first.
  ///
  /// - Throws: `RecordListError.duplicateIdentifier` where its id is taken; the list is unchanged.
  /// - Complexity: O(log `count`).
  public mutating func append(_ record: Record) throws {
    guard !contains(id: record.id) else {
      throw RecordListError.duplicateIdentifier("\(record.id)")
    }
    records.set(record, for: nextStamp)
    stamps.set(nextStamp, for: record.id)
    nextStamp += 1
    note(.inserted(position: mirrored(count - 1), record))
  }

  /// Changes the record with an id in place.
  ///
  /// - Parameters:
  ///   - id: The record's id.
  ///   - change: What to do with the record. It leaves the id as it is.
  /// - Returns: Whether there is a record with that id.
  /// - Complexity: O(log `count`), besides what the change costs.
  @discardableResult
  public mutating func update(id: Record.ID, _ change: (inout Record) -> Void) -> Bool {
    guard let stamp = stamps[id], let position = position(ofStamp: stamp) else { return false }
    let versions = records.update(stamp) { record in
      let old = record
      change(&record)
      return (old: old, new: record)
    }
    guard let (old, new) = versions else { return false }
    precondition(new.id == id, "A change of a record leaves its id as it is.")
    if new != old { note(.changed(position: position, old: old, new: new)) }
    return true
  }

  /// Removes the record with an id.
  ///
  /// - Returns: The removed record, or nil where there was none.
  /// - Complexity: O(log `count`).
  @discardableResult
  public mutating func remove(id: Record.ID) -> Record? {
    guard let stamp = stamps[id], let position = position(ofStamp: stamp),
      let removed = records.remove(stamp)
    else { return nil }
    stamps.remove(id)
    note(.removed(position: position, removed))
    return removed
  }

  /// Removes the records at several positions.
  ///
  /// - Parameter positions: The positions of the records to remove, in any order, as they are
  ///   before any is removed. One that comes twice counts once; one that isn't the list's is
  ///   ignored.
  /// - Complexity: O(positions · log `count`).
  public mutating func remove(atPositions positions: some Sequence<Int>) {
    // From the last to the first, each position is right both before the first removal and at the time of its own.
    for position in Set(positions).filter(indices.contains).sorted(by: >) {
      remove(id: self[position].id)
    }
  }

  /// Removes every record.
  public mutating func removeAll() {
    replace(with: RecordList(order: order))
  }

  /// Makes these the records of the list.
  ///
  /// - Parameter newRecords: The records in the order people see.
  /// - Throws: `RecordListError.duplicateIdentifier` where two have the same id; the list is
  ///   unchanged.
  /// - Complexity: O(new records · log new records).
  public mutating func replaceAll(with newRecords: [Record]) throws {
    replace(with: try RecordList(order: order, records: newRecords))
  }

  /// Makes the records of another list those of this one.
  ///
  /// - Parameter other: A list of the same order.
  /// - Complexity: O(1).
  private mutating func replace(with other: RecordList) {
    let old = records
    (records, stamps, nextStamp) = (other.records, other.stamps, other.nextStamp)
    noteReplacement(of: old)
  }

  /// Notes that this list, which has no notes yet, took the place of another.
  mutating func noteReplacement(of other: RecordList) {
    // What the other noted happened before.
    replaced = other.replaced
    edits = other.edits
    noteReplacement(of: other.records)
  }
}

// MARK: - Edits

extension RecordList {
  /// Whether anything happened since edits were last taken.
  var hasEdits: Bool { replaced != nil || !edits.isEmpty }

  /// What happened since edits were last taken, or nil where the list became another as a whole.
  var notedEdits: [ListEdit<Record>]? { replaced == nil ? edits : nil }

  /// What happened since edits were last taken, or nil where nothing did; then they are forgotten.
  ///
  /// - Parameter form: The form in which records are told of.
  /// - Returns: The edits.
  /// - Complexity: O(edits).
  mutating func takeEdits<Element>(
    as form: @escaping @Sendable (Record) -> Element
  ) -> ListEdits<Element>? {
    defer { discardEdits() }
    if let replaced {
      let order = order
      let old = ListElements(count: replaced.count) { position in
        form(replaced[position: Self.mirrored(position, of: replaced.count, order)].value)
      }
      return .replaced(old: old, new: ListElements(self, form))
    }
    return edits.isEmpty ? nil : .edits(edits.map { $0.map(form) })
  }

  /// Forgets the edits noted so far.
  ///
  /// - Complexity: O(edits).
  public mutating func discardEdits() {
    replaced = nil
    if !edits.isEmpty { edits = [] }
  }

  private mutating func note(_ edit: ListEdit<Record>) {
    // What a list became as a whole is read when the edits are taken, with all that came after.
    if replaced == nil { edits.append(edit) }
  }

  private mutating func noteReplacement(of old: SortedTree<Int, Record>) {
    // Nothing became nothing, and that isn't worth a note; after edits of something it is.
    guard replaced != nil || !edits.isEmpty || old.count > 0 || !isEmpty else { return }
    replaced = replaced ?? old
    edits = []
  }
}

// MARK: - Conformances

extension RecordList: Equatable {
  /// Whether two lists have the same records in the same order, whatever was edited before.
  ///
  /// - Complexity: O(`count`), but only what the lists don't share is looked at where they are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.order == right.order && left.count == right.count
      && (left.records == right.records || left.elementsEqual(right))
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
