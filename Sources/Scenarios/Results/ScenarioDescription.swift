/// A scenario as its file declares it.
public struct ScenarioDescription: Codable, Equatable, Sendable, Identifiable {
  /// Where a scenario is declared among those of its file.
  public struct ID: Codable, Hashable, Sendable {
    /// The path of the file, as it was given or found.
    public let file: String
    /// The number of the declaration in the file, counted from 1.
    public let number: Int

    /// Makes an identifier.
    public init(file: String, number: Int) {
      self.file = file
      self.number = number
    }
  }

  /// What is done with a scenario.
  public enum Mode: Codable, Equatable, Sendable {
    /// It runs.
    case run
    /// It doesn't run; the reason may be empty.
    case skip(reason: String)
    /// It may fail, as what it describes isn't built yet; the reason may be empty.
    case todo(reason: String)
    /// It can't run, as it is declared wrongly.
    case invalid(message: String)
  }

  /// The file and the number in it.
  public let id: ID
  /// The names of the groups around it, the outermost first, and its own name.
  public let names: [String]
  /// The line of its declaration.
  public let line: Int
  /// Its tags and those of its groups, without duplicates.
  public let tags: [String]
  /// What is done with it.
  public let mode: Mode
  /// Whether it is marked with `only`.
  public let isOnly: Bool
  /// The real seconds that it may take; nil for those of the run.
  public let timeLimit: Double?
  /// The key of its case among those of `each`: `i` and an integer, `s` and a text, or nothing for a key of another
  /// kind; nil for another scenario.
  public let caseKey: String?

  /// Makes a description.
  public init(
    id: ID, names: [String], line: Int, tags: [String] = [], mode: Mode = .run,
    isOnly: Bool = false, timeLimit: Double? = nil, caseKey: String? = nil
  ) {
    self.id = id
    self.names = names
    self.line = line
    self.tags = tags
    self.mode = mode
    self.isOnly = isOnly
    self.timeLimit = timeLimit
    self.caseKey = caseKey
  }

  /// The names of its groups and its own, as `--filter` takes them: "signup > leaves topics".
  public var fullName: String { names.joined(separator: " > ") }

  /// Its own name.
  public var name: String { names.last ?? "" }
}
