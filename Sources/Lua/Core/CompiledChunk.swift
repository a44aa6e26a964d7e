internal import CLua
internal import Synchronization

/// A chunk of Lua code that is loaded into many states of a process.
///
/// It is compiled for the first states, and then kept as bytecode: most processes have a single state.
package final class CompiledChunk: Sendable {
  /// Whether a chunk keeps its lines and the names of its variables, for errors.
  package enum DebugInformation: Sendable {
    case kept
    /// They may be missing, as a chunk without them loads faster.
    case optional
    /// They are left out: errors have the places of the code that calls the chunk.
    case hidden
  }

  /// The chunk as it is kept for the next state.
  private enum Form {
    case source
    /// Its source was compiled for one state.
    case usedSource
    case bytecode([UInt8])
  }

  private let source: [UInt8]
  private let name: ChunkName
  private let debugInformation: DebugInformation
  private let form = Mutex(Form.source)

  /// Makes a chunk of source text, which is compiled when it is first used.
  package init(
    _ source: [UInt8], name: ChunkName, _ debugInformation: DebugInformation = .kept
  ) {
    (self.source, self.name, self.debugInformation) = (source, name, debugInformation)
  }

  package func function(in state: LuaState, environment: LuaTable? = nil) throws(LuaError)
    -> LuaFunction
  {
    let form = form.withLock(\.self)
    if case .bytecode(let bytecode) = form {
      return try state.load(bytecode: bytecode, name: name, environment: environment)
    }
    let function = try state.load(source, name: name, environment: environment)
    if case .source = form, debugInformation != .hidden {
      self.form.withLock { $0 = .usedSource }
      return function
    }
    let bytecode = try function.bytecode(isStripped: debugInformation != .kept)
    self.form.withLock { $0 = .bytecode(bytecode) }
    guard debugInformation == .hidden else { return function }
    return try state.load(bytecode: bytecode, name: name, environment: environment)
  }
}
