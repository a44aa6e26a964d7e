internal import Lua

/// A class with methods only, as `meter` in Objects.c.
final class Meter: LuaExposed {
  private var value = 0

  static var luaTypeName: String { "meter" }

  static func describe(_ members: LuaClass<Meter>) {
    members.method("add", "amount", help: "Adds to the value.", example: "meter:add(1)") {
      (meter: Meter, amount: Int) in meter.add(amount)
    }
  }

  private func add(_ amount: Int) -> Int {
    value &+= amount
    return value
  }
}
