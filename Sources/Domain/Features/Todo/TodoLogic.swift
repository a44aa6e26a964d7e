/// What people can do with the list of things to do.
public struct TodoLogic {
  private let store: Store
  private let services: Services

  /// Makes the operations on a store's list.
  public init(store: Store, services: Services) {
    self.store = store
    self.services = services
  }

  /// Adds an item before the others.
  ///
  /// - Returns: The item.
  /// - Throws: `TodoError.emptyText`.
  @discardableResult
  public func add(_ text: String) throws -> Todo.Item {
    // Before an id is taken, which would then be missing from the sequence.
    try Todo.checkText(text)
    let item = Todo.Item(id: freshID(), text: text)
    try store.send(.todo(.add(id: item.id, text: text)))
    return item
  }

  /// Says that an item is done.
  ///
  /// - Throws: `TodoError.notFound`.
  public func complete(_ id: Int) throws {
    try store.send(.todo(.complete(id: id)))
  }

  /// Says that an item isn't done after all.
  ///
  /// - Throws: `TodoError.notFound`.
  public func reopen(_ id: Int) throws {
    try store.send(.todo(.reopen(id: id)))
  }

  /// Gives an item another text.
  ///
  /// - Throws: `TodoError.emptyText` or `TodoError.notFound`.
  public func rename(_ id: Int, to text: String) throws {
    try store.send(.todo(.rename(id: id, text: text)))
  }

  /// Removes an item.
  ///
  /// - Throws: `TodoError.notFound`.
  public func remove(_ id: Int) throws {
    try store.send(.todo(.remove(id: id)))
  }

  /// Makes the query another.
  public func setQuery(_ query: String) throws {
    try store.send(.todo(.set(query: query)))
  }

  /// Makes the query the remembered one.
  ///
  /// - Throws: `TodoError.nothingSaved`.
  public func recoverLastQuery() throws {
    try store.send(.todo(.recoverLastQuery))
  }

  /// Replaces the items by those of a source.
  ///
  /// Of overlapping fetches the latest decides what the state shows.
  ///
  /// - Parameter source: A path or an address of a JSON array of texts, or of objects with `text`
  ///   and `done`; nil for the built-in source.
  /// - Throws: The source's error or `CancellationError`; then the items are as they were, and the
  ///   state says why.
  public func fetch(from source: String? = nil) async throws {
    let request = services.identifiers.next(.request)
    try store.send(.todo(.fetchRequested(request: request)))
    do {
      let items = try await load(source).map { record in
        Todo.Item(id: freshID(), text: record.text, done: record.done)
      }
      try answer(.fetchSucceeded(request: request, items: items), to: request)
    } catch {
      try answer(.fetchFailed(request: request, message: Self.reason(of: error)), to: request)
      throw error
    }
  }

  /// Sends the answer to a request, unless nobody waits for it any more: then it would be an action without effect, which
  /// takes away what could be redone.
  private func answer(_ action: Todo.Action, to request: Int) throws {
    guard store.state.todo.pendingRequest == request else { return }
    try store.send(.todo(action))
  }

  private func load(_ source: String?) async throws -> [Todo.SourceRecord] {
    guard let source else {
      try await services.clock.sleep(for: .seconds(2))
      return [Todo.SourceRecord(text: "first item"), Todo.SourceRecord(text: "second item")]
    }
    return try await services.sources.records(of: Todo.SourceRecord.self, from: source)
  }

  private static func reason(of error: any Error) -> String {
    switch error {
    case let error as any DomainError: error.message
    case is CancellationError: "The fetch was cancelled."
    default: String(describing: error)
    }
  }

  /// An id that no item has: a store that was restored has items whose ids this source never gave.
  private func freshID() -> Int {
    var id = services.identifiers.next(.todoItem)
    while store.state.todo.items.contains(id: id) {
      id = services.identifiers.next(.todoItem)
    }
    return id
  }
}
