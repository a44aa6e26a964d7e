@testable import Domain
@testable import StateStore

extension Store {
  /// Makes landmarks those of the store, as if they had been loaded.
  func load(_ landmarks: [Landmark]) throws {
    try send(.landmarks(.loadRequested(request: 1)))
    try send(.landmarks(.loadSucceeded(request: 1, landmarks: landmarks)))
  }
}
