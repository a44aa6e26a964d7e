import Lua
import Scripting

/// The functions and values of Lua's standard library (section 6 of the manual), and those that every app adds to them.
package enum LuaLibrarySignatures {
  /// The signature of a function or value, such as `string.format` and `file:close`; nil for an unknown name.
  package static subscript(_ name: String) -> CallSignature? {
    lines[name].map { CallSignature(of: LuaMember(parsing: $0), owner: "") }
  }

  package static var names: [String] { Array(lines.keys) }

  static let globals: Set<String> = Set(
    lines.keys.compactMap { name in
      name.hasPrefix("file:") ? nil : String(name.prefix { $0 != "." })
    })

  static let fileMethods: [String] = lines.keys.compactMap { name in
    name.hasPrefix("file:") ? String(name.dropFirst("file:".count)) : nil
  }

  /// The lines below by their names, parsed on first use.
  private static let lines: [String: Substring] = {
    let texts = [basic, coroutines, strings, tables, numbers, files, system, debugging]
    return Dictionary(
      texts.flatMap { $0.split(separator: "\n") }.map { line in
        (String(line.prefix { $0 != "(" && $0 != " " }), line)
      }, uniquingKeysWith: { first, _ in first })
  }()

  private static let basic = """
    help([x]) | Describes all modules, one module, or a function.
    inspect(value): string | The value as Lua text: tables with their contents, sorted by key.
    show(...) | Prints values as the prompt shows them: a list of records as a table.
    template(text, values): string | Fills a text with values by their paths: "{name}", "{price.net:%.2f}".
    app | The session's store, with all its modules: app.counter is counter.
    arg | The script's arguments.
    assert(v, [message], ...): v, message, ... | Returns its arguments, or raises the message if v is nil or false.
    collectgarbage([opt], [arg]): any | Controls the garbage collector: "collect", "count", "step", "stop" and so on.
    dofile([filename]): ... | Runs a file and returns its results.
    error(message, [level]) | Raises an error; level says whose position the message gets.
    _G | The table of all global variables.
    getmetatable(object): table | The object's metatable, or its __metatable field; nil if there is none.
    ipairs(t): function, t, 0 | Iterates over t[1], t[2] and so on, up to the first nil.
    load(chunk, [chunkname], [mode], [env]): function | Compiles a chunk; nil and a message if it is wrong.
    loadfile([filename], [mode], [env]): function | Compiles a file; nil and a message if it is wrong.
    next(table, [index]): index, value | The key after index, with its value; nil after the last.
    pairs(t): function, t, nil | Iterates over all keys and values, in any order.
    pcall(f, ...): boolean, ... | Calls f; true and its results, or false and the error.
    print(...) | Prints its arguments with tabs between them.
    rawequal(v1, v2): boolean | Whether two values are equal, without __eq.
    rawget(table, index): value | The value of table[index], without __index.
    rawlen(v): integer | The length of a table or string, without __len.
    rawset(table, index, value): table | Sets table[index], without __newindex.
    require(modname): value, data | Loads a module, once.
    select(n, ...): ... | The arguments from the n-th on; their number for "#".
    setmetatable(table, metatable): table | Sets the table's metatable, and returns the table.
    tonumber(e, [base]): number | Converts to a number; nil if that isn't possible.
    tostring(v): string | Converts to a string.
    type(v): string | The type: "nil", "number", "string", "boolean", "table", "function", "thread" or "userdata".
    _VERSION | The version of Lua.
    warn(msg1, ...) | Emits a warning.
    xpcall(f, msgh, ...): boolean, ... | Calls f as pcall does, with a message handler.
    """

  private static let coroutines = """
    coroutine.close(co): boolean, error | Closes a coroutine that is suspended or dead.
    coroutine.create(f): thread | A new coroutine that runs f.
    coroutine.isyieldable([co]): boolean | Whether the coroutine can yield.
    coroutine.resume(co, ...): boolean, ... | Starts or continues a coroutine.
    coroutine.running(): thread, boolean | The running coroutine, and whether it is the main one.
    coroutine.status(co): string | "running", "suspended", "normal" or "dead".
    coroutine.wrap(f): function | A function that resumes a new coroutine each time it is called.
    coroutine.yield(...): ... | Suspends the running coroutine.
    """

  private static let strings = """
    string.byte(s, [i], [j]): integer, ... | The codes of the bytes s[i] to s[j].
    string.char(...): string | The string of the bytes with these codes.
    string.dump(function, [strip]): string | The function in binary form, for load.
    string.find(s, pattern, [init], [plain]): integer, integer, ... | Where the first match begins and ends, and its captures.
    string.format(formatstring, ...): string | Formats its arguments as C's printf does: %d %5.2f %s %q %x.
    string.gmatch(s, pattern, [init]): function | Iterates over the captures of all matches.
    string.gsub(s, pattern, repl, [n]): string, integer | Replaces matches by a string, a table's values or a function's results.
    string.len(s): integer | The length in bytes.
    string.lower(s): string | With small letters.
    string.match(s, pattern, [init]): string, ... | The captures of the first match, or the match itself.
    string.pack(fmt, ...): string | Packs values in binary form.
    string.packsize(fmt): integer | The length of what string.pack makes.
    string.rep(s, n, [sep]): string | Repeats a string n times, with a separator.
    string.reverse(s): string | The bytes in reverse order.
    string.sub(s, i, [j]): string | The bytes from i to j; negative positions count from the end.
    string.unpack(fmt, s, [pos]): ... | The values packed in a string, and the position after them.
    string.upper(s): string | With capital letters.
    utf8.char(...): string | The UTF-8 string of the characters with these codes.
    utf8.charpattern | The pattern that matches one UTF-8 character.
    utf8.codepoint(s, [i], [j], [lax]): integer, ... | The codes of the characters that begin between i and j.
    utf8.codes(s, [lax]): function | Iterates over the positions and codes of all characters.
    utf8.len(s, [i], [j], [lax]): integer | The number of characters; nil and a position if the string isn't UTF-8.
    utf8.offset(s, n, [i]): integer | The position where the n-th character begins, counted from i.
    """

  private static let tables = """
    table.concat(list, [sep], [i], [j]): string | Joins strings and numbers, with a separator.
    table.insert(list, [pos], value) | Inserts a value, by default at the end.
    table.move(a1, f, e, t, [a2]): table | Copies a1[f] to a1[e] to a2[t] and so on.
    table.pack(...): table | A table of the arguments, with their number as n.
    table.remove(list, [pos]): value | Removes an element, by default the last, and returns it.
    table.sort(list, [comp]) | Sorts in place, by < or by a function.
    table.unpack(list, [i], [j]): ... | The elements from i to j.
    """

  private static let numbers = """
    math.abs(x): number | The absolute value.
    math.acos(x): number | The arc cosine, in radians.
    math.asin(x): number | The arc sine, in radians.
    math.atan(y, [x]): number | The arc tangent of y/x, in radians, by the signs of both.
    math.ceil(x): integer | The smallest integer that isn't less than x.
    math.cos(x): number | The cosine of an angle in radians.
    math.deg(x): number | Converts radians to degrees.
    math.exp(x): number | e to the power x.
    math.floor(x): integer | The largest integer that isn't greater than x.
    math.fmod(x, y): number | The remainder of x/y, rounding the quotient towards zero.
    math.huge | The float infinity.
    math.log(x, [base]): number | The logarithm, by default the natural one.
    math.max(x, ...): number | The greatest argument.
    math.maxinteger | The greatest integer.
    math.min(x, ...): number | The least argument.
    math.mininteger | The least integer.
    math.modf(x): float, float | The integral and the fractional part.
    math.pi | The number π.
    math.rad(x): number | Converts degrees to radians.
    math.random([m], [n]): number | A random float from 0 to 1, or an integer from 1 to m or from m to n.
    math.randomseed([x], [y]): integer, integer | Seeds the random numbers.
    math.sin(x): number | The sine of an angle in radians.
    math.sqrt(x): float | The square root.
    math.tan(x): number | The tangent of an angle in radians.
    math.tointeger(x): integer | The number as an integer; nil if it is none.
    math.type(x): string | "integer", "float", or nil for what isn't a number.
    math.ult(m, n): boolean | Whether m is less than n as unsigned integers.
    math.atan2(y, x): number | Deprecated: use math.atan(y, x).
    math.cosh(x): number | Deprecated: the hyperbolic cosine.
    math.frexp(x): number, integer | Deprecated: the mantissa and the exponent.
    math.ldexp(x, e): number | Deprecated: use x * 2.0^e.
    math.log10(x): number | Deprecated: use math.log(x, 10).
    math.pow(x, y): number | Deprecated: use x^y.
    math.sinh(x): number | Deprecated: the hyperbolic sine.
    math.tanh(x): number | Deprecated: the hyperbolic tangent.
    """

  private static let files = """
    io.close([file]) | Closes a file, by default the output.
    io.flush() | Writes what the output has buffered.
    io.input([filename]): file | The input file; opens one and makes it the input.
    io.lines([filename], ...): function | Iterates over a file's lines.
    io.open(filename, [mode]): file | Opens a file: "r", "w", "a", "r+", "w+", "a+", each also with "b".
    io.output([filename]): file | The output file; opens one and makes it the output.
    io.popen(prog, [mode]): file | Starts a program, to read its output or to write its input.
    io.read(...): ... | Reads from the input: "n", "a", "l", "L" or a number of bytes.
    io.stderr | The file of error messages.
    io.stdin | The standard input.
    io.stdout | The standard output.
    io.tmpfile(): file | A temporary file, removed when the program ends.
    io.type(obj): string | "file", "closed file", or nil for what isn't a file.
    io.write(...): file | Writes strings and numbers to the output.
    file:close(): boolean | Closes the file.
    file:flush(): file | Writes what is buffered.
    file:lines(...): function | Iterates over the lines.
    file:read(...): ... | Reads: "n", "a", "l", "L" or a number of bytes.
    file:seek([whence], [offset]): integer | Moves to a position: from "set", "cur" or "end".
    file:setvbuf(mode, [size]): boolean | Sets the buffering: "no", "full" or "line".
    file:write(...): file | Writes strings and numbers.
    """

  private static let system = """
    os.clock(): number | The CPU time of the program, in seconds.
    os.date([format], [time]): string | A date and time as text, or as a table for "*t".
    os.difftime(t2, t1): number | The seconds from t1 to t2.
    os.execute([command]): boolean, string, integer | Runs a command of the shell.
    os.exit([code], [close]) | Ends the program.
    os.getenv(varname): string | An environment variable; nil if it isn't set.
    os.remove(filename): boolean | Removes a file.
    os.rename(oldname, newname): boolean | Renames a file.
    os.setlocale(locale, [category]): string | Sets the locale.
    os.time([table]): integer | The current time, or that of a table with year, month, day and so on.
    os.tmpname(): string | A name for a temporary file.
    package.config | The characters that separate folders and templates in paths.
    package.cpath | The path that require searches for C libraries.
    package.loaded | The modules that were loaded, by name.
    package.loadlib(filename, funcname): function | Loads a C library.
    package.path | The path that require searches for Lua files.
    package.preload | Loaders for some modules, by name.
    package.searchers | The functions that require searches with.
    package.searchpath(name, path, [sep], [rep]): string | The first of the path's files that exists for a name.
    """

  private static let debugging = """
    debug.debug() | Runs each line that is typed, until "cont".
    debug.gethook([thread]): function, string, integer | The thread's hook.
    debug.getinfo([thread], f, [what]): table | What is known of a function, or of a level of the stack.
    debug.getlocal([thread], f, local): string, any | The name and value of a local variable.
    debug.getmetatable(value): table | The value's metatable, whatever its __metatable.
    debug.getregistry(): table | A copy of the registry.
    debug.getupvalue(f, up): string, any | The name and value of an upvalue.
    debug.getuservalue(u, [n]): any | A value that belongs to a userdata.
    debug.setcstacklimit(limit): integer | Deprecated: has no effect.
    debug.sethook([thread], hook, mask, [count]) | Sets the thread's hook.
    debug.setlocal([thread], level, local, value): string | Sets a local variable.
    debug.setmetatable(value, table): any | Sets the metatable of any value.
    debug.setupvalue(f, up, value): string | Sets an upvalue.
    debug.setuservalue(udata, value, [n]): any | Sets a value that belongs to a userdata.
    debug.traceback([thread], [message], [level]): string | The calls of the stack, as text.
    debug.upvalueid(f, n): userdata | What tells an upvalue from others.
    debug.upvaluejoin(f1, n1, f2, n2) | Makes an upvalue of f1 that of f2.
    """
}
