public import StateStore
/// What people can do with the state as a file.
public struct ExportLogic {
  private let store: Store
  private let services: Services

  /// How large a document may be, in bytes: as much as a million records.
  private static let maximumSize = 1 << 30

  /// Makes the operations on a store's state.
  public init(store: Store, services: Services) {
    self.store = store
    self.services = services
  }

  /// Writes the state to a file, as JSON.
  ///
  /// Passwords aren't in it, nor requests that await an answer.
  ///
  /// - Parameter path: The file's path, relative to the working directory, where `~` is the home directory.
  /// - Throws: `ExportError`; then the file is as it was.
  /// - Complexity: O(size of the state).
  public func exportJSON(to path: String) throws {
    try services.exports.write(StateDocument.json(of: store.states, store.schema), to: path)
  }

  /// Makes the state that of a file that was exported as JSON, which is one action and can be undone.
  ///
  /// - Parameter path: The file's path, relative to the working directory, where `~` is the home directory.
  /// - Throws: `SourceError`, which says what is wrong and where; then the state is as it was.
  public func importJSON(from path: String) async throws {
    try Threads.check()
    let states = try await services.sources.states(
      of: store.schema, from: path, maximumSize: Self.maximumSize)
    try store.send(.restore(states, source: RecordSource.shown(path)))
  }
}
