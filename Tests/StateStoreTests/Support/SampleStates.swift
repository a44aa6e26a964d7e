import SampleFeatures

@testable import StateStore

extension States {
  /// The initial states of the sample features.
  init() { self = Sample.schema.initial }

  subscript<F: Feature>(feature: F.Type) -> F.State {
    get { state(of: feature, at: Self.index(of: feature)) }
    set { update(feature, at: Self.index(of: feature)) { $0 = newValue } }
  }

  private static func index<F: Feature>(of feature: F.Type) -> Int {
    do throws(SchemaError) {
      return try Sample.schema.index(of: feature)
    } catch {
      preconditionFailure(error.message)
    }
  }
}

/// An error of no feature.
struct Refusal: CodedError, Equatable {
  let code = "refused"
  let message = "The observer refused."
}
