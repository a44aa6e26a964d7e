import Testing

@MainActor
@Suite("prime")
struct PrimeModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test(
    "answers questions about primes",
    arguments: [
      ("prime.is(299210837)", "true"), ("prime.is(math.mininteger)", "false"),
      ("prime.is(3825123056546413051)", "false"), ("prime.is(9223372036854775783)", "true"),
      ("prime.next(7)", "11"), ("prime.next(math.mininteger)", "2"),
      ("prime.previous(7)", "5"), ("prime.previous(math.maxinteger)", "9223372036854775783"),
      ("table.concat(prime.factor(360), ' ')", "2 2 2 3 3 5"), ("#prime.factor(1)", "0"),
      ("prime.nth(1)", "2"), ("prime.nth(10 ^ 6 // 1 | 0)", "15485863"),
      ("prime.count(100)", "25"), ("prime.count(math.mininteger)", "0"),
    ])
  func answers(question: String, answer: String) async throws {
    #expect(try await app.text("return \(question)") == answer)
  }

  @Test(
    "refuses questions without an answer",
    arguments: [
      "prime.nth(0)", "prime.nth(math.mininteger)", "prime.nth(math.maxinteger)",
      "prime.next(9223372036854775783)", "prime.next(math.maxinteger)", "prime.previous(2)",
      "prime.previous(math.mininteger)", "prime.factor(0)", "prime.factor(math.mininteger)",
    ])
  func outOfRange(question: String) async {
    #expect(await app.failure(question)?.code == "out_of_range")
  }

  @Test("names the function where it can't wait")
  func cannotWait() async {
    let error = await app.failure(
      "table.sort({ 3, 1, 2 }, function(a, b) return prime.nth(a) < prime.nth(b) end)")
    #expect(error?.code == "cannot_wait")
    #expect(error?.message.contains("prime.nth waits, and 'table.sort'") == true)
  }
}
