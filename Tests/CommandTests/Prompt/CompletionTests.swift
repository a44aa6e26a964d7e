import Testing

@testable import Console

@Suite("Completion")
struct CompletionTests {
  @Test("types the rest of the only candidate, given whole or from its last part on")
  func insertsRest() {
    for candidate in ["counter.increment", "increment"] {
      #expect(
        Completion(line: "print(counter.incr", candidates: [candidate]) == .insert("ement"))
    }
  }

  @Test("types what all candidates start with")
  func insertsCommonPart() {
    let candidates = ["store.redo", "store.reset"]
    #expect(Completion(line: "x = store.r", candidates: candidates) == .insert("e"))
  }

  @Test("lists candidates that part here, sorted, without the path they share")
  func lists() {
    let candidates = ["store.undo", "store.redo", "store.jump", "store.undo"]
    #expect(
      Completion(line: "store.", candidates: candidates) == .list(["jump", "redo", "undo"]))
    #expect(Completion(line: "p", candidates: ["print", "pairs"]) == .list(["pairs", "print"]))
  }

  @Test("counts a candidate that another one starts with")
  func listsPrefix() {
    #expect(
      Completion(line: "todo.item", candidates: ["todo.items", "todo.item"])
        == .list(["item", "items"]))
  }

  @Test("has nothing to do when all is typed, or nothing fits")
  func none() {
    #expect(Completion(line: "print", candidates: ["print"]) == .none)
    #expect(Completion(line: "nothing", candidates: []) == .none)
  }
}
