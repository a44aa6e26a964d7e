public import StateStore

/// The records of one list that scripts hold: the same record is the same object for as long as somebody holds it.
///
/// It keeps none of them alive, and forgets those that nobody holds any more.
public final class LiveRecords<Record: ScriptableRecord> {
  /// The binding to the record with an id.
  let binding: (Int) -> Binding<Record>

  private var entries: [Int: WeakReference] = [:]

  /// Makes the records that bindings lead to.
  public init(binding: @escaping (Int) -> Binding<Record>) {
    self.binding = binding
  }

  /// How many are held.
  package var count: Int { entries.count }

  /// The object of the record with an id, whether or not there is such a record now.
  public subscript(id: Int) -> LiveRecord<Record> {
    if let record = entries[id]?.object as? LiveRecord<Record> { return record }
    let record = LiveRecord(id: id, in: self)
    entries[id] = WeakReference(object: record)
    return record
  }

  /// The object of the record with an id.
  ///
  /// - Throws: the feature's error where there is no such record.
  public func existing(_ id: Int) throws -> LiveRecord<Record> {
    _ = try binding(id).get()
    return self[id]
  }

  /// Forgets an object that is going away.
  func forget(_ id: Int) {
    // Another may have taken its place already.
    if entries[id]?.object == nil { entries[id] = nil }
  }
}

/// Not generic, as a dictionary of what isn't known until run time would take three times as long.
private struct WeakReference {
  weak var object: AnyObject?
}
