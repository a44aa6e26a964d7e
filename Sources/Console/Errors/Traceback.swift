/// The calls that led to an error, as `debug.traceback` writes them.
struct Traceback {
  private enum Entry: Equatable {
    /// A function of the user's own.
    case own(String)
    /// The user's own code outside of functions.
    case main
    /// Functions of the host and of Lua.
    case host
    /// A number of calls that the text leaves out.
    case omitted(Int)
  }

  private let entries: [Entry]

  /// The maximum number of calls that are shown.
  private static let maximumCount = 10

  /// Parses a result of `debug.traceback`; the user typed the chunks of the name `chunk`.
  init(_ text: String, ownChunk chunk: String) {
    // The first line is the title.
    entries = text.split(separator: "\n").dropFirst().compactMap { line in
      let line = line.drop { $0 == "\t" }
      if let match = line.wholeMatch(of: /\.\.\.\t\(skipping (\d+) levels\)/) {
        // Lua leaves out one more than it says.
        return Int(match.1).map { .omitted($0 + 1) }
      }
      guard let match = line.wholeMatch(of: /(?<place>.+?): in (?<function>.*)/) else { return nil }
      guard Self.isOwn(match.place, chunk) else { return .host }
      guard match.function != "main chunk" else { return .main }
      let name = match.function.firstMatch(of: /'(.*)'/)?.1
      let function = name.map { "function '\($0)'" } ?? "a function"
      return .own("in \(function) (\(match.place))")
    }
  }

  /// Whether code at a place such as "stdin:3" is the user's.
  ///
  /// The kit's own chunks have names of a single word; files have a folder or an ending.
  private static func isOwn(_ place: Substring, _ chunk: String) -> Bool {
    let name = place[..<(place.lastIndex(of: ":") ?? place.endIndex)]
    return name == chunk || name == "(command line)" || name.hasPrefix("[string ")
      || name.contains("/") || (name.contains(".") && name != "[C]")
  }

  /// Whether the error happened in a function of the user's own, not in the chunk itself.
  var endsInOwnFunction: Bool {
    for case let entry in entries where entry != .host {
      if case .own = entry { return true }
      return false
    }
    return false
  }

  /// The calls of the user's own functions, innermost first, each once: "in function 'f' (stdin:3)"; then the number of the
  /// other calls.
  var ownCalls: [String] {
    var calls: [String] = []
    var hiddenCount = 0
    for entry in entries {
      switch entry {
      case .own(let call) where calls.count < Self.maximumCount && !calls.contains(call):
        calls.append(call)
      case .own: hiddenCount += 1
      case .omitted(let count): hiddenCount += count
      case .main, .host: break
      }
    }
    guard !calls.isEmpty else { return [] }
    return calls + (hiddenCount > 0 ? ["... \(hiddenCount.grouped) more"] : [])
  }
}
