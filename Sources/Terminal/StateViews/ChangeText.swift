import PrimereplLineEditing
import Scripting
package import StateStore

/// How much of changes is shown.
package struct ChangeDetail: Equatable, Sendable {
  /// The maximum number of elements of a list that are named one by one.
  let namedElements: Int
  /// The maximum length of a value, in characters.
  let valueLength: Int
  package let lines: Int
  /// Whether the changed fields of a derived record are only counted.
  let isFolded: Bool

  package static let folded = ChangeDetail(
    namedElements: 3, valueLength: 24, lines: 5, isFolded: true)
  package static let full = ChangeDetail(
    namedElements: 100, valueLength: 1_000, lines: 1_000, isFolded: false)
}

/// The differences between two states, in phrases such as `counter.count 7 → 8` and `todo.items +"milk"`.
package struct ChangeText {
  /// One for each field, list or element.
  package private(set) var phrases: [String] = []

  /// The maximum number of elements of two lists that are compared if one replaced the other.
  static let comparisonLimit = 1_000

  package init(
    from old: States, to new: States, _ schema: StoreSchema, _ detail: ChangeDetail = .folded
  ) {
    func text(of value: StateValue, at path: String, in states: States) -> String {
      schema.shownText(of: value, at: path, in: states, limit: detail.valueLength)
        ?? value.title(limit: detail.valueLength)
    }
    let differences = schema.differences(
      from: old, to: new, comparingAtMost: Self.comparisonLimit, computingAll: false)
    let derived = detail.isFolded ? schema.fields.filter(\.isDerived).map(\.path) : []
    var groups: [String: Group] = [:]
    var order: [String] = []
    for part in differences.parts {
      let record = derived.first { part.path.hasPrefix($0 + ".") }
      let path = record ?? Self.list(of: part)
      if groups[path] == nil {
        order.append(path)
        let field = schema.fields.first { $0.path == path }
        groups[path] = Group(isDerivedRecord: record != nil, detail, of: field) {
          text(of: $0, at: $1, in: new)
        }
      }
      groups[path]?.add(part, in: new) { text(of: $0, at: part.path, in: $1 ? new : old) }
    }
    for path in order { phrases += groups[path]?.phrases(path) ?? [] }
    phrases += differences.replacements.map(\.phrase)
    phrases += differences.uncomputed.map { "\($0) not computed" }
  }

  /// The list that a part is in, or the part's own path: the changes of a list's elements are together.
  private static func list(of part: StateDifference) -> String {
    switch part.kind {
    case .inserted(let list), .removed(let list): list
    case .changed: String(part.path.prefix { $0 != "[" })
    }
  }

  /// The phrases on one line.
  var line: String { phrases.joined(separator: " · ") }

  /// The changes of one list, derived record or value.
  private struct Group {
    private let isDerivedRecord: Bool
    private let detail: ChangeDetail
    private let field: AnyField?
    private let valueText: (_ value: StateValue, _ path: String) -> String
    private var inserted: [StateValue] = []
    private var insertedCount = 0
    private var removed: [StateValue] = []
    private var removedCount = 0
    private var changes: [String] = []
    private var changeCount = 0

    init(
      isDerivedRecord: Bool, _ detail: ChangeDetail, of field: AnyField?,
      _ valueText: @escaping (_ value: StateValue, _ path: String) -> String
    ) {
      (self.isDerivedRecord, self.detail, self.field) = (isDerivedRecord, detail, field)
      self.valueText = valueText
    }

    /// Keeps only what is shown, as an action can change any number of elements.
    mutating func add(
      _ difference: StateDifference, in states: States,
      _ text: (_ value: StateValue, _ isNew: Bool) -> String
    ) {
      let maximum = detail.namedElements
      switch (difference.kind, difference.new) {
      case (.inserted, let element):
        insertedCount += 1
        if inserted.count < maximum { inserted.append(element ?? .none) }
      case (.removed, .list(let elements, _)?):
        removedCount += elements.count
        removed += elements.prefix(maximum - min(removed.count, maximum))
      default:
        changeCount += 1
        if changes.count < maximum {
          changes.append(difference.namingKey(of: field, in: states).phrase(text))
        }
      }
    }

    func phrases(_ path: String) -> [String] {
      if isDerivedRecord, changeCount > 1 { return ["\(path) (\(changeCount) fields)"] }
      let counts = [
        text(inserted, count: insertedCount, sign: "+"),
        text(removed, count: removedCount, sign: "−"),
      ].filter { !$0.isEmpty }
      let list = counts.isEmpty ? [] : ["\(path) \(counts.joined(separator: " "))"]
      return list
        + (changeCount > changes.count ? ["\(path) \(changeCount.grouped) changes"] : changes)
    }

    private func text(_ elements: [StateValue], count: Int, sign: String) -> String {
      guard count <= elements.count else { return "\(sign)\(count.counted("element"))" }
      return elements.map { sign + title(of: $0) }.joined(separator: " ")
    }

    private func title(of element: StateValue) -> String {
      let title = element.title(limit: detail.valueLength, of: field?.type.element?.record)
      guard let field, field.list?.isMap == true, let value = element[DeclaredList.valueName]
      else { return title }
      return "\(title) = \(valueText(value, "\(field.path)[1].\(DeclaredList.valueName)"))"
    }
  }
}

extension StateDifference {
  /// The difference of a value of a map, named by its key and not by its position.
  fileprivate func namingKey(of map: AnyField?, in states: States) -> StateDifference {
    guard let map, map.list?.isMap == true, kind == .changed,
      let position = Int(path.dropFirst(map.path.count + 1).prefix { $0.isNumber }),
      let elements = map.elements(in: states), elements.indices.contains(position - 1),
      let key = elements[position - 1][DeclaredList.keyName]
    else { return self }
    let part = path.split(separator: ".value", maxSplits: 1, omittingEmptySubsequences: false)
    return StateDifference(
      path: "\(map.path)[\(key.luaLiteral)]\(part.count > 1 ? part[1] : "")", old: old, new: new)
  }

  /// A part with its earlier and its new value, such as `counter.count 7 → 8`.
  func phrase(_ text: (_ value: StateValue, _ isNew: Bool) -> String) -> String {
    let (old, new) = (text(old ?? .none, false), text(new ?? .none, true))
    // A secret looks the same before and after.
    return old == new ? "\(path) changed to \(new)" : "\(path) \(old) → \(new)"
  }
}

extension BoundedDifferences.Replacement {
  var phrase: String { "\(path) \(oldCount.grouped) → \(newCount.counted("element"))" }
}
