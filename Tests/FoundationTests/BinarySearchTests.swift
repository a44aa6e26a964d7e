import PrimereplFoundation
import Testing

@Suite("A binary search")
struct BinarySearchTests {
  @Test("finds the first element of the second part, or the end", arguments: 0...9)
  func parts(count: Int) {
    let numbers = Array(0..<count)
    for first in 0...count {
      #expect(numbers.partitioningIndex { $0 >= first } == first)
      #expect(numbers[first...].partitioningIndex { _ in true } == first)
    }
  }
}
