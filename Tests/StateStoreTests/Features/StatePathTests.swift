import Testing

@testable import StateStore

@Suite("Paths into the state")
struct StatePathTests {
  @Test("are names with dots between them, and positions in brackets")
  func steps() {
    #expect(StatePath("counter")?.steps == [.name("counter")])
    #expect(StatePath("counter.count")?.steps == [.name("counter"), .name("count")])
    #expect(
      StatePath("people[2].name")?.steps == [.name("people"), .position(2), .name("name")])
    #expect(StatePath("a.b[12][3]")?.steps.suffix(2) == [.position(12), .position(3)])
    #expect(StatePath("a[\(Int.max)]")?.steps.last == .position(.max))
    #expect(StatePath("")?.steps == [])
  }

  @Test(
    "have no other form",
    arguments: [
      ".", "a.", ".a", "a..b", "a b", "[1]", "a[]", "a[0]", "a[-1]", "a[1.5]", "a[1", "a[1]b",
      "a.[1]", "A", "a[99999999999999999999]", "é", "a[+1]", "a[ 1]", "a[1]]", "a[[1]]", "a\0",
      "a[\u{661}]", "a[007]", "a[01]", String(repeating: "a", count: 10_000),
    ])
  func refused(text: String) {
    #expect(StatePath(text) == nil)
  }

  @Test("lead to parts of a value, or to nothing")
  func values() throws {
    let state: StateValue = [
      "names": .list([.text("a"), .text("b")]), "card": ["title": .text("t")],
    ]
    func value(at path: String) throws -> StateValue {
      state.value(at: try #require(StatePath(path)).steps[...])
    }
    #expect(try value(at: "names[2]") == .text("b"))
    #expect(try value(at: "names[3]") == .none)
    #expect(try value(at: "card.title") == .text("t"))
    #expect(try value(at: "card.other") == .none)
    #expect(try value(at: "names.title") == .none)
  }
}
