/// What pressing Tab does, given the candidates.
enum Completion: Equatable {
  case none

  /// Inserts the text that all candidates continue with.
  case insert(String)

  /// Shows the candidates, as they continue differently.
  case list([String])

  /// A candidate replaces the part of the line that it begins with: for the line `print(counter.incr`, both
  /// `counter.increment` and `increment` are possible.
  ///
  /// - Parameters:
  ///   - line: The line up to the cursor.
  ///   - candidates: The possible completions.
  init(line: String, candidates: [String]) {
    guard let prefix = Self.commonPrefix(candidates) else {
      self = .none
      return
    }
    let typed = Self.typedPart(of: prefix, in: line)
    if prefix.count > typed.count {
      self = .insert(String(prefix.dropFirst(typed.count)))
    } else if candidates.count > 1 {
      self = .list(Self.names(candidates, typed: typed))
    } else {
      self = .none
    }
  }

  /// The prefix of all candidates; nil without candidates.
  private static func commonPrefix(_ candidates: [String]) -> Substring? {
    guard let first = candidates.first else { return nil }
    return candidates.dropFirst().reduce(first[...]) { prefix, candidate in
      zip(prefix.indices, zip(prefix, candidate)).first { $1.0 != $1.1 }
        .map { prefix[..<$0.0] } ?? prefix.prefix(candidate.count)
    }
  }

  /// The longest suffix of the line that the candidates begin with.
  private static func typedPart(of prefix: Substring, in line: String) -> Substring {
    (0...min(prefix.count, line.count)).reversed().lazy.map { line.suffix($0) }
      .first { prefix.hasPrefix($0) } ?? ""
  }

  /// The candidates without the path that they share, so that `counter.` lists `count` and `increment`.
  private static func names(_ candidates: [String], typed: Substring) -> [String] {
    let path = typed.lastIndex { $0 == "." || $0 == ":" }.map { typed[...$0] } ?? ""
    return Set(candidates).sorted().map { String($0.dropFirst(path.count)) }
  }
}
