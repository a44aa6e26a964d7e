import SampleFeatures

@testable import StateStore

extension States {
  /// The initial states of the sample features.
  init() { self = Sample.schema.initial }

  subscript<F: Feature>(feature: F.Type) -> F.State {
    get { state(of: feature, at: Self.index(of: feature)) }
    set { update(feature, at: Self.index(of: feature)) { $0 = newValue } }
  }

  /// Ends all requests; the errors of other features' requests, which documents don't have, are dropped.
  mutating func endRequests(keepingErrorsOf features: Set<String>) {
    for index in slots.indices {
      makeUnique(index)
      let slot = slots[index]
      let keepsErrors = features.contains(slot.name)
      slot.requests = slot.requests.compactMapValues { request in
        guard keepsErrors, let error = request.error else { return nil }
        return RequestState(error: error)
      }
    }
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
