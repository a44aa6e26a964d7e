extension Store {
  /// Sends an action of a declared feature.
  ///
  /// - Parameters:
  ///   - index: The action's index in the feature's actions.
  ///   - arguments: The values of its parameters, which are of their types.
  ///   - feature: A feature of the store.
  /// - Returns: The action's result.
  /// - Throws: Why the action is refused; then the state is unchanged.
  package func send(
    action index: Int, _ arguments: [StateValue], to feature: DeclaredFeature
  ) throws -> DeclaredResult {
    let action = DeclaredAction(.action(index), arguments, of: feature)
    return try sendChoosingIdentifiers(
      StoreAction(.feature(action, at: try self.index(of: feature))))
      ?? .value(.none)
  }

  /// Sends the action that assigns a field of a declared feature, or a part of a record.
  func assign(
    _ kind: DeclaredAction.Kind, _ new: StateValue, in feature: DeclaredFeature
  ) throws {
    let action = DeclaredAction(kind, [new], of: feature)
    try send(StoreAction(.feature(action, at: try index(of: feature))))
  }

  func index(of feature: DeclaredFeature) throws(SchemaError) -> Int {
    guard let index = schema.features.firstIndex(where: { $0.backend === feature }) else {
      throw schema.feature(named: feature.name) == nil
        ? .unknownFeature(feature.name) : .reloaded(feature.name)
    }
    return index
  }

  /// Asks a declared request's question, and sends that it was asked, and then the answer or the failure.
  ///
  /// The service counts as local, so that scenarios test its code: what that asks has stubs of its own.
  ///
  /// - Parameters:
  ///   - index: The request's index in the feature's requests.
  ///   - arguments: The values of its parameters, which are of their types.
  ///   - feature: A feature of the store.
  ///   - stubs: Answers in place of the service.
  ///   - service: Asks the service.
  /// - Returns: The answer.
  /// - Throws: Why the question or the answer is refused, or the service's error.
  package func ask(
    request index: Int, _ arguments: [StateValue], of feature: DeclaredFeature,
    stubs: any ServiceStubs, or service: () async throws -> JSONValue
  ) async throws -> JSONValue {
    let request = feature.requestTypes[index].call.name
    let members = feature.requestTypes[index].call.parameters.members(of: arguments)
      .filter { $0.value != .none }
    // Found for each step: the file may be reloaded before the answer comes.
    let answer = try await ask(
      { try self.handler(of: request, in: feature.name) }, DeclaredQuestion(members)
    ) {
      let value: JSONValue = try await stubs.answer(
        to: "\(feature.name).\(request)",
        with: arguments.withoutNothingAtEnd, isLocal: true, or: service)
      return DeclaredAnswer(value.hidingUsedSecrets)
    }
    return answer.value
  }
}

extension Store {
  /// A request of a declared feature, and the index of the feature.
  private func handler(
    of request: String, in feature: String
  ) throws -> (RequestHandler<DeclaredQuestion, DeclaredAnswer>, index: Int) {
    guard let found = schema.feature(named: feature),
      let handler = (found.backend as? DeclaredFeature)?.requestHandlers.first(where: {
        $0.name == request
      })
    else { throw SchemaError.goneRequest("\(feature).\(request)") }
    return (handler, found.index)
  }
}

extension SchemaError {
  /// Code uses a feature of before its file was reloaded.
  static func reloaded(_ feature: String) -> Self {
    Self(
      "reloaded",
      "This belongs to \(feature) as it was before its file was reloaded: get it from \(feature) again."
    )
  }

  /// A request isn't declared any more when its answer arrives.
  static func goneRequest(_ name: String) -> Self {
    Self("gone_request", "The app doesn't have the request \(name) any more: its answer is lost.")
  }
}

extension States {
  /// The box with the state of the declared feature with a name; nil if there is none.
  package func box(ofDeclared name: String) -> AnyFeatureState? {
    slots.first { $0 is DeclaredFeatureState && $0.name == name }
  }
}

extension JSONValue {
  /// The JSON of a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - secret: Gives the text to show for a secret; by default an empty one.
  package init(_ value: StateValue, showing secret: (Secret) -> String = { _ in "" }) {
    self.init(value, secrets: { .text(secret($0)) })
  }

  init(_ value: StateValue, secrets form: (Secret) -> JSONValue) {
    self =
      switch value {
      case .none: .null
      case .boolean(let value): .boolean(value)
      case .integer(let value): .integer(value)
      // As it is read back.
      case .number(let value): Int(exactly: value).map { .integer($0) } ?? .number(value)
      case .text(let value): .text(value)
      case .secret(let value): form(value)
      case .list(let values, _): .list(values.map { JSONValue($0, secrets: form) })
      case .record(let members):
        .object(
          Dictionary(members.map { ($0.name, JSONValue($0.value, secrets: form)) }) { first, _ in
            first
          })
      }
  }
}

extension [StateValue] {
  /// The arguments up to the last that was given.
  fileprivate var withoutNothingAtEnd: [StateValue] {
    let end = lastIndex { $0 != .none } ?? -1
    return Array(prefix(end + 1))
  }
}
