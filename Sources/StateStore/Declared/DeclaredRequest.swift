import PrimereplFoundation

/// The question of a declared request: the values of its parameters by name.
package struct DeclaredQuestion: Codable, Equatable, Sendable {
  /// Sorted by name.
  package let values: [StateValue.Member]

  package init(_ values: [StateValue.Member]) { self.values = values.sorted { $0.name < $1.name } }

  /// Decodes the values without their types, of which only secrets are known; see ``RecordType/arguments(of:)``.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    let secrets = try container.decodeIfPresent([String].self, forKey: .secrets) ?? []
    self.init(
      try container.allKeys.filter { $0.stringValue != AnyKey.secrets.stringValue }.map { key in
        let value: StateValue =
          if secrets.contains(key.stringValue) {
            .secret(try container.decode(Secret.self, forKey: key))
          } else {
            try container.decode(JSONValue.self, forKey: key).stateValue { $0 }
          }
        return StateValue.Member(name: key.stringValue, value: value)
      })
  }

  /// Encodes the values by their names, and the names of those that are secrets.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    var secrets: [String] = []
    for member in values where member.value != .none {
      try container.encode(EncodedStateValue(member.value), forKey: AnyKey(member.name))
      if case .secret = member.value { secrets.append(member.name) }
    }
    if !secrets.isEmpty, encoder.userInfo[.shownSecrets] == nil {
      try container.encode(secrets, forKey: .secrets)
    }
  }
}

extension AnyKey {
  /// The key of the names of the parameters that are secrets, which no parameter can have.
  fileprivate static let secrets = AnyKey("#secrets")
}

extension RecordType {
  /// The values of parameters, in their order; one that isn't of its type any more has the initial value.
  func arguments(of question: DeclaredQuestion) -> [StateValue] {
    var values = initialValues
    for member in question.values {
      guard let index = index(of: member.name) else { continue }
      do throws(ValueTypeError) {
        values[index] = try parts[index].type.checked(member.value, at: member.name)
      } catch {
        // Another version of the declaration asked.
      }
    }
    return values
  }
}

/// The answer of a declared request.
package struct DeclaredAnswer: Codable, Equatable, Sendable {
  package let value: JSONValue
  /// The identifiers of the records that it added.
  let identifiers: [Int]

  init(_ value: JSONValue, _ identifiers: [Int] = []) {
    (self.value, self.identifiers) = (value, identifiers)
  }

  private enum CodingKeys: CodingKey {
    case value, ids
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    value = try container.decodeIfPresent(JSONValue.self, forKey: .value) ?? .null
    identifiers = try container.decodeIfPresent([Int].self, forKey: .ids) ?? []
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value, forKey: .value)
    if !identifiers.isEmpty { try container.encode(identifiers, forKey: .ids) }
  }
}

extension DeclaredFeature {
  var requestHandlers: [RequestHandler<DeclaredQuestion, DeclaredAnswer>] {
    @Sendable func check(_ box: AnyFeatureState) throws {
      guard DeclaredFeatureState.of(box).declaration === self else {
        throw SchemaError.reloaded(name)
      }
    }
    return requestTypes.enumerated().map { index, request in
      RequestHandler(
        feature: name, featureType: nil, name: request.call.name,
        policy: request.policy,
        asked: { [rules] box, question in
          try check(box)
          let parameters = request.call.parameters
          let arguments = parameters.arguments(of: question)
          let box = DeclaredFeatureState.of(box)
          try box.checkReferences(arguments, of: parameters, at: "\(box.name).\(request.call.name)")
          // What asking changes adds no records.
          _ = try box.change(NewIdentifiers(repeating: [])) {
            try rules.change($0, by: .asked(index), arguments)
          }
        },
        done: { [rules] box, answer, new in
          try check(box)
          let new = new ?? NewIdentifiers(repeating: answer.identifiers)
          _ = try DeclaredFeatureState.of(box).change(new) {
            try rules.change($0, by: .done(index), [answer.value.stateValue { $0 }])
          }
        },
        recording: { DeclaredAnswer($0.value, $1) },
        reply: { $0.value },
        call: { question, secret in
          ActionCall(
            request.call.name, request.call.parameters.arguments(of: question), showing: secret)
        })
    }
  }
}

// MARK: - Asking

extension Store {
  /// Asks a declared request's question, and sends that it was asked, and then the answer or the failure.
  ///
  /// The service counts as local, so that scenarios test its code: what that asks has stubs of its own.
  ///
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
  static func goneRequest(_ name: String) -> Self {
    Self("gone_request", "The app doesn't have the request \(name) any more: its answer is lost.")
  }
}

extension [StateValue] {
  var withoutNothingAtEnd: [StateValue] {
    let end = lastIndex { $0 != .none } ?? -1
    return Array(prefix(end + 1))
  }
}
