import PrimereplFoundation
import PrimereplTerminal
import Scripting
import StateStore

// The state, now or after an action of the history.
extension PageQuestions {
  /// The states that a question is about: those after the action `at`, or the present ones.
  private func states(_ question: Question) throws -> States {
    try question.optionalInteger("at").map(states) ?? store.states
  }

  /// The states after an action, of which those are kept for the next question.
  func states(after number: Int) throws -> States {
    let history = store.contents
    let near = past.flatMap { $0.edition == history.edition ? ($0.number, $0.states) : nil }
    let states = try history.states(after: number, near: near)
    past = (history.edition, number, states)
    return states
  }

  /// The values of a feature's fields, and the numbers of elements of its lists.
  func values(of question: Question) throws -> StateValue {
    let feature = try question.text("feature")
    let states = try states(question)
    let fields = fields(of: feature)
    let values = fields.map { field -> StateValue.Member in
      let value: StateValue
      if let elements = field.elements(in: states) {
        value = ["count": .integer(elements.count)]
      } else {
        let whole = field.value(in: states)
        value = [
          "value": whole.limited(to: Self.shownElements),
          "rest": .integer(max(0, whole.elementCount - Self.shownElements)),
        ]
      }
      return .init(name: field.path, value: value)
    }
    let references = fields.compactMap { field in
      field.type.reference.map { ($0, field.value(in: states)) }
    }
    return ["values": .record(values), "labels": labels(of: references, in: states)]
  }

  /// The maximum number of elements of a derived value that pages get.
  static let shownElements = 200
  private static let maximumRows = 2_000
  /// The number of rows before the record around which rows are asked for.
  private static let rowsBefore = 20

  /// Some of the records of a list, or the elements of a set or map: those from an `offset`, or around the record with an
  /// `id`; and which of the ids that are `chosen` have no record any more.
  func records(of question: Question) throws -> StateValue {
    let path = try question.text("path")
    let states = try states(question)
    guard let field = store.schema.fields.first(where: { $0.path == path }),
      let elements = field.elements(in: states)
    else { throw QuestionError("unknown_path", "There is no list \(path.shortenedForMessage).") }
    let type = field.type.element?.record
    let key = RecordArrangement.Key(
      path: path, sort: question.optionalText("sort"),
      isDescending: question.content["descending"] == .boolean(true),
      filter: question.optionalText("filter") ?? "")
    let order = arranged(elements, key, field, states)
    let found = order?.count ?? elements.count
    var offset = question.optionalInteger("offset") ?? 0
    if let id = question.optionalInteger("id") {
      let position = (0..<found).first { elements[order?[$0] ?? $0]["id"] == .integer(id) }
      offset = position.map { $0 - Self.rowsBefore } ?? offset
    }
    let start = max(0, min(offset, found))
    let count = max(0, min(question.optionalInteger("count") ?? 50, Self.maximumRows))
    let rows = (start..<min(found, start + count)).map { elements[order?[$0] ?? $0] }
    let references = (type?.parts ?? []).flatMap { part in
      part.type.reference.map { reference in rows.map { (reference, $0[part.name]) } } ?? []
    }
    var missing: [StateValue] = []
    if case .list(let ids, _)? = question.content["chosen"] {
      missing = ids.filter { id in
        guard case .integer(let id) = id else { return true }
        return field.record(withID: id, in: states) == nil
      }
    }
    return [
      "total": .integer(elements.count), "found": .integer(found),
      "offset": .integer(start), "rows": .list(rows.map(\.shownAsRow)), "missing": .list(missing),
      "labels": labels(of: references, in: states),
    ]
  }

  /// The texts by which people know the records that values refer to: by the lists' paths, and the ids.
  private func labels(
    of values: [(reference: ReferenceType, id: StateValue?)], in states: States
  ) -> StateValue {
    var found: [String: [Int: String]] = [:]
    for case (let reference, .integer(let id)?) in values
    where found[reference.path]?[id] == nil {
      found[reference.path, default: [:]][id] = store.schema.label(
        ofRecord: id, reference, in: states)
    }
    return .record(
      found.sorted { $0.key < $1.key }.map { path, labels in
        let members = labels.sorted { $0.key < $1.key }.map { id, label in
          StateValue.Member(name: "\(id)", value: .text(label))
        }
        return .init(name: path, value: .record(members))
      })
  }

  /// The positions of the elements that a filter leaves, in the order of a column; nil for all in the order of the list.
  ///
  /// - Complexity: O(elements · log elements) for an order that isn't kept; else O(1).
  private func arranged(
    _ elements: ListElements<StateValue>, _ key: RecordArrangement.Key, _ field: AnyField,
    _ states: States
  ) -> [Int]? {
    guard key.sort != nil || !key.filter.isEmpty else { return nil }
    let type = field.type.element?.record
    if let known = arrangements.first(where: { $0.key == key && $0.isCurrent(states) }) {
      return known.positions
    }
    var positions = Array(elements.indices)
    if !key.filter.isEmpty {
      let text = key.filter.lowercased()
      let types = (type?.members ?? []).filter {
        $0.type.reference != nil || $0.type.decimalPlaces != nil
      }
      let labelled = Dictionary(uniqueKeysWithValues: types.map { ($0.name, $0.type) })
      positions = positions.filter {
        elements[$0].contains(text: text, labelled, store.schema, states)
      }
    }
    if let column = key.sort {
      let type = type?.type(ofMember: column)
      let values = Dictionary(
        uniqueKeysWithValues: positions.map { position in
          let value = elements[position][column] ?? elements[position]
          guard type?.reference != nil else { return (position, value) }
          return (position, value.labelled(as: type, store.schema, states) ?? value)
        })
      positions.sort { left, right in
        guard let first = values[left], let second = values[right] else { return left < right }
        if first.isShownBefore(second) { return !key.isDescending }
        if second.isShownBefore(first) { return key.isDescending }
        return left < right
      }
    }
    // A filter also finds the labels of records of other lists.
    let referred = (type?.parts ?? []).compactMap(\.type.reference?.path)
    let marks = store.schema.fields.filter { $0.path == key.path || referred.contains($0.path) }
      .map { $0.mark(in: states) }
    arrangements.insert(
      RecordArrangement(
        key: key, isCurrent: { states in marks.allSatisfy { $0(states) } }, positions: positions),
      at: 0)
    arrangements = Array(arrangements.prefix(Self.maximumArrangements))
    return positions
  }

  /// The number of orders that are kept: about those of the tables that people look at.
  private static let maximumArrangements = 8
}

/// The order in which a page shows the records of a list.
struct RecordArrangement {
  struct Key: Equatable {
    let path: String
    let sort: String?
    let isDescending: Bool
    let filter: String
  }

  let key: Key
  /// Whether the list, and those to whose records it refers, are the same in some states.
  let isCurrent: (States) -> Bool
  let positions: [Int]
}

extension StateValue {
  fileprivate var elementCount: Int {
    switch self {
    case .list(let values, _): values.count
    case .record(let members): members.count
    default: 0
    }
  }

  /// The value as pages get it: of long lists only the beginning, bullets for secrets, and texts for integers that JavaScript
  /// would round.
  func limited(to count: Int) -> StateValue {
    func limited(_ members: some Sequence<Member>) -> [Member] {
      members.map { Member(name: $0.name, value: $0.value.limited(to: count)) }
    }
    return switch self {
    case .list(let values, let members):
      .list(values.prefix(count).map { $0.limited(to: count) }, members: limited(members))
    case .record(let members): .record(limited(members.prefix(count)))
    case .secret(let secret): .text(secret.description)
    case .integer(let integer) where integer.magnitude >= 1 << 53: .text(String(integer))
    default: self
    }
  }

  /// An element as a row: a record with its parts, of which secrets are bullets; another value as the part `value`.
  fileprivate var shownAsRow: StateValue {
    guard case .record(let members) = self else { return ["value": limited(to: 100)] }
    return .record(members.map { .init(name: $0.name, value: $0.value.limited(to: 100)) })
  }

  /// Whether a value of the element, or the text by which people know it, contains a text, without regard to case.
  fileprivate func contains(
    text: String, _ labelled: [String: ValueType], _ schema: StoreSchema, _ states: States
  ) -> Bool {
    switch self {
    case .record(let members):
      return members.contains { member in
        (member.value.labelled(as: labelled[member.name], schema, states) ?? member.value)
          .contains(text: text, [:], schema, states)
      }
    case .text(let own): return own.lowercased().hasBytes(of: text)
    case .none, .secret: return false
    default: return json.lowercased().hasBytes(of: text)
    }
  }

  /// The text that people see of a value of a type: the label of a record that it refers to, or a decimal with its places;
  /// nil for others.
  fileprivate func labelled(
    as type: ValueType?, _ schema: StoreSchema, _ states: States
  ) -> StateValue? {
    if let reference = type?.reference, case .integer(let id) = self {
      return schema.label(ofRecord: id, reference, in: states).map { .text($0) }
    }
    return type?.decimalPlaces?.text(of: self).map { .text($0) }
  }

  /// Whether the value comes before another one of its column; nothing comes first, and the case of texts counts last.
  fileprivate func isShownBefore(_ other: StateValue) -> Bool {
    guard case (.text(let text), .text(let otherText)) = (self, other) else {
      return sorts(before: other)
    }
    let (folded, otherFolded) = (text.lowercased(), otherText.lowercased())
    return folded == otherFolded ? text < otherText : folded < otherFolded
  }
}

extension String {
  /// Whether the bytes of another text are among those of this one, up to a null byte: much faster than comparing characters.
  fileprivate func hasBytes(of other: String) -> Bool { strstr(self, other) != nil }
}
