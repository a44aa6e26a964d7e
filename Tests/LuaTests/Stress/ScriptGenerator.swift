import TestSupport

/// Makes scripts that call all that a ``StressFixture`` exposes, in any order and with any arguments, right and wrong.
///
/// The scripts end: loops have few rounds, and functions call only those before them.
struct ScriptGenerator {
  private var random: SeededGenerator
  private var lines: [String] = []
  private var functionCount = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// A script of some functions and statements.
  mutating func script() -> String {
    lines = [
      "local a, b, c = host.point(1, 2), host.words('x', 'y'), {1, 'two', {3}}",
      "local v, o, w, s = host.vector(1, 2), host.circle(2), host.mutable(), host.items()",
    ]
    for _ in 0..<Int.random(in: 1...4, using: &random) { addFunction() }
    addStatements(Int.random(in: 4...12, using: &random), depth: 0)
    return lines.joined(separator: "\n")
  }

  private mutating func addFunction() {
    // The function that is being written can't be called yet.
    lines.append("local function f\(functionCount)(a, b, ...)")
    addStatements(Int.random(in: 1...4, using: &random), depth: 1)
    lines.append("return \(expression()), a")
    lines.append("end")
    functionCount += 1
  }

  private mutating func addStatements(_ count: Int, depth: Int) {
    for _ in 0..<count { addStatement(depth: depth) }
  }

  private mutating func addStatement(depth: Int) {
    let simple: [String] = [
      "\(variable()) = \(expression())",
      "\(call())",
      "local _ = \(expression())",
      "\(variable()).\(field()) = \(expression())",
      "\(pick(["b", "w", "s"]))[\(index())] = \(expression())",
      "table.insert(\(pick(["c", "w", "s"])), \(expression()))",
      "collectgarbage(\(pick(["", "'step'", "'generational'", "'incremental'"])))",
      "setmetatable({}, {__gc = function() \(call()) end})",
    ]
    guard depth < 4, Bool.random(using: &random) else { return lines.append(pick(simple)) }
    let (opening, closing) = pick([
      ("pcall(function()", "end)"),
      ("xpcall(function()", "end, function(e) return tostring(e) end)"),
      ("xpcall(function()", "end, debug.traceback)"),
      ("coroutine.resume(coroutine.create(function()", "end))"),
      ("coroutine.wrap(function() coroutine.yield(1)", "end)()"),
      ("for i = 1, 3 do", "end"),
      ("for k, v in pairs(\(variable())) do", "end"),
      ("for i, v in ipairs(\(variable())) do", "end"),
      ("if \(expression()) then", "end"),
      ("do local x <close> = setmetatable({}, {__close = function(_, e) \(call()) end})", "end"),
      ("local t = task.spawn(function()", "end) \(pick(["t:await()", "t:cancel()", ""]))"),
      ("task.all{function()", "end, function() \(call()) end}"),
      ("task.timeout(60, function()", "end)"),
      ("host.call(function(...)", "end, 1)"),
      ("table.sort({3, 1, 2}, function(x, y)", "return x < y end)"),
      ("string.gsub('abc', '.', function(x)", "end)"),
    ])
    lines.append(opening)
    addStatements(Int.random(in: 1...3, using: &random), depth: depth + 1)
    lines.append(closing)
  }

  private mutating func variable() -> String { pick(["a", "b", "c", "v", "o", "w", "s"]) }

  private mutating func field() -> String {
    pick(["x", "y", "sum", "word", "missing", "name", "radius"])
  }

  private mutating func index() -> String {
    pick(["1", "2", "3", "#w", "#s", "#w + 1", "#s + 1", "0", "math.maxinteger", expression()])
  }

  private mutating func call() -> String {
    var choices = [
      "host.fail(\(expression()))", "host.integer(\(expression()))",
      "host.text(\(expression()), \(expression()))", "host.list(\(expression()))",
      "host.later(\(expression()))", "host.call(\(expression()))", "host.keep(\(expression()))",
      "host.point(\(expression()), \(expression()))", "host.words(\(expression()))",
      "host.again(\(expression()))", "a:sum(\(expression()))", "a.sum(\(expression()))",
      "a:later()", "b:add(\(expression()))", "error(\(expression()))", "tostring(\(expression()))",
      "coroutine.yield(\(expression()))", "task.sleep(0)", "host.variadic(a, b, c)",
      "v:scale(\(expression()))", "o:grow(\(expression()))", "o:kind()", "o:later()",
      "table.remove(\(pick(["w", "s"])))", "table.sort(w)", "host.named(\(expression()))",
      "host.wide(\(expression()))",
    ]
    for index in 0..<functionCount { choices.append("f\(index)(\(expression()), \(variable()))") }
    return pick(choices)
  }

  private mutating func expression() -> String {
    pick([
      "nil", "true", "0", "-1", "2.5", "1e300", "math.mininteger", "'text'", "'\\xff'",
      "('long'):rep(50)", "{}", "{1, 2, 3}", "{key = 'value'}", "print", "host", "task", "a", "b",
      "c", "a.x", "b[1]", "#b", "#c", "a .. 'text'", "a == b", "function() return a end",
      "coroutine.create(host.later)", "host.point(3, 4)", "host.integer(7)",
      "function() error(a) end", "function() return host.later(b) end", "v", "o", "w", "s",
      "v * 2", "2 * v", "v + v", "-v", "v < v", "v == o", "v .. o", "o .. a", "w[#w]", "s[1]",
      "v.x", "o.radius", "o:area()", "#s", "{a = 1}", "{'a', nil, 'c'}", "{[1 << 40] = 1, x = 2}",
      "host.vector(3, 4)", "setmetatable({a = 1}, {__index = host.fail})", emptying, growing,
    ])
  }

  /// A table for an item whose reading takes all items away.
  private var emptying: String {
    "setmetatable({}, {__index = function() while #s > 0 do s[#s] = nil end return 1 end})"
  }

  /// A table for an item, or for a list of them, whose reading adds an item.
  private var growing: String {
    "setmetatable({}, {__index = function() s[#s + 1] = {a = 2} return 3 end, "
      + "__len = function() return 2 end})"
  }

  private mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }
}
