import Lua
import PrimereplDomain
import StateStore
import Testing

@MainActor
@Suite("Every function and field of the app, by its documentation,")
struct EveryMemberTests {
  private let app: AppInLua
  private let documented: Documented

  init() throws {
    app = try AppInLua(primes: ShortAnswers())
    documented = Documented(app)
  }

  /// Answers what can be answered at once; the primes up to the greatest integer take hours to count.
  private struct ShortAnswers: PrimeSource {
    func nthPrime(_ n: Int) async throws -> Int { try await LocalPrimes().nthPrime(n) }
    func count(upTo x: Int) async throws -> Int { try await LocalPrimes().count(upTo: min(x, 100)) }
  }

  @Test("has a line of help and an example that compiles")
  func help() {
    for owner in documented.owners {
      for member in owner.members {
        #expect(!member.help.isEmpty && !member.help.contains("\n"))
        #expect(throws: Never.self, "\(owner.name).\(member.name): \(member.example)") {
          let code = member.example.split(separator: " -->")[0]
          do {
            _ = try app.state.load("return \(code)", name: .text("example"))
          } catch {
            _ = try app.state.load(String(code), name: .text("example"))
          }
        }
      }
    }
  }

  /// Runs code that may fail, and then without a change, for a reason with a code and a message of a few lines.
  private func expectClearOutcome(of code: String, _ note: String) async throws {
    try await app.run("store.reset() " + Documented.setUp)
    let before = app.session.store.snapshot
    guard let error = await app.failure(code) else { return }
    #expect(error.code != "runtime_error", "\(note): \(error.message.prefix(200))")
    #expect(error.message.utf8.count < 10_000, "\(note)")
    // Of a fetch that failed the state says why.
    if !note.contains("fetch") { #expect(app.session.store.snapshot == before, "\(note)") }
  }

  @Test("accepts the extreme integers, or says why not", arguments: ["mininteger", "maxinteger"])
  func extremes(extreme: String) async throws {
    let value = "math.\(extreme)"
    for call in documented.calls {
      for position in call.positions(of: "integer") {
        try await expectClearOutcome(of: call.code((position, value)), call.name)
      }
    }
    for owner in documented.owners {
      for member in owner.members where member.isWritable && member.types == ["integer"] {
        let field = "\(owner.code).\(member.name)"
        try await expectClearOutcome(of: "\(field) = \(value)", field)
        #expect(
          try await app.text("todo.add('x') store.undo() return #todo.items") == "1", "\(field)")
      }
    }
  }

  @Test(
    "accepts text that is empty, has zero bytes or is huge, or says why not",
    arguments: ["''", #""\0""#, #""a\0b""#, "('x'):rep(1024 * 1024)"])
  func oddText(text: String) async throws {
    for call in documented.calls {
      for position in call.positions(of: "string") {
        try await expectClearOutcome(of: call.code((position, text)), call.name)
      }
    }
    for owner in documented.owners {
      for member in owner.members where member.isWritable && member.types == ["string"] {
        let field = "\(owner.code).\(member.name)"
        try await expectClearOutcome(of: "\(field) = \(text)", field)
      }
    }
  }

  @Test("refuses text that isn't UTF-8")
  func notUTF8() async throws {
    try await app.run(Documented.setUp)
    let problem = "a string of valid UTF-8 expected, got other bytes)"
    // For bytes that aren't text, json.decode says where; csv.decode takes any.
    for call in documented.calls where !["json.decode", "csv.decode"].contains(call.name) {
      for position in call.positions(of: "string") {
        let error = await app.failure(call.code((position, #""a\xff""#)))
        let name = call.function.parameters[position].name
        #expect(
          error?.message == "bad argument #\(position + 1) to '\(call.name)' (\(name): \(problem)")
      }
    }
    for owner in documented.owners {
      for member in owner.members where member.isWritable && member.types == ["string"] {
        let error = await app.failure(#"\#(owner.code).\#(member.name) = "\xff""#)
        #expect(error?.message == "bad value for '\(owner.name).\(member.name)' (\(problem)")
      }
    }
  }

  @Test(
    "that takes an id reports ids that don't exist, or no longer exist",
    arguments: ["99", "0", "-1", "removed", "math.mininteger", "math.maxinteger"])
  func identifiers(id: String) async throws {
    try await app.run(
      """
      \(Documented.setUp) removed = 13
      for _ = 1, 20 do todo.add("x") persons.add({ name = "x", age = 1 }) end
      todo.remove(removed) persons.remove(removed)
      """)
    var checked = 0
    for call in documented.calls {
      for position in call.function.parameters.indices
      where call.function.parameters[position].name == "id" {
        let error = await app.failure(call.code((position, id)))
        #expect(error?.code == "not_found", "\(call.name)")
        checked += 1
      }
    }
    #expect(checked >= 10)
  }
}
