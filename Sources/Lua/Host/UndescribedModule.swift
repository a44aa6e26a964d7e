internal import CLua
internal import CLuaTrampolines

/// The metatable of a module that has no members yet, as most scripts use few of an app's modules.
///
/// A start of primerepl takes 14 million instructions with it, and 8 million more if all 13 modules are described.
///
/// The first use of the module's table, by a script or by Swift, adds the members.
final class UndescribedModule {
  /// The metamethods by which scripts use a module.
  enum Use: Int, CaseIterable {
    case read, write, length, pairs, call

    fileprivate var metamethod: String {
      switch self {
      case .read: "__index"
      case .write: "__newindex"
      case .length: "__len"
      case .pairs: "__pairs"
      case .call: "__call"
      }
    }
  }

  /// The field of the metatable with the box of the object.
  fileprivate static let field = "__undescribed"

  private let module: LuaModule
  private var isDescribed = false

  private init(_ module: LuaModule) { self.module = module }

  static func pushMetatable(of module: LuaModule, to stack: LuaStack) {
    MemberTable.pushMetatable(of: module.name, to: stack)
    UndescribedModule(module).pushBox(to: stack)
    for use in Use.allCases {
      stack.pushCopy(at: -1)
      stack.push(use.rawValue)
      stack.pushCopy(at: -4)
      lua_pushcclosure(stack.pointer, clua_function, 3)
      lua_setfield(stack.pointer, -3, use.metamethod)
    }
    lua_setfield(stack.pointer, -2, field)
  }

  private func pushBox(to stack: LuaStack) {
    stack.pushBox(self) { pointer, object in
      Unmanaged<UndescribedModule>.fromOpaque(object)._withUnsafeGuaranteedRef { module in
        let stack = LuaStack(pointer)
        do {
          return try module.use(by: stack)
        } catch {
          return stack.raise(error)
        }
      }
    }
    stack.setFunctionMetatable()
  }

  /// Does within a metamethod what the one that replaces it would do: called by it, that would find no line of a script
  /// for its errors.
  private func use(by stack: LuaStack) throws -> Int32 {
    try stack.reserve(12)
    let use = Use(rawValue: Int(lua_tointegerx(stack.pointer, clua_upvalue_index(2), nil)))
    // The argument may be another table: scripts get at metamethods by the debug library.
    lua_pushvalue(stack.pointer, clua_upvalue_index(3))
    describe(stack)
    stack.pop(1)
    return try module.members.perform(use ?? .read, stack)
  }

  /// Adds the members to the metatable on top.
  fileprivate func describe(_ stack: LuaStack) {
    guard !isDescribed else { return }
    isDescribed = true
    for name in Use.allCases.map(\.metamethod) + [Self.field] {
      stack.pushNil()
      lua_setfield(stack.pointer, -2, name)
    }
    // They belong to no scope, such as that of the function that is running.
    stack.inScope(Int32(CLUA_NO_SCOPE)) { module.members.setModuleMetamethods(in: stack) }
  }
}

extension LuaStack {
  /// Adds the members of the module at an index to its metatable, which is read next; other values stay as they are.
  func describeModule(at index: Int32) {
    guard luaL_getmetafield(pointer, index, UndescribedModule.field) != LUA_TNIL else { return }
    let module = object(of: UndescribedModule.self, at: -1)
    pop(1)
    guard let module, lua_getmetatable(pointer, index) != 0 else { return }
    module.describe(self)
    pop(1)
  }
}
