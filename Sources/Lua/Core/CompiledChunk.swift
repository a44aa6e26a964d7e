internal import CLua
internal import Synchronization

/// A chunk of Lua code that is compiled once in a process, and then loaded into many states.
package final class CompiledChunk: Sendable {
  private let source: [UInt8]
  private let name: ChunkName
  private let isStripped: Bool
  private let bytecode = Mutex<[UInt8]?>(nil)

  /// Makes a chunk of source text, which is compiled when it is first used.
  ///
  /// - Parameters:
  ///   - source: The source text.
  ///   - name: The chunk's name in messages.
  ///   - isStripped: Whether its lines and the names of its variables are left out, which loads faster; its errors
  ///     then say neither.
  package init(
    _ source: [UInt8], name: ChunkName, isStripped: Bool = false
  ) {
    self.source = source
    self.name = name
    self.isStripped = isStripped
  }

  /// The chunk as a function of a state.
  package func function(in state: LuaState, environment: LuaTable? = nil) throws(LuaError)
    -> LuaFunction
  {
    if let bytecode = bytecode.withLock(\.self) {
      return try state.load(bytecode: bytecode, name: name, environment: environment)
    }
    let function = try state.load(source, name: name, environment: environment)
    let compiled = try function.bytecode(isStripped: isStripped)
    bytecode.withLock { $0 = compiled }
    return isStripped
      ? try state.load(bytecode: compiled, name: name, environment: environment) : function
  }
}
