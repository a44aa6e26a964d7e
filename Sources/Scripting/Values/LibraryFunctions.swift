import Lua

/// The functions of Lua's libraries that the app's own Lua code uses, as they were before scripts could replace them.
///
/// So the code itself can be loaded when it is first used.
struct LibraryFunctions {
  private let table: LuaTable
  private weak let state: LuaState?

  /// Collects the functions of a state.
  ///
  /// - Throws: `LuaError` if the state is closed or out of memory.
  init(in state: LuaState) throws(LuaError) {
    self.state = state
    table = try Self.chunk.function(in: state).call(as: LuaTable.self)
  }

  /// Runs a chunk that has these functions as its global variables.
  ///
  /// - Returns: The chunk's result.
  /// - Throws: `LuaError` if the state is closed or out of memory.
  func run(_ chunk: CompiledChunk, _ arguments: any LuaPushable...) throws(LuaError) -> LuaFunction
  {
    guard let state else { throw LuaError(.stateClosed, "the Lua state is closed") }
    let results = try chunk.function(in: state, environment: table).call(with: arguments)
    guard case .function(let function)? = results.first else {
      throw LuaError(.wrongType, "a chunk of the app returned no function")
    }
    return function
  }

  private static let chunk = CompiledChunk(
    Array(
      """
      local string, table, math = string, table, math
      return {
        type = type, tostring = tostring, tonumber = tonumber, pcall = pcall,
        next = next, pairs = pairs, ipairs = ipairs,
        getmetatable = getmetatable, setmetatable = setmetatable,
        rawequal = rawequal, rawset = rawset,
        string = {
          byte = string.byte, find = string.find, format = string.format,
          gmatch = string.gmatch, gsub = string.gsub, rep = string.rep, sub = string.sub,
        },
        table = { concat = table.concat, sort = table.sort },
        math = { huge = math.huge, mininteger = math.mininteger, type = math.type },
        utf8 = { len = utf8.len },
      }
      """.utf8), name: .text("library"))
}
