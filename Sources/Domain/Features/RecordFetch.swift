import StateStore
/// How a feature fetches records: which actions say that they are asked for, that they came, and that none came.
///
/// Of overlapping fetches the latest decides what the state shows: what becomes of an earlier one is told its caller
/// only, and no action is sent.
struct RecordFetch<F: Feature, Record> {
  /// The latest request that isn't answered yet.
  let pendingRequest: KeyPath<F.State, Int?>
  /// Records are asked for.
  let requested: (_ request: Int) -> F.Action
  /// The records came.
  let succeeded: (_ request: Int, _ records: [Record]) -> F.Action
  /// No records came, and why.
  let failed: (_ request: Int, _ message: String) -> F.Action

  /// Fetches records, and sends what becomes of it.
  ///
  /// - Parameters:
  ///   - store: The store that hears of it.
  ///   - request: What tells this fetch from others.
  ///   - load: Gets the records.
  /// - Throws: What `load` throws.
  func run(in store: Store, request: Int, load: () async throws -> [Record]) async throws {
    func isPending() -> Bool { store.read(F.self) { $0[keyPath: pendingRequest] } == request }
    try store.send(requested(request), to: F.self)
    do {
      let records = try await load()
      if isPending() { try store.send(succeeded(request, records), to: F.self) }
    } catch {
      if isPending() { try store.send(failed(request, Self.reason(of: error)), to: F.self) }
      throw error
    }
  }

  private static func reason(of error: any Error) -> String {
    switch error {
    case let error as any CodedError: error.message
    case is CancellationError: "The fetch was cancelled."
    default: String(describing: error)
    }
  }
}

extension Feature {
  /// Why no records came, where the process ended that asked for them.
  static var recoveryMessage: String { "The process that asked ended before the answer came." }
}
