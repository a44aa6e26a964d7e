import Foundation
import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateStore

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
        "prime helper nth 1000000000001 0") echo 7;;
        "prime helper count 10000000000001 0") echo 8;;
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

  @Test("a helper that fails is an error with the helper's message")
  func helperFails() async throws {
    let primes = try primes("echo 'out of luck' >&2; exit 3")
    let error = await #expect(throws: PrimeError.self) { try await primes.nthPrime(Self.long) }
    #expect(error?.code == "helper_failed")
    #expect(error?.message.contains("out of luck") == true)
    #expect(error?.message.contains("3") == true)
  }

  @Test("a helper has a process group of its own, which Ctrl-C at a terminal doesn't reach")
  func helperGroup() async throws {
    let primes = try primes("[ \"$(ps -o pgid= -p $$ | tr -d ' ')\" = $$ ] && echo 7")
    #expect(try await primes.nthPrime(Self.long) == 7)
  }

  @Test(
    "an answer that isn't one number is an error",
    arguments: ["true", "echo", "echo seven", "echo 7 8", "echo 7.0", "yes 7 | head -c 5000"])
  func helperAnswersOtherwise(script: String) async throws {
    let primes = try primes(script)
    #expect(await code { _ = try await primes.nthPrime(Self.long) } == "helper_failed")
  }

  @Test("a missing helper is an error that names it")
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
      for _ in 0..<delay * delay * 50 { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test("one helper computes at a time, and each question gets its answer", .timeLimit(.minutes(5)))
  func takesTurns() async throws {
    let running = directory.url.appendingPathComponent("running")
    let log = directory.url.appendingPathComponent("log")
    try FileManager.default.createDirectory(at: running, withIntermediateDirectories: false)
    let primes = try primes(
      """
      touch "$1/$$"; ls "$1" | wc -l >> "$2"; sleep 0.01; rm "$1/$$"; echo "$4"
      """, arguments: [running.path, log.path])
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for n in Self.long..<Self.long + 10 {
        group.addTask { try await primes.nthPrime(n) == n }
      }
      for try await isRight in group { #expect(isRight) }
    }
    let counts = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
      .compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    #expect(counts == Array(repeating: 1, count: 10))
  }

  @Test("a helper gets a memory limit, and exceeding it is a separate error")
  func memoryLimit() async throws {
    let script = """
      [ "$*" = "nth 1000000000001 1048576" ] || exit 2
      echo "primecount_nth_prime: std::bad_alloc" >&2; exit 1
      """
    let primes = LocalPrimes(
      helper: PrimeHelper(executable: try directory.script(script), memoryLimit: 1 << 20))
    #expect(await code { _ = try await primes.nthPrime(Self.long) } == "out_of_memory")
  }

  @Test(
    "the command's side reads the computation and its limits",
    arguments: [
      (["nth", "17", "0"], PrimeHelperTask(computation: .nth(17), memoryLimit: nil)),
      (
        ["count", "-5", "1000"],
        PrimeHelperTask(computation: .count(upTo: -5), memoryLimit: 1000)
      ),
    ])
  func reads(arguments: [String], task: PrimeHelperTask) throws {
    #expect(try PrimeHelperTask(arguments: arguments) == task)
    #expect(task.arguments == arguments)
  }

  @Test(
    "the command's side refuses other arguments",
    arguments: [
      "", "nth", "nth 17", "nth x 0", "nth 1.5 0", "nth 99999999999999999999 0", "pi 17 0",
      "nth 17 x", "nth 17 -1", "nth 17 5 6",
    ])
  func refuses(arguments: String) {
    let error = #expect(throws: PrimeError.self) {
      try PrimeHelperTask(arguments: arguments.split(separator: " ").map(String.init))
    }
    #expect(error?.code == "invalid_helper_arguments")
  }

  @Test("the command's side refuses an ordinal out of range")
  func refusesOrdinal() {
    let error = #expect(throws: PrimeError.self) {
      try PrimeHelperTask(arguments: ["nth", "0", "0"])
    }
    #expect(error?.code == "out_of_range")
  }
}
