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
  /// warnings about failed finalizers aren't redirected. While the state closes, finalizers that are older than the
  /// redirection can't write any longer.
  ///
  /// - Parameter write: Takes the bytes of each call: of `print` a line, with its line end. What it throws is raised in
  ///   the script. `nil` restores standard output.
  /// - Throws: ``LuaError`` (`state_closed`).
  public func redirectOutput(to write: ((LuaString) throws -> Void)?) throws(LuaError) {
    try core.withStack { stack in
      if let write {
        let function = HostFunction { stack in
          try write(LuaString.read(from: stack, at: 1))
          return 0
        }
        // The function outlives the objects of any scope.
        stack.inScope(Int32(CLUA_NO_SCOPE)) { function.pushFunction(to: stack) }
      } else {
        stack.pushNil()
      }
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
