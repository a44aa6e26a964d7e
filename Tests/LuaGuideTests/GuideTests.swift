import Foundation
import Lua
import Testing

/// Runs the code blocks of Documentation/embedding-lua.md.
@MainActor
@Suite("The guide to embedding Lua", .timeLimit(.minutes(2)))
struct GuideTests {
  @Test("shows the code that is compiled and run here, block by block")
  func blocks() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let sources = try ["GuideTypes.swift", "GuideTests.swift", "GuideStateTests.swift"].map {
      try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
    }
    let snippets = sources.flatMap(Guide.snippets)
    let guide = try String(
      contentsOf: folder.appending(path: "../../Documentation/embedding-lua.md"),
      encoding: .utf8)
    let blocks = Guide.blocks(of: guide)
    #expect(Set(blocks) == Set(snippets))
    #expect(blocks.count == snippets.count)
    #expect(blocks.count >= 12)
  }

  @Test("exposes functions and properties to scripts, and reads globals")
  func module() throws {
    // guide: a module
    let state = try LuaState()
    var volume = 5
    let player = LuaModule("player", help: "Plays music.")
    player.function("play", "song", "times", help: "Plays a song.", example: "player.play('x')") {
      (song: String, times: Int?) in "\(song) plays \(times ?? 1) times at \(volume)"
    }
    player.property(
      "volume", help: "From 0 to 10.", example: "player.volume = 7",
      get: { volume }, set: { volume = $0 })
    try state.setGlobal("player", to: player)

    try state.load("player.volume = 7; text = player.play('Song', 2)", name: .text("script")).call()
    let text: String = try state.global("text")
    // guide end
    #expect(text == "Song plays 2 times at 7")
  }

  @Test("exposes objects, whose Swift errors come back unchanged")
  func objects() throws {
    let state = try LuaState()
    // guide: an object and its error
    let wallet = Wallet()
    try state.setGlobal("wallet", to: wallet)
    try state.load("wallet:deposit(5)", name: .text("script")).call()
    do {
      try state.load("wallet:withdraw(7)", name: .text("script")).call()
    } catch {
      // The Swift error itself, and where Lua was: "script:1".
      let overdrawn = error.underlying as? Overdrawn
      print(overdrawn?.missing ?? 0, error.location ?? "", error.traceback ?? "")
    }
    // guide end
    let error = try #require(throws: LuaError.self) {
      try state.load("wallet:withdraw(7)", name: .text("script")).call()
    }
    #expect(wallet.balance == 5)
    #expect((error.underlying as? Overdrawn)?.missing == 2)
    #expect(error.location == "script:1")
  }

  @Test("describes errors to scripts")
  func describedErrors() throws {
    let state = try LuaState()
    try state.setGlobal("wallet", to: Wallet())
    // guide: errors for scripts
    state.describeErrors { error in
      guard let error = error as? Overdrawn else { return nil }
      return LuaErrorDescription(
        code: .overdrawn, message: "there are \(error.missing) too few",
        fields: ["missing": error.missing])
    }
    let results = try state.load(
      """
      local ok, err = pcall(wallet.withdraw, wallet, 7)
      return ok, err.code, err.missing, tostring(err)
      """, name: .text("script")
    ).call()
    // guide end
    #expect(results == [false, "overdrawn", 7, "there are 7 too few"])
  }

  @Test("tells errors apart by their codes, and where they were raised")
  func codes() throws {
    let state = try LuaState()
    try state.setGlobal("wallet", to: Wallet())
    state.describeErrors { error in
      error is Overdrawn ? LuaErrorDescription(code: .overdrawn, message: "too few") : nil
    }
    var report = ""
    // guide: codes and locations
    do {
      try state.load("\nwallet:withdraw(7)", name: .file("script.lua")).call()
    } catch {
      switch error.code {
      case .overdrawn: report = "no money left"
      case .interrupted, .timeLimit, .instructionLimit: report = "stopped"
      case .syntax: report = "not Lua"
      default: report = error.description
      }
      if let location = error.location { report += " (\(location.chunk), line \(location.line))" }
    }
    // guide end
    #expect(report == "no money left (script.lua, line 2)")
  }

  @Test("exposes values with operators")
  func values() throws {
    let state = try LuaState()
    // guide: a value in a script
    try state.setGlobal("Money", to: LuaModule("Money", help: "Money.", of: Money.self))
    let results = try state.load(
      """
      local sum = Money(150) + Money(50) * 2
      return sum.cents, sum == Money(250), sum
      """, name: .text("script")
    ).call()
    // guide end
    #expect(results.prefix(2) == [250, true])
  }

  @Test("exposes class hierarchies and lists")
  func hierarchies() throws {
    let state = try LuaState()
    // guide: a list and a subclass in a script
    try state.setGlobal("truck", to: Truck())
    try state.setGlobal("playlist", to: Playlist())
    let results = try state.load(
      """
      truck.speed = 30
      playlist[#playlist + 1] = 'second'
      table.insert(playlist, 1, 'first')
      return truck.speed, truck:add(100), #playlist, table.concat(playlist, ' ')
      """, name: .text("script")
    ).call()
    // guide end
    #expect(results == [30.0, 100, 2, "first second"])
  }

  @Test(
    "refuses numbers that a script chose to make the examples trap",
    arguments: [
      "wallet:withdraw(math.mininteger)", "wallet:withdraw(0)", "wallet:deposit(-1)",
      "wallet:deposit(1) wallet:deposit(math.maxinteger)", "return Money(math.maxinteger) * 2",
      "return Money(math.mininteger) + Money(-1)", "truck:add(1) truck:add(math.maxinteger)",
      "truck:add(math.mininteger)",
    ])
  func extremes(script: String) throws {
    let state = try LuaState()
    try state.setGlobal("wallet", to: Wallet())
    try state.setGlobal("truck", to: Truck())
    try state.setGlobal("Money", to: LuaModule("Money", help: "Money.", of: Money.self))
    let error = try #require(throws: LuaError.self) {
      try state.load(script, name: .text("script")).call()
    }
    #expect(error.is(.badArgument) || error.is(.numberOutOfRange))
  }

  @Test("ends a cycle through both heaps by closing the state")
  func cycle() throws {
    // guide: a cycle
    let state = try LuaState()
    weak var button: Button?
    do {
      let made = Button()
      button = made
      try state.setGlobal("button", to: made)
    }
    // The object holds the function, which holds the object.
    let script = "local b = button; b.onClick = function() return b end; button = nil"
    try state.load(script, name: .text("script")).call()
    try state.collectGarbage()
    let isAliveBefore = button != nil
    state.close()
    let isAliveAfter = button != nil
    // guide end
    #expect(isAliveBefore)
    #expect(!isAliveAfter)
  }

  @Test("changes a copy where a property is a value, and the value itself by a path into it")
  func nestedValues() throws {
    let state = try LuaState()
    let wage = Wage()
    try state.setGlobal("wage", to: wage)
    try state.load("wage.amount.cents = 5", name: .text("script")).call()
    #expect(wage.amount.cents == 0)
    try state.load("wage.cents = 6", name: .text("script")).call()
    #expect(wage.amount.cents == 6)
    let whole = "local amount = wage.amount amount.cents = 7 wage.amount = amount"
    try state.load(whole, name: .text("script")).call()
    #expect(wage.amount.cents == 7)
  }

  @Test("accepts and returns Codable types")
  func codable() throws {
    let state = try LuaState()
    let shop = LuaModule("shop", help: "A shop.")
    // guide: a Codable type in a script
    shop.function("doubled", "order", help: "Doubles it.", example: "shop.doubled(order)") {
      (order: Order) in
      var order = order
      for index in order.items.indices {
        let (count, overflow) = order.items[index].count.multipliedReportingOverflow(by: 2)
        guard !overflow else { throw LuaError(.numberOutOfRange, "too many") }
        order.items[index].count = count
      }
      return order
    }
    try state.setGlobal("shop", to: shop)
    let results = try state.load(
      """
      local order = {customer = 'Ada', items = {{name = 'pen', count = 3}}}
      return shop.doubled(order).items[1].count
      """, name: .text("script")
    ).call()
    // guide end
    #expect(results == [6])
  }

  @Test("lets functions take options")
  func options() throws {
    let state = try LuaState()
    let shop = LuaModule("shop", help: "A shop.")
    // guide: options of a function
    shop.function("search", "options", help: "Searches.", example: "shop.search{text = 'pen'}") {
      (search: SearchOptions) in "\(search.limit ?? 10) \(search.order) results for \(search.text)"
    }
    try state.setGlobal("shop", to: shop)
    let results = try state.load(
      "return shop.search{text = 'pen', order = 'cheapest'}", name: .text("script")
    ).call()
    // guide end
    #expect(results == [.string("10 cheapest results for pen")])
  }

  @Test("lets scripts wait")
  func waiting() async throws {
    // guide: waiting
    let state = try LuaState()
    let net = LuaModule("net", help: "The network.")
    net.asyncFunction("fetch", "name", help: "Fetches.", example: "net.fetch('x')") {
      (name: String) in
      { () async throws -> String in
        try await Task.sleep(for: .milliseconds(1))
        return "content of \(name)"
      }
    }
    try state.setGlobal("net", to: net)
    try state.setGlobal("task", to: LuaModule.task(for: state))

    let script = try state.load(
      """
      local one = task.spawn(net.fetch, 'one')
      local two = net.fetch('two')
      return one:await(), two
      """, name: .text("script"))
    let (one, two) = try await state.run(script, as: (String, String).self)
    let failures = await state.finishTasks()
    // guide end
    #expect((one, two) == ("content of one", "content of two"))
    #expect(failures.isEmpty)
  }

  @Test("runs code that waits in an actor, and in a class that is used on one")
  func actors() async throws {
    #expect(try await Engine().load("x") == "loaded x")
    #expect(try await Player().play("x") == "playing x")
  }

  @Test("runs code that isn't trusted within limits")
  func limits() throws {
    // guide: a sandbox with limits
    let state = try LuaState(libraries: .sandbox)
    try state.limitMemory(to: 20_000_000)
    state.limitInstructions(to: 10_000_000)
    state.limitTime(to: .seconds(2))
    do {
      try state.load("while true do pcall(error) end", name: .text("stranger.lua")).call()
    } catch {
      // "instruction_limit" or "time_limit"; the state can be used again at once.
      print(error.code)
    }
    // guide end
    #expect(try state.load("return 1", name: .text("after")).call() == [1])
  }

  @Test("frees objects that hold functions that refer to them")
  func scope() throws {
    final class Model { var observers: [LuaFunction] = [] }
    let state = try LuaState()
    let host = LuaModule("host", help: "Models.")
    // guide: a scope
    host.function("model", help: "A new model.", example: "host.model()") { [weak state] in
      guard let state else { throw LuaError(.stateClosed, "the state is closed") }
      let scope = try LuaScope(in: state)
      let model = Model()
      let module = LuaModule("model", help: "Something to watch.")
      module.function("subscribe", "fn", help: "Observes it.", example: "m.subscribe(print)") {
        (function: LuaFunction) in model.observers.append(try scope.adopt(function))
      }
      module.function("change", help: "Changes it.", example: "m.change()") {
        for observer in model.observers { try observer.call() }
      }
      return scope.owning(module)
    }
    // guide end
    try state.setGlobal("host", to: host)
    let script = """
      local calls, models = 0, setmetatable({}, {__mode = "k"})
      local function use()
        local m = host.model()
        models[m] = true
        m.subscribe(function() calls = calls + 1 return m end)
        m.change()
      end
      use() use()
      return function() return calls, next(models) end
      """
    let count = try state.load(script).call(as: LuaFunction.self)
    // One to finalize the objects, one to free them, and one as Swift gives up the functions in between.
    for _ in 1...3 { try state.collectGarbage() }
    #expect(try count.call() == [2, .nil])
  }

  @Test("stops code from another thread")
  func interrupting() throws {
    // guide: an interrupt
    let state = try LuaState()
    let interrupter = try state.interrupter()
    let stopping = Thread {
      while interrupter.interrupt() == .idle { usleep(1000) }
    }
    stopping.start()
    do {
      try state.load("while true do end", name: .text("endless")).call()
    } catch  where error.is(.interrupted) {
      // As asked.
    }
    // guide end
    #expect(try state.load("return 1", name: .text("after")).call() == [1])
  }
}

/// An object with a property that is a value.
private final class Wage: LuaExposed {
  var amount = Money(cents: 0)

  static let luaTypeName = "wage"

  static func describe(_ members: LuaClass<Wage>) {
    members.property("amount", \.amount, help: "How much.", example: "wage.amount")
    members.property("cents", \.amount.cents, help: "In cents.", example: "wage.cents = 5")
  }
}

/// The code in the guide and in the tests.
private enum Guide {
  /// The code between the markers in a source file, without the indentation.
  static func snippets(of source: String) -> [String] {
    var snippets: [String] = []
    var current: [Substring]?
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("// guide: ") {
        current = []
      } else if text == "// guide end", let lines = current {
        snippets.append(unindented(lines))
        current = nil
      } else {
        current?.append(line)
      }
    }
    return snippets
  }

  /// The Swift code blocks of a Markdown text.
  static func blocks(of guide: String) -> [String] {
    guide.split(separator: "\n```swift\n").dropFirst().map { block in
      String(block.prefix(upTo: block.firstRange(of: "\n```")?.lowerBound ?? block.endIndex))
    }
  }

  private static func unindented(_ lines: [Substring]) -> String {
    let indentation =
      lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
  }
}
