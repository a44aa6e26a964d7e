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

  /// The number of lines that ``ownCalls`` has at most.
  private static let maximumCount = 10

  /// The number of functions that are recognized when they call each other again and again.
  private static let maximumPeriod = 3

  /// - Parameters:
  ///   - text: What `debug.traceback` gave.
  ///   - chunk: The name of the chunks that the user typed.
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

  /// The calls of the user's own functions, innermost first, without repetitions: "in function 'f' (stdin:3)".
  var ownCalls: [String] {
    let own = entries.filter { entry in
      switch entry {
      case .own, .omitted: true
      case .main, .host: false
      }
    }
    guard own.contains(where: { if case .own = $0 { true } else { false } }) else { return [] }
    var calls: [String] = []
    var rest = own[...]
    while !rest.isEmpty {
      guard calls.count < Self.maximumCount else {
        calls.append(Self.omission(rest.reduce(0) { $0 + Self.count($1) }))
        break
      }
      Self.takeRepeated(from: &rest, to: &calls)
    }
    return calls
  }

  /// Takes the first calls with their repetitions.
  private static func takeRepeated(from rest: inout ArraySlice<Entry>, to calls: inout [String]) {
    for period in 1...maximumPeriod {
      let block = rest.prefix(period)
      guard block.count == period, rest.dropFirst(period).starts(with: block) else { continue }
      var omitted = 0
      var isOmitting = true
      rest = rest.dropFirst(period)
      while isOmitting, let next = rest.first {
        if case .omitted = next {} else { isOmitting = block.contains(next) }
        if isOmitting {
          omitted += count(next)
          rest = rest.dropFirst()
        }
      }
      calls += block.map(text)
      calls.append(omission(omitted))
      return
    }
    if let first = rest.popFirst() { calls.append(text(of: first)) }
  }

  private static func count(_ entry: Entry) -> Int {
    if case .omitted(let count) = entry { count } else { 1 }
  }

  private static func text(of entry: Entry) -> String {
    switch entry {
    case .own(let text): text
    case .omitted(let count): omission(count)
    case .main, .host: ""
    }
  }

  private static func omission(_ count: Int) -> String { "... \(count.grouped) more" }
}
