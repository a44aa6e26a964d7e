import Foundation

/// The question of a declared request: the values of its parameters by name.
package struct DeclaredQuestion: Codable, Equatable, Sendable {
  /// The values of the parameters.
  package let values: [StateValue.Member]

  /// Makes a question.
  package init(_ values: [StateValue.Member]) { self.values = values }

  /// Decodes the values without their types; see ``DeclaredRecordType/arguments(of:)``.
  package init(from decoder: any Decoder) throws {
    guard case .record(let members) = try JSONValue(from: decoder).stateValue(naming: { $0 }) else {
      values = []
      return
    }
    values = members
  }

  /// Encodes the values by their names.
  package func encode(to encoder: any Encoder) throws {
    try EncodedStateValue(.record(values)).encode(to: encoder)
  }
}

extension DeclaredRecordType {
  /// The values of parameters, in their order; a secret that was stored is forgotten.
  func arguments(of question: DeclaredQuestion) -> [StateValue] {
    var values = initialValues
    for member in question.values {
      guard let index = index(of: member.name) else { continue }
      values[index] = parts[index].type.isSecret ? member.value.asSecret : member.value
    }
    return values
  }
}

extension DeclaredType {
  fileprivate var isSecret: Bool {
    switch self {
    case .secret: true
    case .optional(let wrapped): wrapped.isSecret
    default: false
    }
  }
}

extension StateValue {
  /// A secret as it is, or one of which a journal has stored the identity.
  fileprivate var asSecret: StateValue {
    switch self {
    case .secret, .none: self
    case .integer(let identity): .secret(.forgotten(identity))
    default: .secret(.empty)
    }
  }
}

/// The answer of a declared request.
package struct DeclaredAnswer: Codable, Equatable, Sendable {
  /// The answer itself.
  package let value: JSONValue
  let tape: IdentifierTape

  init(_ value: JSONValue, _ tape: IdentifierTape) { (self.value, self.tape) = (value, tape) }

  private enum CodingKeys: CodingKey {
    case value, ids
  }

  /// Decodes the answer, with the identifiers of the records that it added.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    value = try container.decodeIfPresent(JSONValue.self, forKey: .value) ?? .null
    tape = IdentifierTape(try container.decodeIfPresent([Int].self, forKey: .ids) ?? [])
  }

  /// Encodes the answer, with the identifiers of the records that it added.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value, forKey: .value)
    if !tape.identifiers.isEmpty { try container.encode(tape.identifiers, forKey: .ids) }
  }

  /// Whether both have the same value.
  package static func == (left: DeclaredAnswer, right: DeclaredAnswer) -> Bool {
    left.value == right.value && left.tape.identifiers == right.tape.identifiers
  }
}

extension DeclaredFeature {
  /// What the requests do to the state, in their order.
  var requestHandlers: [RequestHandler<DeclaredQuestion, DeclaredAnswer>] {
    @Sendable func check(_ box: AnyFeatureState) throws {
      guard DeclaredFeatureState.of(box).feature === self else { throw SchemaError.reloaded(name) }
    }
    return requests.enumerated().map { index, request in
      RequestHandler(
        feature: name, featureType: nil, name: request.call.name,
        isExclusive: request.isExclusive,
        asked: { [rules] box, question in
          try check(box)
          let arguments = request.call.parameters.arguments(of: question)
          // What asking changes adds no records.
          _ = try DeclaredFeatureState.of(box).change(IdentifierTape([])) {
            try rules.change($0, by: .asked(index), arguments)
          }
        },
        done: { [rules] box, answer in
          try check(box)
          _ = try DeclaredFeatureState.of(box).change(answer.tape) {
            try rules.change($0, by: .done(index), [answer.value.stateValue { $0 }])
          }
        },
        reply: { $0.value })
    }
  }
}
