import Foundation

/// How a run's scenarios run, the same for all.
struct WorkerSettings: Codable, Equatable, Sendable {
  /// The real seconds that a scenario may take, unless it says so itself.
  var timeLimit = 60.0
  /// Whether the network may be used.
  var isLive = false
  /// The folder of the folders that scenarios make.
  var temporaryFolder = TemporaryFolders.pathForRun()
  var snapshots = SnapshotAccess.Mode.write
  /// Whether passed scenarios report their timelines, too.
  var reportsTimelines = false
  /// Whether files report the modules that they require.
  var reportsModules = false
  /// Whether scenarios report what they touched of the app.
  var reportsCoverage = false
}

/// A scenario that is to run, which is found by its full name.
struct ScenarioRequest: Codable, Equatable, Sendable {
  let fullName: String
  /// Its own name.
  let name: String
  /// The line of its declaration.
  let line: Int
  /// See ``ScenarioDescription/caseKey``.
  let caseKey: String?

  init(_ scenario: ScenarioDescription) {
    fullName = scenario.fullName
    name = scenario.name
    line = scenario.line
    caseKey = scenario.caseKey
  }
}

/// What the runner asks of a worker process.
enum WorkerRequest: Codable, Sendable {
  /// The first request.
  case configure(WorkerSettings)
  /// Lists the scenarios of a file.
  case list(file: String)
  /// Lists what scenarios can touch of the app.
  case listCoverageItems
  /// Runs scenarios of a file, each with its own reply, in this order.
  case run(file: String, [ScenarioRequest])
}

/// What a worker process replies.
enum WorkerReply: Codable, Sendable {
  /// What a file declares.
  case listed(ListedFile)
  /// What scenarios can touch of the app.
  case coverageItems([CoverageItem])
  /// A run of a property begins, which is described for a failure: the process may not come to report it.
  case propertyRun(String)
  /// A scenario has ended.
  case ended(EndedScenario)
}

/// What a file declares.
struct ListedFile: Codable, Sendable {
  /// The scenarios; none if the file can't be loaded.
  var scenarios: [ScenarioDescription] = []
  /// Why it can't be loaded; nil if it can.
  var problem: FileProblem?
  /// The files of the modules that it requires.
  var modules: [String] = []
}

/// What came of a scenario that ran once.
struct EndedScenario: Codable, Sendable {
  var seconds = 0.0
  // Nil instead of empty, as most scenarios have none of these.
  var failures: [ScenarioFailure]?
  var timeline: [TimelineEntry]?
  var output: String?
  var usedSnapshots: Set<String>?
  var writtenSnapshots: Int?
  /// The files of the modules that the scenario's file requires.
  var modules: [String]?
  /// What the scenario touched of the app.
  var touched: Set<CoverageItem>?
}

/// Messages on a connection: each is a line of JSON.
enum MessageCoding {
  static func encode(_ message: some Encodable) throws -> [UInt8] {
    var bytes = Array(try JSONEncoder().encode(message))
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  static func decode<Message: Decodable>(_ line: some Collection<UInt8>) throws -> Message {
    try JSONDecoder().decode(Message.self, from: Data(line))
  }
}
