import Lua
import PrimereplLineEditing
import Testing

@testable import PrimereplTerminal

@MainActor
@Suite("Errors: syntax of other languages")
struct ForeignSyntaxTests {
  private let session: ErrorSession

  init() throws { session = try ErrorSession() }

  private func message(_ input: String) -> String? {
    guard case .fault(_, let message) = PromptInput(input).verdict(in: session.state) else {
      return nil
    }
    return message
  }

  @Test(
    "is answered with that of Lua",
    arguments: [
      ("total += 1", "Lua has no +=: write x = x + y"),
      ("total -= 1", "Lua has no -=: write x = x - y"),
      ("total++", "Lua has no ++: write x = x + 1"),
      ("if total != 3 then end", "Lua writes ~= for !="),
      ("1 != 2", "Lua writes ~= for !="),
      ("print(a && b)", "Lua writes and for &&"),
      ("x = a || b", "Lua writes or for ||"),
      ("print(!a)", "Lua writes not for !"),
      ("let total = 1", "Lua writes local for let"),
      ("const total = 1", "Lua writes local for const"),
      ("if total = 3 then end", "= assigns; == compares"),
      ("while counter.count = 3 do end", "= assigns; == compares"),
      ("5 = total", "only a variable or a field can be assigned to, as in x = 5"),
      ("local a = 1\na += 1", "Lua has no +=: write x = x + y"),
    ])
  func advice(input: String, advice: String) {
    #expect(message(input) == advice)
  }

  @Test(
    "in strings and comments, and on other lines, isn't",
    arguments: [
      ("x = = '!='", "unexpected symbol near '='"),
      ("x = = 1 -- a && b", "unexpected symbol near '='"),
      ("s = 'a || b'\nx = = 1", "unexpected symbol near '='"),
    ])
  func others(input: String, message: String) {
    #expect(self.message(input) == message)
  }
}
