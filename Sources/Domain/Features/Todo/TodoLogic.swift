public import StateStore

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
    // Checked before an id is used, which would then be missing from the sequence.
    try Todo.checkText(text)
    let item = Todo.Item(id: freshID(), text: text)
    try store.send(.add(id: item.id, text: text), to: Todo.self)
    return item
  }

  /// Replaces the items with those of a source.
  ///
  /// Of overlapping fetches, the latest decides what the state shows.
  ///
  /// - Parameter source: A path or an address of a JSON array of texts, or of objects with `text`
  ///   and `done`; nil for the built-in source.
  /// - Throws: The source's error or `CancellationError`; the items are then unchanged, and the state says why.
  public func fetch(from source: String? = nil) async throws {
    let request = Request<Todo, [Todo.SourceRecord]>(
      pending: \.pendingRequest,
      requested: { .fetchRequested(request: $0, source: RecordSource.shown(source)) },
      succeeded: {
        .fetchSucceeded(
          request: $0,
          items: $1.map { Todo.Item(id: freshID(), text: $0.text, done: $0.done) })
      },
      failed: { .fetchFailed(request: $0, message: $1) })
    try await request.send(services.identifiers.next(.request), to: store) {
      try await services.stubs.answer(
        to: "todo.fetch", with: [.optional(source)], isLocal: RecordSource.isLocal(source)
      ) {
        try await load(source)
      }
    }
  }

  private func load(_ source: String?) async throws -> [Todo.SourceRecord] {
    try Threads.check()
    guard let source else {
      try await services.clock.sleep(for: .seconds(2))
      return [Todo.SourceRecord(text: "first item"), Todo.SourceRecord(text: "second item")]
    }
    return try await services.sources.records(of: Todo.SourceRecord.self, from: source)
  }

  private func freshID() -> Int {
    services.identifiers.next(
      .todoItem, after: store.state(of: Todo.self).lastID,
      unless: { store.state(of: Todo.self).items.contains(id: $0) })
  }
}

extension IdentifierKind {
  package static let todoItem = IdentifierKind("todo_item")
}
