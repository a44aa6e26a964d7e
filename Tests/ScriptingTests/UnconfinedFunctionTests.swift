import Lua
import StateStore
import Testing

@testable import Scripting

/// A service that does something outside the app.
private struct Printer: Sendable {}

private protocol Shop: ScriptableFeature
where State == Stock, Action == ShopAction, Services == Printer {}

private struct Stock: Codable, Equatable, Sendable { var count = 0 }

private enum ShopAction: Codable, Equatable, Sendable { case sell }

extension Shop {
  static var help: String { "A shop." }
  static var initial: Stock { Stock() }
  static var fields: [Field<Self>] { [.value("count", \.count), .request(order)] }
  static var order: Request<Self, NoQuestion, Int> {
    Request("order", ask: { _ in 1 }, done: { state, count in state.count += count })
  }

  static func reduce(_ state: inout Stock, _ action: ShopAction) throws { state.count -= 1 }

  static func describe(_ module: FeatureModule<Self>) {
    module.action("sell", help: "Sells.", example: "\(name).sell()") { () in .sell }
    module.request(order, help: "Orders.", example: "\(name).order()") { () in NoQuestion() }
    module.function("print", help: "Prints.", example: "\(name).print()") { () in
      _ = module.services
    }
    module.asyncFunction("mail", help: "Mails.", example: "\(name).mail()") { () in
      { () async throws -> Void in }
    }
  }
}

private enum OpenShop: Shop { static let name = "open" }

private enum CarefulShop: Shop {
  static let name = "careful"
  static let functionsUseServices = false
}

private enum Note: ScriptableFeature {
  static let name = "note"
  static let help = "A note."
  static let initial = Stock()
  static let fields: [Field<Note>] = [.value("count", \.count)]
  static func reduce(_ state: inout Stock, _ action: ShopAction) throws {}

  static func describe(_ module: FeatureModule<Note>) {
    module.function("add", help: "Adds.", example: "note.add()") { () in }
  }
}

@Suite("Functions that can reach outside the app")
struct UnconfinedFunctionTests {
  @Test(
    "are those of a feature with services, except its actions and requests, unless it says otherwise"
  )
  func swift() throws {
    let app = try ScriptedApp(
      in: LuaState(), store: Store(features: [OpenShop.self, CarefulShop.self, Note.self]),
      modules: [
        ScriptModule(OpenShop.self), ScriptModule(CarefulShop.self), ScriptModule(Note.self),
      ],
      environment: ScriptEnvironment(app: Printer()))
    #expect(app.unconfined == ["open.print", "open.mail"])
  }

  @MainActor
  @Test("are the functions of an app in Lua, but neither its actions nor its requests")
  func lua() throws {
    #expect(try DeclaredFixture(DeclaredFixture.cart).scripted.unconfined == ["cart.add_all"])
  }
}
