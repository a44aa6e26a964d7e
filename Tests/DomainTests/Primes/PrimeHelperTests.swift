import Domain
import Foundation
import TestSupport
import Testing

@Suite("Prime helper")
struct PrimeHelperTests {
  private let directory: TemporaryFolder

  init() throws {
    directory = try TemporaryFolder()
  }

  private static let long = 1_000_000_000_001

  /// A source whose helper is a shell script of these lines.
  private func primes(_ script: String, arguments: [String] = []) throws -> LocalPrimes {
    LocalPrimes(
      helper: PrimeHelper(executable: try directory.script(script), arguments: arguments))
  }

  @Test("a long computation is done by the helper, which gets its arguments and the question")
  func asksHelper() async throws {
    let primes = try primes(
      """
      case "$*" in
        "prime helper nth 1000000000001") echo 7;;
        "prime helper count 10000000000001") echo 8;;
        *) echo "$*" >&2; exit 1;;
      esac
      """, arguments: ["prime", "helper"])
    #expect(try await primes.nthPrime(Self.long) == 7)
    #expect(try await primes.count(upTo: 10_000_000_000_001) == 8)
  }

  @Test("a short computation is done without the helper")
  func doesShortOnes() async throws {
    let primes = try primes("exit 1")
    #expect(try await primes.nthPrime(1_000_000_000_000) == 29_996_224_275_833)
    #expect(try await primes.count(upTo: 10_000_000_000_000) == 346_065_536_839)
  }

  @Test("without a helper a long computation is done in this process")
  func doesLongOnes() async throws {
    let prime = try await LocalPrimes().nthPrime(Self.long)
    #expect(try PrimeNeighbors.previous(before: prime) == 29_996_224_275_833)
  }

  @Test("an ordinal out of range isn't given to the helper")
  func checksFirst() async throws {
    let primes = try primes("echo 7")
    #expect(await code { _ = try await primes.nthPrime(Int.max) } == "out_of_range")
  }

  @Test("a helper that fails is an error with what it said")
  func helperFails() async throws {
    let primes = try primes("echo 'out of luck' >&2; exit 3")
    let error = await #expect(throws: PrimeError.self) { try await primes.nthPrime(Self.long) }
    #expect(error?.code == "helper_failed")
    #expect(error?.message.contains("out of luck") == true)
    #expect(error?.message.contains("3") == true)
  }

  @Test("a helper that Ctrl-C ends before it cancels the question is no failure of the helper's")
  func helperInterrupted() async throws {
    let primes = try primes("kill -INT $$")
    let question = Task { try await primes.nthPrime(Self.long) }
    try await Task.sleep(for: .milliseconds(300))
    question.cancel()
    await #expect(throws: CancellationError.self) { try await question.value }
  }

  @Test(
    "an answer that isn't one number is an error",
    arguments: ["true", "echo", "echo seven", "echo 7 8", "echo 7.0", "yes 7 | head -c 5000"])
  func helperAnswersOtherwise(script: String) async throws {
    let primes = try primes(script)
    #expect(await code { _ = try await primes.nthPrime(Self.long) } == "helper_failed")
  }

  @Test("a helper that isn't there is an error that names it")
  func helperMissing() async throws {
    let primes = LocalPrimes(helper: PrimeHelper(executable: "/nowhere/helper"))
    let error = await #expect(throws: PrimeError.self) { try await primes.nthPrime(Self.long) }
    #expect(error?.code == "helper_failed")
    #expect(error?.message.contains("/nowhere/helper") == true)
  }

  @Test("cancelling kills the helper, and raises a cancellation", .timeLimit(.minutes(5)))
  func cancels() async throws {
    let file = directory.url.appendingPathComponent("pid")
    let primes = try primes(
      // The file is moved into place when it is whole, so that a reader never sees half of it.
      "echo $$ > \"$1.new\"; mv \"$1.new\" \"$1\"; exec sleep 600", arguments: [file.path])
    let task = Task { try await primes.nthPrime(Self.long) }
    while !FileManager.default.fileExists(atPath: file.path) {
      try await Task.sleep(for: .milliseconds(5))
    }
    let text = try String(contentsOf: file, encoding: .utf8)
    let pid = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(pid, 0) == 0)

    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(kill(pid, 0) == -1 && errno == ESRCH)
  }

  @Test("however early it is cancelled, it raises a cancellation", .timeLimit(.minutes(5)))
  func cancelsEarly() async throws {
    let primes = try primes("exec sleep 600")
    for delay in 0..<12 {
      let task = Task { try await primes.nthPrime(Self.long) }
      try await Task.sleep(for: .microseconds(delay * delay * 50))
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test("answers are whole however many helpers run at once")
  func concurrent() async throws {
    let primes = try primes("echo \"$2\"")
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for offset in 0..<40 {
        group.addTask {
          try await primes.nthPrime(Self.long + offset) == Self.long + offset
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test(
    "the command's side does the computation",
    arguments: [
      (["nth", "17"], "59"), (["count", "100"], "25"), (["count", "-5"], "0"),
    ])
  func runs(arguments: [String], answer: String) async throws {
    #expect(try await PrimeHelper.run(arguments: arguments) == answer)
  }

  @Test(
    "the command's side refuses other arguments",
    arguments: [
      [], ["nth"], ["nth", "x"], ["nth", "1.5"], ["nth", "99999999999999999999"], ["pi", "17"],
      ["nth", "1", "2"],
    ])
  func refuses(arguments: [String]) async {
    #expect(
      await code { _ = try await PrimeHelper.run(arguments: arguments) }
        == "invalid_helper_arguments")
  }

  @Test("the command's side refuses an ordinal out of range")
  func refusesOrdinal() async {
    #expect(
      await code { _ = try await PrimeHelper.run(arguments: ["nth", "0"]) } == "out_of_range")
  }
}
