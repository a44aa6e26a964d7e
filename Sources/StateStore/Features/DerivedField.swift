/// A field that depends on several features: for example, one that opens a card, and one with its contents.
public struct DerivedField: Sendable {
  let path: String
  private let help: String
  private let valueType: any FieldValue.Type
  private let makeField:
    @Sendable (FeatureLookup) throws(SchemaError) -> (FeatureSet, @Sendable (States) -> StateValue)
  /// Reads it from a document; nil for a field that isn't read.
  private(set) var restore: (@Sendable (FeatureLookup, inout States, any Decoder) throws -> Void)?

  /// Makes a field.
  ///
  /// - Parameters:
  ///   - path: The field's path: the name of a feature, a dot, and the field's name.
  ///   - features: The features on which it depends.
  ///   - help: A description in one line.
  ///   - read: Computes its value from their states.
  public init<each F: Feature, Value: FieldValue>(
    _ path: String, of features: repeat (each F).Type, help: String = "",
    reading read: @escaping @Sendable (repeat (each F).State) -> Value
  ) {
    (self.path, self.help, valueType) = (path, help, Value.self)
    makeField = { lookup throws(SchemaError) in
      var sources = FeatureSet.none
      for feature in repeat (each F).self {
        guard let index = lookup.index(of: feature) else {
          throw SchemaError.unknownFeature(feature.name)
        }
        sources.formUnion(FeatureSet(index))
      }
      return (
        sources,
        { states in
          // The loop above has found every feature.
          read(
            repeat states.state(of: (each F).self, at: lookup.index(of: (each F).self) ?? 0)
          ).stateValue
        }
      )
    }
  }

  /// The same field, from whose value in a document a part of a feature's state is restored.
  ///
  /// The closure isn't called if the document's value is missing or null.
  public func restoring<F: Feature>(
    _ feature: F.Type, _ restore: @escaping @Sendable (inout F.State, any Decoder) throws -> Void
  ) -> Self {
    var field = self
    field.restore = { lookup, states, decoder in
      guard let index = lookup.index(of: feature) else {
        throw SchemaError.unknownFeature(F.name)
      }
      try states.update(feature, at: index) { try restore(&$0, decoder) }
    }
    return field
  }

  func field(in lookup: FeatureLookup) throws(SchemaError) -> AnyField {
    let (sources, read) = try makeField(lookup)
    var field = AnyField(
      path, help: help, type: valueType.valueType, swiftType: valueType, .computed(read))
    field.sources = sources
    return field
  }
}
