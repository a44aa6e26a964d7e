internal import CLua
internal import CLuaTrampolines

extension LuaState {
  /// Passes the standard output of scripts to a function.
  ///
  /// ```swift
  /// var log = ""
  /// try state.redirectOutput { log += $0.description }
  /// try state.load("print('a', 1)").call()  // log is "a\t1\n"
  /// ```
  ///
  /// This is the output of `print`, `io.write` and `warn`, and of the method `write` of the file `io.stdout`; for `io.write`
  /// as long as scripts don't set another file by `io.output`. Other files, `io.stderr`, child processes, and Lua's own
  /// warnings about failed finalizers aren't redirected.
  ///
  /// - Parameter write: Takes the bytes of each call: of `print` a line, with its line end. What it throws is raised in
  ///   the script. `nil` restores standard output.
  /// - Throws: ``LuaError`` (`state_closed`).
  public func redirectOutput(to write: ((LuaString) throws -> Void)?) throws(LuaError) {
    try core.withStack { stack in
      let output = core.output as? RedirectedOutput ?? RedirectedOutput()
      core.output = output
      output.write = write
      if write == nil { stack.pushNil() } else { output.pushFunction(to: stack) }
      clua_set_output(stack.pointer)
    }
  }
}

extension LuaState {
  /// The number of the last error that scripts had with standard output, in any state; 0 if there was none.
  ///
  /// `print` ignores errors, and the C library keeps no more than that there was one.
  package static var outputFailure: Int32 { clua_output_failure() }
}

/// The function of the host that takes the output of scripts.
///
/// The state's core keeps it, not Lua: finalizers may write until the state is closed, when Lua has collected its own
/// objects.
final class RedirectedOutput {
  var write: ((LuaString) throws -> Void)?

  fileprivate func pushFunction(to stack: LuaStack) {
    let object = Unmanaged.passUnretained(self).toOpaque()
    // The function outlives the objects of any scope.
    stack.inScope(Int32(CLUA_NO_SCOPE)) {
      clua_push_box(
        stack.pointer, object,
        { pointer, object in
          Unmanaged<RedirectedOutput>.fromOpaque(object)._withUnsafeGuaranteedRef {
            $0.write(LuaStack(pointer))
          }
        }, { _, _ in })
    }
    lua_pushcclosure(stack.pointer, clua_function, 1)
  }

  /// Takes the string at the bottom of the stack; returns what a trampoline expects.
  private func write(_ stack: LuaStack) -> Int32 {
    do {
      try write?(LuaString.read(from: stack, at: 1))
      return 0
    } catch {
      return stack.raise(error)
    }
  }
}
