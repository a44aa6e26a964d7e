import LineEditing
import StateStore

/// The differences between two states, in phrases such as `counter.count 7 → 8` and `todo.items +"milk"`.
struct ChangeText {
  /// One for each field, list or element.
  private(set) var phrases: [String] = []

  /// The maximum number of elements of two lists that are compared if one replaced the other.
  static let comparisonLimit = 1_000
  /// The maximum number of elements of a list that are named one by one.
  private static let namedElements = 3
  /// The maximum length of a value, in characters.
  private static let valueLength = 24

  init(_ differences: BoundedDifferences) {
    var lists: [String: ListChanges] = [:]
    var order: [String] = []
    for part in differences.parts {
      let path: String
      switch part.kind {
      case .inserted(let list): path = list
      case .removed(let list): path = list
      case .changed: path = Self.list(of: part.path)
      }
      if lists[path] == nil { order.append(path) }
      lists[path, default: ListChanges()].add(part)
    }
    for path in order { phrases += lists[path, default: ListChanges()].phrases(path) }
    phrases += differences.replacements.map { list in
      "\(list.path) \(list.oldCount.grouped) → \(list.newCount.counted("element"))"
    }
  }

  /// The differences between two states.
  init(from old: States, to new: States, _ schema: StoreSchema) {
    self.init(schema.differences(from: old, to: new, comparingAtMost: Self.comparisonLimit))
  }

  /// The path up to the first position in a list, so that the changes of a list's elements are together.
  private static func list(of path: String) -> String { String(path.prefix { $0 != "[" }) }

  /// The phrases on one line.
  var line: String { phrases.joined(separator: " · ") }

  /// The changes of one list or value.
  private struct ListChanges {
    private var inserted: [StateValue] = []
    private var insertedCount = 0
    private var removed: [StateValue] = []
    private var removedCount = 0
    private var changes: [String] = []
    private var changeCount = 0

    /// Keeps only what is shown, as an action can change any number of elements.
    mutating func add(_ difference: StateDifference) {
      let maximum = ChangeText.namedElements
      switch (difference.kind, difference.new) {
      case (.inserted, let element):
        insertedCount += 1
        if inserted.count < maximum { inserted.append(element ?? .none) }
      case (.removed, .list(let elements, _)?):
        removedCount += elements.count
        removed += elements.prefix(maximum - min(removed.count, maximum))
      default:
        changeCount += 1
        if changes.count < maximum { changes.append(ChangeText.phrase(difference)) }
      }
    }

    func phrases(_ path: String) -> [String] {
      let counts = [
        Self.text(inserted, count: insertedCount, sign: "+"),
        Self.text(removed, count: removedCount, sign: "−"),
      ].filter { !$0.isEmpty }
      let list = counts.isEmpty ? [] : ["\(path) \(counts.joined(separator: " "))"]
      return list
        + (changeCount > changes.count ? ["\(path) \(changeCount.grouped) changes"] : changes)
    }

    fileprivate static func text(_ elements: [StateValue], count: Int, sign: String) -> String {
      guard count <= elements.count else { return "\(sign)\(count.counted("element"))" }
      return elements.map { sign + $0.title(limit: ChangeText.valueLength) }
        .joined(separator: " ")
    }
  }

  private static func phrase(_ difference: StateDifference) -> String {
    let old = (difference.old ?? .none).title(limit: valueLength)
    let new = (difference.new ?? .none).title(limit: valueLength)
    // A secret looks the same before and after.
    guard old != new else { return "\(difference.path) changed to \(new)" }
    return "\(difference.path) \(old) → \(new)"
  }
}
