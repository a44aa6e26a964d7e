import PrimereplFoundation

/// An action of a declared feature: its name and the values of its parameters.
final class DeclaredAction: FeatureActionBox {
  private let declaration: DeclaredFeature
  private let kind: Kind
  private let arguments: [StateValue]
  /// The identifiers of the records that it added.
  private let identifiers: [Int]

  enum Kind: Equatable, Sendable {
    /// By its index in the feature's actions.
    case action(Int)
    /// The assignment of a field, by its index in the feature's fields.
    case setField(Int)
    /// The assignment of a part of a record: the indexes of the list's field and of the part, and the record's id.
    case setPart(field: Int, part: Int, id: Int)
  }

  init(
    _ kind: Kind, _ arguments: [StateValue], of feature: DeclaredFeature, _ identifiers: [Int] = []
  ) {
    (self.kind, self.arguments, declaration) = (kind, arguments, feature)
    self.identifiers = identifiers
  }

  var name: String { declaration.name }
  var feature: (any Feature.Type)? { nil }

  func isEqual(to other: any FeatureActionBox) -> Bool {
    if self === other { return true }
    guard let other = other as? DeclaredAction else { return false }
    return name == other.name && kind == other.kind && arguments == other.arguments
      && identifiers == other.identifiers
  }

  func recording(_ identifiers: [Int]) -> any FeatureActionBox {
    identifiers.isEmpty ? self : DeclaredAction(kind, arguments, of: declaration, identifiers)
  }

  func reduce(_ box: AnyFeatureState, _ new: NewIdentifiers?) throws {
    let box = DeclaredFeatureState.of(box)
    guard box.declaration === declaration else { throw SchemaError.reloaded(name) }
    switch kind {
    case .action(let index):
      let call = declaration.actions[index]
      try box.checkReferences(arguments, of: call.parameters, at: "\(name).\(call.name)")
      let new = new ?? NewIdentifiers(repeating: identifiers)
      new.result = try box.change(new) {
        try declaration.rules.change($0, by: .action(index), arguments)
      }
    case .setField(let index):
      let field = declaration.fields[index]
      if case .value(let type, let place) = field.kind {
        try box.checkReference(arguments[0], of: type, at: "\(name).\(field.name)")
        box.state.values[place] = arguments[0]
      }
    case .setPart(let field, let part, let id):
      if let list = declaration.fields[field].list,
        try !box.assign(arguments[0], to: part, ofRecord: id, in: list)
      {
        throw RecordListError.notFound(id)
      }
    }
  }

  func encode(to encoder: any Encoder) throws { try EncodedStateValue(value).encode(to: encoder) }

  func savedJSON() -> String { value.savedJSON }

  /// The values of the parameters by their names, under the name of the action.
  private var value: StateValue {
    let call = declaration.call(of: kind)
    let arguments: [StateValue] =
      if case .setPart(_, _, let id) = kind { [.integer(id)] + arguments } else { arguments }
    var members = call.parameters.members(of: arguments).filter { $0.value != .none }
    if !identifiers.isEmpty {
      members.append(
        .init(
          name: AnyKey.newIdentifiers.stringValue, value: .list(identifiers.map { .integer($0) })))
    }
    return .record([.init(name: call.name, value: .record(members))])
  }
}

extension DeclaredAction {
  func call(showing secret: (Secret) -> String) -> ActionCall? {
    let value = JSONValue(arguments.first ?? .none, showing: secret)
    switch kind {
    case .action(let index):
      let call = declaration.actions[index]
      return ActionCall(call.name, arguments, showing: secret)
    case .setField(let index):
      let field = declaration.fields[index]
      return ActionCall(
        DeclaredFeature.setter(of: field.name), .field("\(name).\(field.name)", value))
    case .setPart(let field, let index, let id):
      guard let list = declaration.fields[field].list else { return nil }
      let part = list.record.parts[index]
      return ActionCall(
        DeclaredFeature.setter(of: part.name, inRecordsOf: list.name),
        .part(part.name, ofRecord: id, in: "\(name).\(list.name)", value))
    }
  }
}

extension AnyKey {
  /// The key of the identifiers of the records that an action adds, which no parameter can have.
  static let newIdentifiers = AnyKey("#ids")
}

extension DeclaredFeatureState {
  func change<Result>(
    _ identifiers: NewIdentifiers, _ body: (DeclaredDraft) throws -> Result
  ) throws -> Result {
    let draft = DeclaredDraft(self, identifiers)
    defer { draft.end() }
    return try body(draft)
  }
}

// MARK: - Sending

extension Store {
  /// Sends an action by its index in the feature's actions; the arguments are of the types of its parameters.
  ///
  /// If it throws, the state is unchanged.
  package func send(
    action index: Int, _ arguments: [StateValue], to feature: DeclaredFeature
  ) throws -> DeclaredResult {
    let action = DeclaredAction(.action(index), arguments, of: feature)
    return try sendChoosingIdentifiers(
      StoreAction(.feature(action, at: try self.index(of: feature))))
      ?? .value(.none)
  }
}

extension SchemaError {
  static func reloaded(_ feature: String) -> Self {
    Self(
      "reloaded",
      "This belongs to \(feature) as it was before its file was reloaded: get it from \(feature) again."
    )
  }
}

// MARK: - Calls

extension DeclaredFeature {
  fileprivate func call(of kind: DeclaredAction.Kind) -> Call {
    switch kind {
    case .action(let index): return actions[index]
    case .setField(let index):
      let field = fields[index]
      guard case .value(let type, _) = field.kind else {
        preconditionFailure("Only values are assigned.")
      }
      return Call(Self.setter(of: field.name), parameters: [.init(field.name, type)])
    case .setPart(let field, let index, _):
      guard let list = fields[field].list else {
        preconditionFailure("Only lists have records.")
      }
      let part = list.record.parts[index]
      return Call(
        Self.setter(of: part.name, inRecordsOf: list.name),
        parameters: [.init("id", .integer), .init(part.name, part.type)])
    }
  }
}

// MARK: - Decoding

extension DeclaredFeature {
  /// Throws ``DocumentError`` for an action that the declaration doesn't have, or that has other parameters.
  func decodeAction(from decoder: any Decoder) throws -> any FeatureActionBox {
    let container = try decoder.container(keyedBy: AnyKey.self)
    guard let name = container.allKeys.first else {
      throw DocumentError(decoder.codingPath, "it names no action")
    }
    let content = try container.nestedContainer(keyedBy: AnyKey.self, forKey: name)
    let identifiers = try content.decodeIfPresent([Int].self, forKey: .newIdentifiers) ?? []
    let index = actions.firstIndex { $0.name == name.stringValue }
    guard var kind = index.map(DeclaredAction.Kind.action) ?? setters[name.stringValue] else {
      throw DocumentError(decoder.codingPath, "it is an action that the app doesn't have")
    }
    var arguments = try call(of: kind).parameters.allValues(in: content)
    if case .setPart(let field, let part, _) = kind, case .integer(let id)? = arguments.first {
      kind = .setPart(field: field, part: part, id: id)
      arguments.removeFirst()
    }
    return DeclaredAction(kind, arguments, of: self, identifiers)
  }
}

extension RecordType {
  /// Decodes the values of parameters; throws if one has been renamed since.
  fileprivate func allValues(
    in container: KeyedDecodingContainer<AnyKey>
  ) throws -> [StateValue] {
    let known = parts.map(\.name)
    if let other = container.allKeys.first(where: {
      !known.contains($0.stringValue) && $0.stringValue != AnyKey.newIdentifiers.stringValue
    }) {
      throw DocumentError(unknown: other.stringValue, insteadOf: known, at: container.codingPath)
    }
    return try values(in: container)
  }
}
