/// Something to wait for that opens when a test says so, and that cancelling gets past.
@MainActor
final class Gate {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func open() { continuation.finish() }

  func pass() async throws {
    for await _ in stream {}
    try Task.checkCancellation()
  }
}
