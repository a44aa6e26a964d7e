import Testing
import TestSupport

@testable import StateStore

@Suite("Sorted tree")
struct SortedTreeTests {
  /// The expected content of a tree.
  private typealias Model = [Int: String]

  private func expectSame(_ tree: SortedTree<Int, String>, _ model: Model) {
    let keys = model.keys.sorted()
    #expect(tree.count == keys.count)
    #expect(keys.indices.map { tree[position: $0].key } == keys)
    #expect(keys.allSatisfy { tree[$0] == model[$0] })
    #expect(keys.enumerated().allSatisfy { tree.position(of: $1) == $0 })
  }

  @Test("holds the values that were set and not removed, in any order", arguments: 0..<8)
  func randomChanges(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var tree = SortedTree<Int, String>()
    var model = Model()
    for step in 0..<4000 {
      let key = Int.random(in: 0..<1500, using: &random)
      // In the second half more is removed than set, so that nodes become empty.
      if Int.random(in: 0..<10, using: &random) < (step < 2000 ? 7 : 2) {
        tree.set("\(step)", for: key)
        model[key] = "\(step)"
      } else {
        #expect(tree.remove(key) == model.removeValue(forKey: key))
      }
    }
    expectSame(tree, model)
    for key in model.keys.sorted() { tree.remove(key) }
    expectSame(tree, [:])
  }

  @Test("keeps copies unaffected by each other")
  func copies() {
    var random = SeededGenerator(seed: 1)
    var tree = SortedTree<Int, String>()
    var model = Model()
    var copies: [(tree: SortedTree<Int, String>, model: Model)] = []
    for step in 0..<3000 {
      if step % 100 == 0 { copies.append((tree, model)) }
      let key = Int.random(in: 0..<1000, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        tree.set("\(step)", for: key)
        model[key] = "\(step)"
      case 1:
        tree.update(key) { $0 += "!" }
        model[key]? += "!"
      default:
        tree.remove(key)
        model[key] = nil
      }
    }
    for copy in copies { expectSame(copy.tree, copy.model) }
  }

  @Test("can be made of any number of sorted entries", arguments: [0, 1, 32, 33, 5000])
  func bulk(count: Int) {
    let entries = (0..<count).map { SortedTree.Entry(key: $0 * 3, value: "\($0)") }
    var tree = SortedTree(sorted: entries)
    var model = Model(uniqueKeysWithValues: entries.map { ($0.key, $0.value) })
    expectSame(tree, model)
    for key in [-1, 1, count * 3, count] {
      tree.set("new", for: key)
      model[key] = "new"
    }
    expectSame(tree, model)
  }

  @Test("has no value, position or change for missing keys")
  func missing() {
    var tree = SortedTree(sorted: (0..<100).map { SortedTree.Entry(key: $0 * 2, value: $0) })
    let before = tree
    for key in [-1, 1, 99, 199, 200, .min, .max] {
      #expect(tree[key] == nil)
      #expect(!tree.contains(key))
      #expect(tree.position(of: key) == nil)
      #expect(tree.remove(key) == nil)
      #expect(tree.update(key) { $0 = -1 } == nil)
    }
    #expect(tree == before)
  }

  @Test("that are filled in ascending order have full leaves")
  func ascending() {
    var tree = SortedTree<Int, Int>()
    for key in 0..<1024 { tree.set(key, for: key) }
    for start in stride(from: 0, to: 1024, by: 32) {
      #expect(tree.leaf(at: start).entries.map(\.key) == Array(start..<start + 32))
    }
  }
}
