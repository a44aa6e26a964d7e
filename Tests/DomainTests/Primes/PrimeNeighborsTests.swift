import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("Prime neighbors")
struct PrimeNeighborsTests {
  @Test(
    "the next prime is above the number",
    arguments: [
      (Int.min, 2), (-1, 2), (0, 2), (1, 2), (2, 3), (3, 5), (4, 5), (7, 11), (8, 11),
      (2_147_483_648, 2_147_483_659), (1_000_000_000_000_000_000, 1_000_000_000_000_000_003),
      (4_611_686_018_427_387_904, 4_611_686_018_427_388_039),
      (9_223_372_036_854_775_782, 9_223_372_036_854_775_783),
    ])
  func next(number: Int, prime: Int) throws {
    #expect(try PrimeNeighbors.next(after: number) == prime)
  }

  @Test(
    "the previous prime is below the number",
    arguments: [
      (3, 2), (4, 3), (5, 3), (6, 5), (11, 7), (12, 11),
      (2_147_483_648, 2_147_483_647), (1_000_000_000_000_000_000, 999_999_999_999_999_989),
      (4_611_686_018_427_387_904, 4_611_686_018_427_387_847),
      (Int.max, 9_223_372_036_854_775_783),
    ])
  func previous(number: Int, prime: Int) throws {
    #expect(try PrimeNeighbors.previous(before: number) == prime)
  }

  @Test(
    "above the largest prime of 64 bits there is none",
    arguments: [9_223_372_036_854_775_783, Int.max])
  func noneAbove(number: Int) {
    #expect(code { _ = try PrimeNeighbors.next(after: number) } == "out_of_range")
  }

  @Test("below 2 there is none", arguments: [2, 1, 0, Int.min])
  func noneBelow(number: Int) {
    #expect(code { _ = try PrimeNeighbors.previous(before: number) } == "out_of_range")
  }
}
