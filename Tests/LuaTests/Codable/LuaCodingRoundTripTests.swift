import Foundation
import Lua
import Testing
import TestSupport

@Suite struct LuaCodingRoundTripTests {
  let state: LuaState

  init() throws { state = try LuaState() }

  private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
    let encoded = try LuaEncoder().encode(value, in: state)
    return try LuaDecoder().decode(Value.self, from: encoded, in: state)
  }

  @Test("random values come back as they were", arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let value = Everything.random(using: &generator)
    #expect(try roundTrip(value) == value)
  }

  @Test("nesting and superclasses come back") func special() throws {
    let nesting = Nesting(first: 1, second: 2, third: "3")
    #expect(try roundTrip(nesting) == nesting)
    let dog = try roundTrip(Dog(name: "Rex", tricks: ["sit", "roll"]))
    #expect(dog.name == "Rex" && dog.tricks == ["sit", "roll"])
    #expect(try roundTrip([Color.red: 1]) == [.red: 1])
    let tree = Branch(name: "a", branches: [Branch(name: "b", branches: [])])
    #expect(try roundTrip(tree) == tree)
  }

  @Test("coders leave the stack as it was, whether they succeed or fail") func balance() throws {
    var hasRead = false
    try state.setGlobal("code", to: state.function("code") { (_: StackProbe) in hasRead = true })
    _ = try state.evaluate("code({items = {{id = 1}, 'x'}})")
    #expect(hasRead)
  }

  @Test("ten thousand elements come back") func large() throws {
    let items = (0..<10_000).map { Item(id: $0, text: "item \($0)", done: $0 % 3 == 0) }
    #expect(try roundTrip(items) == items)
  }

  @Test("records of several types that share names come back") func sharedNames() throws {
    let lists = (0..<40).map { number in
      Branch(
        name: "list \(number)",
        branches: (0..<number % 4).map { Branch(name: "\($0)", branches: []) })
    }
    let mixed = lists.map { Mixed(name: $0.name, tree: $0, item: nil, text: $0.name) }
    #expect(try roundTrip(mixed) == mixed)
  }

  @Test("thousands of different field names come back") func manyNames() throws {
    let names = AnyFields(
      values: Dictionary(uniqueKeysWithValues: (0..<3000).map { ("n\($0)", $0) }))
    #expect(try roundTrip([names, names]) == [names, names])
  }

  @Test("field names that Swift takes for equal keep their own bytes") func equalNames() throws {
    // A kelvin sign, and the same combining marks in two orders.
    let values = ["K": 1, "a\u{301}\u{323}": 3]
    let others = ["\u{212A}": 2, "a\u{323}\u{301}": 4]
    let records = (0..<40).map { AnyFields(values: $0 % 2 == 0 ? values : others) }
    try state.setGlobal("records", to: LuaEncoder().encode(records, in: state))
    let check = """
      for number, record in ipairs(records) do
        if number % 2 == 1 then
          assert(record['K'] == 1 and record['a\u{301}\u{323}'] == 3)
        else
          assert(record['\u{212A}'] == 2 and record['a\u{323}\u{301}'] == 4)
        end
      end
      return true
      """
    #expect(try state.evaluate(check) == .boolean(true))
  }

  @Test("the deepest values fit the stack of a secondary thread") func smallStack() async throws {
    let result = await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: Result { try Self.isDeepValueKept() }) }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(try result.get())
  }

  private static func isDeepValueKept() throws -> Bool {
    let state = try LuaState()
    var tree = Branch(name: "x", branches: [])
    // Each branch and each list of branches is a level.
    for _ in 0..<62 { tree = Branch(name: "x", branches: [tree]) }
    let encoded = try LuaEncoder().encode(tree, in: state)
    return try LuaDecoder().decode(Branch.self, from: encoded, in: state) == tree
  }

  @Test("memory stays flat over many rounds") func memory() throws {
    let value = (0..<100).map { Item(id: $0, text: "item", done: true) }
    func rounds() throws -> Int {
      for _ in 0..<50 { _ = try roundTrip(value) }
      // Values that Swift has dropped are released at the next use of the state.
      try state.collectGarbage()
      return try state.memoryUsed()
    }
    let before = try rounds()
    #expect(abs(try rounds() - before) < 4096)
  }
}

private struct Mixed: Codable, Equatable {
  var name: String
  var tree: Branch
  var item: Item?
  var text: String
}

/// A record of any fields.
private struct AnyFields: Codable, Equatable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { return nil }
  }

  var values: [String: Int]

  init(values: [String: Int]) { self.values = values }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    values = try Dictionary(
      uniqueKeysWithValues: container.allKeys.map { key in
        (key.stringValue, try container.decode(Int.self, forKey: key))
      })
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (name, value) in values {
      try container.encode(value, forKey: Key(stringValue: name))
    }
  }
}

/// An argument that codes on the calling function's stack, and expects that to be balanced.
private struct StackProbe: LuaReadable {
  static var luaTypeName: String { "table" }

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> StackProbe {
    let count = stack.count
    #expect(throws: LuaError.self) {
      try LuaDecoder().decode(List.self, from: stack, at: index)
    }
    #expect(stack.count == count)
    #expect(throws: LuaError.self) { try LuaDecoder().decode(Int.self, from: stack, at: count + 3) }
    #expect(stack.count == count)
    #expect(throws: LuaError.self) { try LuaEncoder().push([[1, UInt64.max]], to: stack) }
    #expect(stack.count == count)
    #expect(throws: Never.self) { try LuaEncoder().push(["a": [Shape.pair(1, 2)]], to: stack) }
    #expect(stack.count == count + 1 && stack.type(at: -1) == .table)
    #expect(throws: Never.self) {
      let shapes = try LuaDecoder().decode([String: [Shape]].self, from: stack, at: -1)
      #expect(shapes == ["a": [.pair(1, 2)]])
    }
    #expect(stack.count == count + 1)
    stack.pop(1)
    return StackProbe()
  }
}

extension Everything {
  fileprivate static func random(using generator: inout SeededGenerator) -> Everything {
    Everything(
      flag: .random(using: &generator), integer: .random(in: .min ... .max, using: &generator),
      small: .random(in: .min ... .max, using: &generator),
      unsigned: .random(in: .min ... .max, using: &generator),
      number: .random(in: -1e300...1e300, using: &generator),
      float: .random(in: -1e30...1e30, using: &generator), text: text(using: &generator),
      bytes: bytes(using: &generator), data: Data(bytes(using: &generator)),
      color: .random(using: &generator) ? .red : .green,
      shapes: list(using: &generator) { generator in
        [.point, .circle(radius: .random(in: 0...1, using: &generator)), .pair(1, 2)]
          .randomElement(using: &generator) ?? .point
      },
      numbers: list(using: &generator) {
        Bool.random(using: &$0) ? nil : .random(in: .min ... .max, using: &$0)
      },
      names: dictionary(using: &generator, text) {
        list(using: &$0) { .random(in: -1...1, using: &$0) }
      },
      byNumber: dictionary(
        using: &generator, { .random(in: .min ... .max, using: &$0) }, text),
      bySmallNumber: dictionary(
        using: &generator, { .random(in: .min ... .max, using: &$0) },
        { .random(using: &$0) }),
      tuples: list(using: &generator) { list(using: &$0) { .random(in: 0...9, using: &$0) } },
      item: .random(using: &generator)
        ? nil : Item(id: 1, text: text(using: &generator), done: false, note: nil))
  }

  private static func list<Element>(
    using generator: inout SeededGenerator, _ make: (inout SeededGenerator) -> Element
  ) -> [Element] {
    (0..<Int.random(in: 0...6, using: &generator)).map { _ in make(&generator) }
  }

  private static func dictionary<Key: Hashable, Element>(
    using generator: inout SeededGenerator, _ key: (inout SeededGenerator) -> Key,
    _ element: (inout SeededGenerator) -> Element
  ) -> [Key: Element] {
    let entries = list(using: &generator) { (key(&$0), element(&$0)) }
    return Dictionary(entries, uniquingKeysWith: { first, _ in first })
  }

  private static func text(using generator: inout SeededGenerator) -> String {
    let letters = Array("aé🎉\0 7_漢")
    return String(list(using: &generator) { letters.randomElement(using: &$0) ?? "x" })
  }

  private static func bytes(using generator: inout SeededGenerator) -> [UInt8] {
    list(using: &generator) { .random(in: .min ... .max, using: &$0) }
  }
}
