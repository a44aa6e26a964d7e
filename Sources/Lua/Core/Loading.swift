internal import CLua
internal import CLuaTrampolines
public import PrimereplFoundation

// Chunks: compiling them, their names and their environments.

extension LuaState {
  /// Compiles a chunk of source text.
  ///
  /// ```swift
  /// let state = try LuaState()
  /// let sum = try state.load("return 1 + 2").call(as: Int.self)
  /// ```
  ///
  /// - Parameters:
  ///   - source: The text; a byte order mark, and a first line that begins with "#", are skipped.
  ///   - name: The chunk's name in messages; without one they show the beginning of its text, as Lua does:
  ///     `[string "return x..."]`.
  ///   - environment: The table of the chunk's global variables; by default the state's own.
  /// - Returns: The chunk as a function.
  /// - Throws: ``LuaError`` (`syntax_error`) with the chunk's name and the line.
  public func load(_ source: String, name: ChunkName? = nil, environment: LuaTable? = nil)
    throws(LuaError) -> LuaFunction
  {
    try load(source.utf8, name: name, environment: environment)
  }

  /// Compiles a chunk of source text in any bytes, as ``load(_:name:environment:)`` of a text.
  public func load(
    _ source: some Collection<UInt8>, name: ChunkName? = nil, environment: LuaTable? = nil
  ) throws(LuaError) -> LuaFunction {
    let text = Array(source).scriptText
    return try load(
      text, name?.luaName ?? ChunkName.luaName(ofText: text), mode: "t", in: environment)
  }

  /// Compiles the chunk of source text in a file.
  ///
  /// Its path is the chunk's name in messages.
  ///
  /// - Throws: ``LuaError``: `file_unreadable`, which says why, or `syntax_error`.
  public func load(contentsOf path: String, environment: LuaTable? = nil) throws(LuaError)
    -> LuaFunction
  {
    let source = try Self.contents(ofFile: path)
    return try load(source, name: .file(path), environment: environment)
  }

  /// Compiles the chunk of source text in a file, as ``load(contentsOf:environment:)`` of a path.
  public func load(contentsOf file: URL, environment: LuaTable? = nil) throws(LuaError)
    -> LuaFunction
  {
    guard file.isFileURL else {
      throw LuaError(.fileUnreadable, "cannot read \(file.absoluteString): not the URL of a file")
    }
    return try load(contentsOf: file.path(percentEncoded: false), environment: environment)
  }

  /// Loads a chunk that ``LuaFunction/bytecode()`` made, which is faster than compiling its source.
  ///
  /// Lua doesn't check it: one of another origin can crash the process.
  package func load(bytecode: [UInt8], name: ChunkName, environment: LuaTable? = nil)
    throws(LuaError) -> LuaFunction
  {
    try load(bytecode, name.luaName, mode: "b", in: environment)
  }

  /// Loads a chunk: of source text in the mode "t", of bytecode in the mode "b".
  private func load(
    _ chunk: [UInt8], _ name: [CChar], mode: String, in environment: LuaTable?
  ) throws(LuaError) -> LuaFunction {
    try core.withStack { stack throws(LuaError) in
      let status = chunk.withUnsafeBytes { buffer in
        luaL_loadbufferx(
          stack.pointer, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count,
          name, mode)
      }
      guard status == LUA_OK else {
        let location = LuaError.Location(clua_get_syntax_place(stack.pointer, name))
        var error = stack.popError(status: status)
        error.location = location
        throw error
      }
      if let environment {
        try environment.push(to: stack)
        // A chunk's first upvalue is its _ENV, even if it uses no globals. Bytecode of a function without upvalues has
        // none: then the table isn't popped.
        if lua_setupvalue(stack.pointer, -2, 1) == nil { stack.pop(1) }
      }
      return LuaFunction(popping: stack)
    }
  }

  private static func contents(ofFile path: String) throws(LuaError) -> [UInt8] {
    func unreadable(_ reason: String) -> LuaError {
      LuaError(.fileUnreadable, "cannot read \(path): \(reason)")
    }
    guard !path.utf8.contains(0) else { throw unreadable("its path has a NUL") }
    guard let file = fopen(path, "rb") else { throw unreadable(String(cString: strerror(errno))) }
    defer { fclose(file) }
    let pieceLength = 0x1_0000
    var contents: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: pieceLength)
    var count: Int
    repeat {
      count = fread(&piece, 1, pieceLength, file)
      contents += piece[..<count]
    } while count == pieceLength
    guard ferror(file) == 0 else { throw unreadable(String(cString: strerror(errno))) }
    return contents
  }
}

extension LuaError.Code {
  /// A file that can't be read.
  public static let fileUnreadable: Self = "file_unreadable"
}

extension [UInt8] {
  /// The source as scripts are read: without a byte order mark, and without a first line that begins with "#", whose
  /// line end stays so that lines keep their numbers.
  fileprivate var scriptText: [UInt8] {
    let text = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    return Array(text.first == UInt8(ascii: "#") ? text.drop { $0 != UInt8(ascii: "\n") } : text)
  }
}

/// The name of a chunk of Lua code in messages.
public enum ChunkName: Sendable {
  /// A file: messages show its path and the line.
  case file(String)
  /// A file whose path need not be UTF-8: messages show `\xff` for a byte that isn't.
  case fileBytes([UInt8])
  /// Any other source: messages show the text as it is, and the line.
  case text(String)

  /// The name with the mark by which Lua tells them apart (`lua_load` in the manual).
  var luaName: [CChar] {
    let bytes: [UInt8] =
      switch self {
      case .file(let path): Array("@\(path)".utf8)
      case .fileBytes(let path): Array("@".utf8) + path
      case .text(let text): Array("=\(text)".utf8)
      }
    return bytes.map(CChar.init(bitPattern:)) + [0]
  }

  /// The name of a chunk that has only its text, of which messages show the beginning of the first line.
  ///
  /// Lua itself would keep the whole text, and cut it anywhere.
  static func luaName(ofText text: [UInt8]) -> [CChar] {
    let line = text.prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
    // As much as Lua shows, without a character that is cut.
    var shown = line.prefix(44)
    while let last = shown.last, shown.endIndex < line.endIndex, last >= 0x80,
      line[shown.endIndex] & 0xC0 == 0x80
    {
      shown.removeLast()
    }
    // A text that begins with "@" or "=" would pass for another kind of name; no chunk that compiles does.
    let isMarked = line.first == UInt8(ascii: "@") || line.first == UInt8(ascii: "=")
    let bytes = (isMarked ? [UInt8(ascii: " ")] : []) + shown
    // After a line end, Lua shows that there is more.
    let isCut = shown.endIndex < text.endIndex
    return bytes.map(CChar.init(bitPattern:)) + (isCut ? [CChar(UInt8(ascii: "\n"))] : []) + [0]
  }
}
