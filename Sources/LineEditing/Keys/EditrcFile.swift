/// Reads key bindings in the form of editrc(5).
///
/// A line is `[program:]bind`, for programs whose name contains the text, with `-v` or `-e` (the keys of vi or Emacs), with
/// a key and a command, or with `-r` and a key to remove; `-a` means the keys of vi's command mode, and `-k` an arrow
/// key by its name. Other builtin commands of editline have no meaning here and are ignored.
package enum EditrcFile {
  /// A line that can't be used.
  package struct Problem: Error, Equatable, Sendable {
    /// Counted from 1.
    package let line: Int
    package let message: String
  }

  /// Applies the lines of a file that aren't for other programs, and returns those that can't be used.
  package static func apply(
    _ text: String, program: String, to keyMap: inout KeyMap
  ) -> [Problem] {
    var problems: [Problem] = []
    // The file may come from a system whose lines end in CR LF, which is one character.
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() {
      do throws(BindError) {
        try apply(line: words(of: line), program: program, to: &keyMap)
      } catch {
        problems.append(Problem(line: index + 1, message: error.message))
      }
    }
    return problems
  }

  private struct BindError: Error {
    let message: String

    init(_ message: String) { self.message = message }
  }

  private static let ignoredCommands: Set<String> = [
    "edit", "echotc", "history", "settc", "setty", "telltc",
  ]

  private static func apply(
    line words: [String], program: String, to keyMap: inout KeyMap
  ) throws(BindError) {
    guard var name = words.first, !name.hasPrefix("#") else { return }
    if let colon = name.firstIndex(of: ":") {
      guard program.contains(name[..<colon]) else { return }
      name = String(name[name.index(after: colon)...])
    }
    if name == "bind" { return try bind(words.dropFirst(), in: &keyMap) }
    guard ignoredCommands.contains(name) else {
      throw BindError("unknown command '\(name)'")
    }
  }

  // MARK: - bind

  private static func bind(
    _ words: ArraySlice<String>, in keyMap: inout KeyMap
  ) throws(BindError) {
    let options = words.prefix { $0.hasPrefix("-") && $0.count > 1 && $0 != "-" }
    let flags = Set(options.joined()).subtracting(["-"])
    if let unknown = flags.subtracting("aeklrv").sorted().first {
      throw BindError("bind has no option -\(unknown)")
    }
    if flags.contains("v") { keyMap = .vi }
    if flags.contains("e") { keyMap = .emacs }
    let arguments = Array(words.dropFirst(options.count))
    guard let keyName = arguments.first else { return }
    let keys = try flags.contains("k") ? arrowKey(named: keyName) : self.keys(in: keyName)
    // A key alone lists its binding.
    guard arguments.count > 1 || flags.contains("r") else { return }
    let command = try flags.contains("r") ? nil : command(named: arguments[1])
    if flags.contains("a") {
      keyMap.commanding[keys] = command
    } else {
      keyMap.inserting[keys] = command
    }
  }

  private static func command(named name: String) throws(BindError) -> EditorCommand {
    // Programs that use editline in place of readline have this name for completion.
    if name == "rl_complete" { return .complete }
    guard let command = EditorCommand(rawValue: name) else {
      throw BindError("bind knows no command '\(name)'")
    }
    return command
  }

  private static func arrowKey(named name: String) throws(BindError) -> [Key] {
    switch name {
    case "up": return [.up]
    case "down": return [.down]
    case "left": return [.left]
    case "right": return [.right]
    default: throw BindError("there is no arrow key '\(name)'")
    }
  }

  // MARK: - Notation

  /// Quotes keep blanks, and single backslashes before other characters stay, for the notation of keys.
  private static func words(of line: Substring) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = line[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        let next = rest.first
        // Outside of quotes, a backslash quotes a backslash or a blank.
        if quote == nil, let next, next == "\\" || next.isBlank {
          word = (word ?? "") + (next == "\\" ? "\\" : " ")
          rest.removeFirst()
        } else {
          word = (word ?? "") + "\\"
          if let next {
            word?.append(next)
            rest.removeFirst()
          }
        }
      case quote: quote = nil
      case "'" where quote == nil, "\"" where quote == nil:
        quote = character
        word = word ?? ""
      case _ where quote == nil && character.isWhitespace:
        if let ended = word { words.append(ended) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }

  /// The keys of a notation such as `^X`, `\e[A`, `\033[A` or `M-x`.
  private static func keys(in notation: String) throws(BindError) -> [Key] {
    var bytes: [UInt8] = []
    var rest = notation[...]
    while let character = rest.popFirst() {
      switch character {
      case "^":
        guard let name = rest.popFirst(), let byte = name.uppercased().utf8.first else {
          throw BindError("'\(notation)' ends with ^")
        }
        bytes.append(name == "?" ? 0x7F : byte & 0x1F)
      case "\\": bytes += try escape(&rest, in: notation)
      case "M" where rest.first == "-" && rest.count > 1:
        rest.removeFirst()
        bytes.append(0x1B)
      default: bytes += Array(String(character).utf8)
      }
    }
    var decoder = KeyDecoder()
    let keys = decoder.decode(bytes) + decoder.flush()
    guard !keys.isEmpty, !keys.contains(.unknown) else {
      throw BindError("'\(notation)' isn't a key")
    }
    return keys
  }

  private static func escape(
    _ rest: inout Substring, in notation: String
  ) throws(BindError) -> [UInt8] {
    guard let character = rest.popFirst() else {
      throw BindError("'\(notation)' ends with a backslash")
    }
    switch character {
    case "a": return [0x07]
    case "b": return [0x08]
    case "e", "E": return [0x1B]
    case "f": return [0x0C]
    case "n": return [0x0A]
    case "r": return [0x0D]
    case "t": return [0x09]
    case "v": return [0x0B]
    case "0"..."7":
      let more = rest.prefix(2).prefix { ("0"..."7").contains($0) }
      rest = rest.dropFirst(more.count)
      guard let byte = UInt8(String(character) + more, radix: 8) else {
        throw BindError("'\(notation)' has a number above \\377")
      }
      return [byte]
    default: return Array(String(character).utf8)
    }
  }
}
