/// What pressing Tab should do, given what could be meant.
enum Completion: Equatable {
  /// Nothing fits.
  case none

  /// This is to be typed for the user.
  case insert(String)

  /// These are to be shown, as nothing more can be typed that holds for all of them.
  case list([String])

  /// Chooses what to do.
  ///
  /// A candidate is a whole replacement for the text before the cursor that it starts with: for the
  /// line `print(counter.incr`, both `counter.increment` and `increment` will do.
  /// - Parameters:
  ///   - line: The line up to the cursor.
  ///   - candidates: What the text before the cursor could become.
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

  /// What all the candidates start with; nil if there are none.
  private static func commonPrefix(_ candidates: [String]) -> Substring? {
    guard let first = candidates.first else { return nil }
    return candidates.dropFirst().reduce(first[...]) { prefix, candidate in
      zip(prefix.indices, zip(prefix, candidate)).first { $1.0 != $1.1 }
        .map { prefix[..<$0.0] } ?? prefix.prefix(candidate.count)
    }
  }

  /// The longest end of the line that the candidates start with.
  private static func typedPart(of prefix: Substring, in line: String) -> Substring {
    (0...min(prefix.count, line.count)).reversed().lazy.map { line.suffix($0) }
      .first { prefix.hasPrefix($0) } ?? ""
  }

  /// The candidates without the path that they share, so `counter.` lists `count` and `increment`.
  private static func names(_ candidates: [String], typed: Substring) -> [String] {
    let path = typed.lastIndex { $0 == "." || $0 == ":" }.map { typed[...$0] } ?? ""
    return Set(candidates).sorted().map { String($0.dropFirst(path.count)) }
  }
}
