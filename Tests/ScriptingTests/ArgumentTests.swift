import Lua
import SampleApp
import Testing

@MainActor
@Suite("Arguments of the modules' functions")
struct ArgumentTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  private nonisolated static let range =
    "integer from -9223372036854775808 to 9223372036854775807"

  @Test(
    "that are integers accept nothing else: nothing is rounded or parsed",
    arguments: ["store.undo n", "todo.complete id", "counter.increment by"],
    [
      ("1.5", "integer expected, got 1.5"),
      ("2.0^63", "\(range) expected, got 9.223372036854776e+18"),
      ("-2.0^64", "\(range) expected, got -1.8446744073709552e+19"),
      ("1/0", "\(range) expected, got inf"), ("'7'", "integer expected, got string"),
      ("task.spawn(type, 1)", "integer expected, got task"),
      ("signup.data", "integer expected, got signup.data"),
    ])
  func integers(function: String, value: (code: String, problem: String)) async throws {
    let words = function.split(separator: " ")
    let (name, parameter) = (words[0], words[1])
    let error = await app.failure("\(name)(\(value.code), 'text')")
    #expect(error?.code == "bad_argument")
    #expect(error?.message == "bad argument #1 to '\(name)' (\(parameter): \(value.problem))")
    #expect(error?.location == "test:1")
  }

  @Test(
    "that are text accept no numbers and only UTF-8",
    arguments: [
      ("todo.rename(1, V)", "#2 to 'todo.rename' (text: "),
      ("store.subscribe(V, print)", "#1 to 'store.subscribe' (path: "),
    ],
    [
      ("7", "string expected, got number)"),
      (#""a\xc0\x80""#, "a string of valid UTF-8 expected, got other bytes)"),
      (#""\xed\xa0\x80""#, "a string of valid UTF-8 expected, got other bytes)"),
    ])
  func text(
    call: (code: String, argument: String), value: (code: String, problem: String)
  ) async throws {
    let error = await app.failure(call.code.replacing("V", with: value.code))
    #expect(error?.code == "bad_argument")
    #expect(error?.message == "bad argument \(call.argument)\(value.problem)")
  }

  @Test("that are functions accept nothing else")
  func functions() async {
    let error = await app.failure("store.subscribe('counter.count', 'print')")
    #expect(
      error?.message
        == "bad argument #2 to 'store.subscribe' (fn: function expected, got string)")
  }

  @Test("can be a megabyte of text, and errors are still prompt")
  func hugeText() async throws {
    #expect(
      try await app.text(
        """
        local huge = ("x"):rep(1024 * 1024)
        local id = todo.add("milk").id
        todo.rename(id, huge)
        todo.query = huge
        local function code(fn, ...)
          local ok, err = pcall(fn, ...)
          return not ok and err.code
        end
        return #todo.items[1].text, #todo.filtered(), #store.state().todo.query,
          code(store.subscribe, huge, print),
          code(function() return counter[huge] end), code(function() counter[huge] = 1 end),
          code(function() return todo.items[huge] end)
        """) == "1048576 1 1048576 unknown_path unknown_field unknown_field unknown_field")
  }

  @Test("assigned to a field are named after it", arguments: ["nil", "'7'", "1.5"])
  func assigned(value: String) async throws {
    let error = await app.failure("counter.count = \(value)")
    #expect(error?.code == "bad_argument")
    #expect(error?.message.hasPrefix("bad value for 'counter.count' (integer") == true)
    #expect(try await app.text("return counter.count") == "0")
  }
}
