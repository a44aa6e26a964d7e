import Testing

@testable import PrimereplDomain
@testable import StateStore

@MainActor @Suite("Asking for the nth prime")
struct NthPrimeTests {
  let store = Store()
  let primes = PausedPrimes()
  let services: ServiceContext<Services>

  init() {
    services = .forTests(primes: primes)
  }

  /// Asks for the nth prime, and comes back when the source has the question.
  private func ask(_ n: Int) async throws -> Task<Int, any Error> {
    try store.send(.set(count: n), to: Counter.self)
    let task = Task { try await store.askNthPrime(in: services) }
    await primes.waitForQuestion(n)
    return task
  }

  @Test("the local source is the default, and is libprimecount")
  func asksLocalSource() async throws {
    try store.send(.set(count: 17), to: Counter.self)
    #expect(try await store.askNthPrime(in: .forTests()) == 59)
    #expect(store.state(of: Counter.self).alert?.title == "The 17th prime is 59")
  }

  @Test("it is loading while it waits, then shows the answer in an alert")
  func showsAnswer() async throws {
    let task = try await ask(17)
    #expect(store.isPending(Counter.askNthPrime))
    #expect(store.state(of: Counter.self).alert == nil)
    await primes.answer(17, with: .success(59))
    #expect(try await task.value == 59)
    #expect(!store.isPending(Counter.askNthPrime))
    #expect(store.state(of: Counter.self).alert?.title == "The 17th prime is 59")
  }

  @Test("the alert goes when it is dismissed")
  func dismissesAlert() async throws {
    let task = try await ask(17)
    await primes.answer(17, with: .success(59))
    _ = try await task.value
    try store.send(.dismissAlert, to: Counter.self)
    #expect(store.state(of: Counter.self).alert == nil)
  }

  @Test("the answer is for the count that was asked about, even if the count has changed since")
  func answersForAskedCount() async throws {
    let task = try await ask(17)
    try store.send(.increment(by: 1), to: Counter.self)
    await primes.answer(17, with: .success(59))
    _ = try await task.value
    #expect(store.state(of: Counter.self).alert?.title == "The 17th prime is 59")
  }

  @Test("a count of 0 or less is out of range, and changes nothing", arguments: [0, -1, Int.min])
  func outOfRange(count: Int) async throws {
    try store.send(.set(count: count), to: Counter.self)
    let before = store.states
    #expect(await code { _ = try await store.askNthPrime(in: services) } == "out_of_range")
    #expect(store.states == before)
  }

  @Test("a count beyond the largest prime is out of range, and isn't loading after that")
  func beyondLargest() async throws {
    try store.send(.set(count: 216_289_611_853_439_385), to: Counter.self)
    #expect(await code { _ = try await store.askNthPrime(in: .forTests()) } == "out_of_range")
    #expect(!store.isPending(Counter.askNthPrime))
  }

  @Test("a failure clears loading, leaves no alert, and raises")
  func failure() async throws {
    let answered = try await ask(17)
    await primes.answer(17, with: .success(59))
    _ = try await answered.value

    let failing = try await ask(18)
    await primes.answer(18, with: .failure(Refusal()))
    await #expect(throws: Refusal()) { try await failing.value }
    #expect(!store.isPending(Counter.askNthPrime))
    #expect(store.state(of: Counter.self).alert == nil)
  }
}
