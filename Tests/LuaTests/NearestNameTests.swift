import Lua
import Testing

@Suite("Names that were probably meant")
struct NearestNameTests {
  @Test(
    "are near by the letters that differ",
    arguments: [
      ("prnt", "print"), ("pirnt", "print"), ("PRINT", "print"), ("printt", "print"),
      ("coutn", "count"), ("persns", "persons"), ("increment_", "increment"),
      ("zzz", nil), ("x", nil), ("", nil), ("foo", nil), ("print", nil),
    ] as [(String, String?)])
  func near(name: String, nearest: String?) {
    let names = ["print", "count", "counter", "increment", "persons", "io", "y"]
    #expect(name.nearest(of: names) == nearest)
    #expect(name.nearest(of: names.reversed()) == nearest)
  }

  @Test("of any length are compared in little time")
  func longNames() {
    let names = (0..<10_000).map { "variable_number_\($0)" }
    #expect("varable_number_77".nearest(of: names) == "variable_number_77")
    #expect(String(repeating: "x", count: 1_000_000).nearest(of: names) == nil)
    #expect(
      "x".nearest(of: [String(repeating: "\u{301}", count: 1_000_000)]) == nil)
  }
}
