import PrimereplPlatform
import Testing

@Suite("A pipe that wakes a thread")
struct WakePipeTests {
  @Test("passes the reasons in order, and is then empty")
  func order() throws {
    let pipe = try WakePipe()
    #expect(pipe.take() == nil)
    for reason: UInt8 in [2, WakePipe.look, 15] { pipe.wake(reason) }
    #expect((0..<4).map { _ in pipe.take() } == [2, WakePipe.look, 15, nil])
  }

  @Test("never blocks the writer, even when it is full")
  func full() throws {
    let pipe = try WakePipe()
    for _ in 0..<100_000 { pipe.wake(1) }
    #expect(pipe.take() == 1)
    pipe.drain()
    #expect(pipe.take() == nil)
  }
}
