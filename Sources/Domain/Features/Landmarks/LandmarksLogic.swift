public import StateStore
import Foundation

/// What people can do with the list of landmarks.
public struct LandmarksLogic {
  private let store: Store
  private let services: Services

  /// Makes the operations on a store's list.
  public init(store: Store, services: Services) {
    self.store = store
    self.services = services
  }

  /// Replaces the landmarks with those of a source.
  ///
  /// Of overlapping loads, the latest decides what the state shows.
  ///
  /// - Parameter source: A path or an address of a JSON array of landmarks; nil for the built-in ones.
  /// - Throws: The source's error, which names the record and the field; the landmarks are then unchanged.
  public func load(from source: String? = nil) async throws {
    let request = Request<Landmarks, [Landmarks.SourceRecord]>(
      pending: \.pendingRequest,
      requested: { .loadRequested(request: $0, source: RecordSource.shown(source)) },
      succeeded: { .loadSucceeded(request: $0, landmarks: $1.map(\.landmark)) },
      failed: { .loadFailed(request: $0, message: $1) })
    try await request.send(services.identifiers.next(.request), to: store) {
      try await services.stubs.answer(
        to: "landmarks.load", with: [.optional(source)], isLocal: RecordSource.isLocal(source)
      ) {
        try await records(source)
      }
    }
  }

  private func records(_ source: String?) async throws -> [Landmarks.SourceRecord] {
    guard let source else {
      return try RecordDecoder(source: "landmarks.json").identifiedRecords(
        of: Landmarks.SourceRecord.self, from: Data(PackageResources.landmarks_json))
    }
    try Threads.check()
    return try await services.sources.identifiedRecords(
      of: Landmarks.SourceRecord.self, from: source)
  }

  /// Makes a landmark a favorite, or removes it from the favorites.
  ///
  /// - Returns: Whether it is a favorite now.
  /// - Throws: `LandmarksError.notFound`.
  @discardableResult
  public func toggleFavorite(_ id: Int) throws -> Bool {
    guard let landmark = store.read(Landmarks.self, { $0.all[id: id] }) else {
      throw LandmarksError.notFound(id: id)
    }
    try store.send(.setFavorite(id: id, isFavorite: !landmark.isFavorite), to: Landmarks.self)
    return !landmark.isFavorite
  }

  /// Clears the selection.
  public func deselect() throws {
    guard store.state(of: Landmarks.self).selected != nil else { return }
    try store.send(.deselect, to: Landmarks.self)
  }
}
