import Testing

@testable import Console

@Suite("Completion")
struct CompletionTests {
  @Test("inserts the rest of the only candidate, given with or without its path")
  func insertsRest() {
    for candidate in ["counter.increment", "increment"] {
      #expect(
        Completion(line: "print(counter.incr", candidates: [candidate]) == .insert("ement"))
    }
  }

  @Test("inserts the common prefix of all candidates")
  func insertsCommonPart() {
    let candidates = ["store.redo", "store.reset"]
    #expect(Completion(line: "x = store.r", candidates: candidates) == .insert("e"))
  }

  @Test("lists candidates without a longer common prefix, sorted, without their common path")
  func lists() {
    let candidates = ["store.undo", "store.redo", "store.jump", "store.undo"]
    #expect(
      Completion(line: "store.", candidates: candidates) == .list(["jump", "redo", "undo"]))
    #expect(Completion(line: "p", candidates: ["print", "pairs"]) == .list(["pairs", "print"]))
  }

  @Test("lists a candidate that is a prefix of another")
  func listsPrefix() {
    #expect(
      Completion(line: "todo.item", candidates: ["todo.items", "todo.item"])
        == .list(["item", "items"]))
  }

  @Test("does nothing if everything is typed, or nothing matches")
  func none() {
    #expect(Completion(line: "print", candidates: ["print"]) == .none)
    #expect(Completion(line: "nothing", candidates: []) == .none)
  }
}
