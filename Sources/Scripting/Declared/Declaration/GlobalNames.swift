import PrimereplPlatform

/// The global variables that the files of an app read while they are loaded.
///
/// A variable that isn't there is usually misspelled, and in a table it would silently leave a field out.
struct GlobalNames {
  /// The tokens of the files so far, by their paths.
  private var files: [String: [LuaTokens.Token]] = [:]
  private let modules: Set<String>

  init(of file: DeclaredFile, modules: Set<String>) {
    self.modules = modules
    files[file.path] = Array(LuaTokens(file.bytes, isFile: true))
  }

  /// The names that code looks for to find out which Lua runs it.
  private static let ofOtherVersions: Set<String> = [
    "_VERSION", "bit", "bit32", "getfenv", "jit", "loadstring", "module", "setfenv", "unpack",
  ]

  /// The message for reading a global variable that isn't there; nil if it may be read.
  ///
  /// The place is as errors of Lua begin with it: "shop.lua:3: ". The known names are those that could be meant.
  mutating func problem(
    of name: String, at place: String, _ paths: [String], known: [String]
  ) -> String? {
    // Scripts have these, and functions for scripts may use them.
    if ReservedNames.owner(of: name) != nil || Self.ofOtherVersions.contains(name)
      || modules.contains(name)
    {
      return nil
    }
    guard let match = place.wholeMatch(of: #/(.+):(\d+): /#), let line = Int(match.2),
      let tokens = tokens(of: match.1, paths), !Self.isOnlyTested(name, in: tokens, line)
    else { return nil }
    let text = "there is no variable \(name.shortenedForMessage)"
    if DeclarationReader.typeNames.contains(name) {
      return "\(text); write the type in quotes: \(name.luaLiteral)"
    }
    if let type = name.nearest(of: DeclarationReader.typeNames) {
      return "\(text); did you mean \(type.luaLiteral), in quotes?"
    }
    return text + (name.suggestion(of: known) ?? "; a type is written in quotes: \"string\"")
  }

  /// The tokens of a file by its name in messages, which have only the end of a long path.
  private mutating func tokens(
    of name: Substring, _ paths: [String]
  ) -> [LuaTokens.Token]? {
    let path = (Array(files.keys) + paths).first { path in
      name.hasPrefix("...") ? path.hasSuffix(name.dropFirst(3)) : path == name
    }
    guard let path else { return nil }
    if let known = files[path] { return known }
    do throws(SystemCallError) {
      files[path] = Array(LuaTokens(try FileSystem.contents(of: path), isFile: true))
    } catch {
      // It was read a moment ago; without it, the variable is nil, as in any Lua.
    }
    return files[path]
  }

  /// Whether all uses of a variable on a line only ask whether it is there: `x or 1`, `if x then`, `x == nil`, `type(x)`.
  private static func isOnlyTested(
    _ name: String, in tokens: [LuaTokens.Token], _ line: Int
  ) -> Bool {
    func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }
    let uses = tokens.indices.filter {
      tokens[$0].line == line && tokens[$0].text == name && ![".", ":"].contains(text($0 - 1))
        // A key, or an assignment.
        && !(text($0 + 1) == "=" && text($0 + 2) != "=")
    }
    return uses.allSatisfy { index in
      let (before, previous) = (text(index - 2), text(index - 1))
      return ["or", "and", "then", "do", "=", "~"].contains(text(index + 1)) || previous == "not"
        // The right side of a comparison.
        || previous == "=" && ["=", "~"].contains(before)
        || previous == "(" && before == "type"
    }
  }
}
