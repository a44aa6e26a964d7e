/// The calls that led to an error, as `debug.traceback` writes them.
struct Traceback {
  private enum Entry: Equatable {
    case own(String, place: String)
    /// The user's own code outside of functions, at a place.
    case main(String)
    /// Functions of the host and of Lua, with their name if it is known.
    case host(String?)
    case omitted(Int)
  }

  private let entries: [Entry]

  private static let maximumCount = 10

  /// Parses a result of `debug.traceback`; `isOwn` says whether a chunk is the user's.
  init(_ text: String, isOwn: (Substring) -> Bool) {
    // The first line is the title.
    entries = text.split(separator: "\n").dropFirst().compactMap { line in
      let line = line.drop { $0 == "\t" }
      if let match = line.wholeMatch(of: /\.\.\.\t\(skipping (\d+) levels\)/) {
        // Lua leaves out one more than it says.
        return Int(match.1).map { .omitted($0 + 1) }
      }
      guard let match = line.wholeMatch(of: /(?<place>.+?): in (?<function>.*)/) else { return nil }
      let name = (match.function.firstMatch(of: /'(.*)'/)?.1).map(String.init)
      let place = match.place
      guard isOwn(place[..<(place.lastIndex(of: ":") ?? place.endIndex)]) else {
        return .host(match.function.hasPrefix("metamethod") ? nil : name)
      }
      guard match.function != "main chunk" else { return .main(String(place)) }
      let function = name.map { "function '\($0)'" } ?? "a function"
      return .own("in \(function) (\(place))", place: String(place))
    }
  }

  /// The function of the host or of Lua that the user's code called last, without its module; nil if that isn't known.
  var calledFunction: Substring? {
    var called: Substring?
    for entry in entries {
      guard case .host(let name) = entry else { break }
      called = name?.split { $0 == "." || $0 == ":" }.last
    }
    return called
  }

  var place: SourcePlace? {
    for entry in entries {
      switch entry {
      case .own(_, let place), .main(let place): return SourcePlace(place)
      case .host, .omitted: continue
      }
    }
    return nil
  }

  /// The calls of the user's own functions, innermost first, each once: "in function 'f' (input 2:3)"; then the number of
  /// the other calls; with `includesMain`, the code outside of functions is one of them.
  func ownCalls(includingMain includesMain: Bool = false) -> [String] {
    var calls: [String] = []
    var hiddenCount = 0
    func add(_ call: String) {
      if calls.count < Self.maximumCount, !calls.contains(call) {
        calls.append(call)
      } else {
        hiddenCount += 1
      }
    }
    for entry in entries {
      switch entry {
      case .own(let call, _): add(call)
      case .main(let place): if includesMain { add("in the main chunk (\(place))") }
      case .omitted(let count): hiddenCount += count
      case .host: break
      }
    }
    guard !calls.isEmpty else { return [] }
    guard hiddenCount > 0 else { return calls }
    return calls + ["... \(hiddenCount.grouped) more"]
  }
}
