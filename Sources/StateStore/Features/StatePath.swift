import PrimereplFoundation

/// A path into the state, such as `counter.count` or `persons[2].name`.
package struct StatePath: Equatable {
  /// A step from a value to a part of it.
  enum Step: Equatable {
    case name(String)
    /// To an element, counted from 1.
    case position(Int)
  }

  let steps: [Step]

  /// Parses names separated by dots, each followed by any number of positions in brackets; nil for other text.
  init?(_ text: String) {
    // No state is so deep, and a script can pass text of any length.
    guard text.utf8.count <= Self.maximumLength else { return nil }
    var steps: [Step] = []
    var rest = text.utf8[...]
    while let first = rest.first {
      if first == UInt8(ascii: "["), !steps.isEmpty {
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")),
          let position = Self.position(rest[..<end].dropFirst())
        else { return nil }
        steps.append(.position(position))
        rest = rest[end...].dropFirst()
      } else {
        if !steps.isEmpty {
          guard first == UInt8(ascii: ".") else { return nil }
          rest.removeFirst()
        }
        let name = rest.prefix(while: Self.isInNames)
        guard let initial = name.first, !initial.isASCIIDigit else { return nil }
        steps.append(.name(String(Substring(name))))
        rest = rest[name.endIndex...]
      }
    }
    self.steps = steps
  }

  package static func isName(_ text: String) -> Bool {
    StatePath(text)?.steps == [.name(text)]
  }

  var consistsOfNames: Bool {
    steps.allSatisfy { if case .name = $0 { true } else { false } }
  }

  /// The length in bytes of the longest path that is parsed.
  static let maximumLength = 1000

  private static func isInNames(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
      || byte.isASCIIDigit
  }

  /// Parses a number of 1 or more, without a sign and zeros before it: an element has one path, which are compared as texts.
  private static func position(_ digits: Substring.UTF8View) -> Int? {
    guard let first = digits.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first),
      let position = Int(Substring(digits))
    else { return nil }
    return position
  }
}

extension ValueType {
  func part(at steps: ArraySlice<StatePath.Step>) -> ValueType? {
    switch steps.first {
    case nil: self
    case .position: element?.part(at: steps.dropFirst())
    case .name(let name): record?.type(ofMember: name)?.part(at: steps.dropFirst())
    }
  }
}

extension AnyField {
  package func record(withID id: Int, in states: States) -> StateValue? {
    list?.records?.record(states.slots[index], id)?.stateValue
  }
}

extension StoreSchema {
  package func type(at path: String) -> ValueType? {
    guard let steps = StatePath(path)?.steps else { return nil }
    return first(along: steps) { $0.type.part(at: $1) }
  }

  /// The first result for a field on the way of some steps, which gets the steps below it; nil if there is none.
  func first<Result>(
    along steps: [StatePath.Step], _ find: (AnyField, ArraySlice<StatePath.Step>) -> Result?
  ) -> Result? {
    for field in fields {
      let own = StatePath(field.path)?.steps ?? []
      if steps.starts(with: own), let found = find(field, steps[own.count...]) { return found }
    }
    return nil
  }

  package func list(of reference: ReferenceType) -> AnyField? {
    fields.first { $0.path == reference.path }
  }

  /// The text by which people know the record to which an id refers; nil if there is none.
  package func label(
    ofRecord id: Int, _ reference: ReferenceType, in states: States
  ) -> String? {
    guard let list = list(of: reference), let record = list.record(withID: id, in: states) else {
      return nil
    }
    return list.type.element?.record?.labelText(of: record, id: id)
  }
}

extension StoreSchema {
  /// The value at a path: of a field, of a part of one, or of all fields below it as a record.
  ///
  /// - Throws: `StoreError.unknownPath` if the state can't have a value there.
  package func value(at path: String, in states: States) throws(StoreError) -> StateValue {
    let fields = try fields(at: path)
    if fields.count == 1, let field = fields.first, field.path == path {
      return field.value(in: states)
    }
    let prefix = path.isEmpty ? 0 : path.count + 1
    return StateValue(
      leaves: fields.map { (path: $0.path.dropFirst(prefix), value: $0.value(in: states)) })
  }

  /// The fields to watch for observers of a path; at least one.
  ///
  /// The path is that of a field, of a part of one, or of a parent of fields; the empty path is the parent of all.
  ///
  /// - Throws: `StoreError.unknownPath` if the state can't have a value there.
  package func fields(at path: String) throws(StoreError) -> [AnyField] {
    // Comparing texts takes time that grows with the square of the number of combining marks.
    guard path.utf8.count <= StatePath.maximumLength else {
      throw .unknownPath(path, known: knownPaths)
    }
    if let field = fields.first(where: { $0.path == path }) { return [field] }
    let contained = fields.filter {
      !$0.isListView && (path.isEmpty || $0.path.hasPrefix(path + "."))
    }
    guard contained.isEmpty else { return contained }
    guard let steps = StatePath(path)?.steps,
      let part = first(along: steps, { $0.part(at: $1, path: path) })
    else { throw .unknownPath(path, known: knownPaths) }
    return [part]
  }

  /// Every path of a field or of a parent of fields, each parent before its fields.
  package var knownPaths: [String] {
    var paths: [String] = []
    for path in fields.map(\.path) {
      for dot in path.indices where path[dot] == "." { paths.append(String(path[..<dot])) }
      paths.append(path)
    }
    var known: Set<String> = []
    return paths.filter { known.insert($0).inserted }
  }
}

extension StateValue {
  /// None if the steps lead nowhere.
  func value(at steps: ArraySlice<StatePath.Step>) -> StateValue {
    guard let step = steps.first else { return self }
    return switch (self, step) {
    case (.list(let values, _), .position(let position)) where position <= values.count:
      values[position - 1].value(at: steps.dropFirst())
    case (_, .name(let name)): self[name]?.value(at: steps.dropFirst()) ?? .none
    default: .none
    }
  }
}

extension AnyField {
  /// A part of the field as a separate field; nil if the field can't have such a part.
  ///
  /// The steps, at least one, lead from the field's value to the part. Reading it is O(1), or O(log records) in a
  /// list.
  func part(at steps: ArraySlice<StatePath.Step>, path: String) -> AnyField? {
    guard type.part(at: steps) != nil else { return nil }
    let read: @Sendable (States) -> StateValue
    switch (content, steps.first) {
    case (.value, _), (.awaiting, _), (.computed, _):
      read = { self.value(in: $0).value(at: steps) }
    case (.list(let list), .position(let position)):
      let rest = steps.dropFirst()
      read = { [index] states in
        let elements = list.elements(states.slots[index])
        return elements.indices.contains(position - 1)
          ? elements[position - 1].value(at: rest) : .none
      }
    case (.list, _):
      return nil
    }
    var part = AnyField(path, type: .any, .computed(read))
    part.sources = sources
    return part
  }
}
