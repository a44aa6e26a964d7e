import CLua
import CLuaTrampolines

@testable import Lua

/// A state with everything that can be exposed, whose Swift objects are counted.
@MainActor
final class StressFixture {
  let fixture: Fixture
  private let counter = LifeCounter()
  private var kept: [LuaValue] = []

  init() throws {
    fixture = try Fixture()
    fixture.addLater()
    addObjects()
    addFunctions()
    try fixture.install()
    // The output of scripts isn't of interest.
    try fixture.call("print = function() end warn('@off')")
  }

  private func addObjects() {
    let host = fixture.host
    let counter = counter
    host.function("point", "x", "y") {
      (x: Int?, y: Int?) in Point(x: x ?? 0, y: y ?? 0, of: counter)
    }
    host.function("words", "words") { (words: LuaVariadic) in
      let list = Words()
      for case .string(let word) in words.values { list.words.append(word.description) }
      return list
    }
    host.function("circle", "radius") {
      (radius: Double?) in Circle("c", radius: radius ?? 1, of: counter)
    }
    host.function("vector", "x", "y") { (x: Double?, y: Double?) in Vector(x: x ?? 0, y: y ?? 0) }
    host.function("mutable") { MutableWords("a", "b", of: counter) }
    host.function("items") { Items(1, 2, 3, of: counter) }
  }

  private func addFunctions() {
    let host = fixture.host
    let counter = counter
    host.function("fail", "value") { (_: LuaValue) throws -> Void in throw counter.token() }
    host.function("integer", "n") { (n: Int) in n }
    host.function("text", "text", "other") {
      (text: String, other: LuaString?) in (text, other?.description)
    }
    host.function("list", "list") { (list: [Double]) in list }
    host.function("named", "values") { (values: [String: LuaValue]) in values }
    host.function("wide", "value") {
      (value: LuaValue) in (value, value, 3, 4, [value], 6, 7, 8, 9, value)
    }
    host.function("call", "fn", "arguments") { (function: LuaFunction, arguments: LuaVariadic) in
      LuaVariadic(try function.call(with: arguments.values))
    }
    host.function("variadic", "values") { (values: LuaVariadic) in values }
    host.function("keep", "value") { [unowned self] (value: LuaValue) in kept.append(value) }
    host.function("again", "arguments") {
      [unowned self] (arguments: LuaVariadic) throws -> LuaVariadic in
      guard case .function(let function) = kept.popLast() else { return arguments }
      return LuaVariadic(try function.call(with: arguments.values))
    }
  }

  /// Runs a script as a task, and waits for all that it leaves behind, whether it fails or not.
  func run(_ source: String) async throws {
    let task = try fixture.state.start(fixture.state.load(source, name: .text("script")))
    await task.ended()
    _ = await fixture.state.finishTasks()
    kept = []
  }

  /// Runs a script, and refuses the memory for one of its objects.
  ///
  /// - Parameters:
  ///   - source: the script.
  ///   - count: how many allocations are let pass before.
  /// - Returns: Whether the script made that many allocations.
  /// - Throws: ``LuaError`` if it doesn't compile.
  func run(_ source: String, refusingAllocation count: Int) async throws -> Bool {
    let stack = try fixture.state.core.stack()
    let function = try fixture.state.load(source, name: .text("script"))
    var refusals = Refusals(of: stack.pointer, after: count)
    // Whether the script fails depends on what it catches.
    withUnsafeMutablePointer(to: &refusals) { refusals in
      lua_setallocf(stack.pointer, Refusals.allocate, refusals)
      _ = Result { try function.call() }
      lua_setallocf(stack.pointer, refusals.pointee.original, refusals.pointee.context)
    }
    _ = await fixture.state.finishTasks()
    return refusals.delay < 0
  }

  /// The number of Swift objects that are alive once the state is closed and cancelled operations have ended, or half a minute has passed.
  func aliveAfterClose() async throws -> Int {
    fixture.state.close()
    kept = []
    // A sleep that is cancelled lets go of what waits for it only when it has resumed.
    for _ in 0..<6000 where counter.alive > 0 { try await Task.sleep(for: .milliseconds(5)) }
    return counter.alive
  }
}

/// An allocator that refuses memory once while Lua code runs, and passes everything else on.
private struct Refusals {
  /// The state's own allocator, with its context.
  let original: lua_Alloc
  let context: UnsafeMutableRawPointer

  /// The number of allocations to let pass before.
  var delay: Int

  /// The number to refuse then: the second is that of the attempt after the emergency collection.
  var count = 2

  init(of state: OpaquePointer, after delay: Int) {
    var context: UnsafeMutableRawPointer?
    original = lua_getallocf(state, &context)
    self.context = UnsafeMutableRawPointer(clua_get_context(state))
    self.delay = delay
  }

  static let allocate: lua_Alloc = { refusals, block, oldSize, newSize in
    guard let refusals = refusals?.assumingMemoryBound(to: Refusals.self) else { return nil }
    let growth = block == nil ? newSize : newSize &- min(oldSize, newSize)
    if growth > 0, refusals.pointee.count > 0,
      clua_is_in_lua(OpaquePointer(refusals.pointee.context))
    {
      refusals.pointee.delay -= 1
      if refusals.pointee.delay < 0 {
        refusals.pointee.count -= 1
        return nil
      }
    }
    return refusals.pointee.original(refusals.pointee.context, block, oldSize, newSize)
  }
}
