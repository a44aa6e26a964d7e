import PrimereplFoundation

/// The settings of all scenarios of a run.
struct WorkerSettings: Codable, Equatable, Sendable {
  /// The time limit of scenarios without one of their own, in seconds of real time.
  var timeLimit = 60.0
  /// Whether the network may be used.
  var isLive = false
  /// The folder of the folders that scenarios make.
  var temporaryFolder = TemporaryFolders.pathForRun()
  /// The file for the steps of a property's run; nil if nobody reads it.
  var stepFile: String?
  var snapshots = SnapshotAccess.Mode.write
  /// Whether passed scenarios report their timelines, too.
  var reportsTimelines = false
  var reportsModules = false
  var reportsCoverage = false
}

/// A request of the runner to a worker process.
enum WorkerRequest: Codable, Sendable {
  /// The first request.
  case configure(WorkerSettings)
  case list(file: String)
  case listCoverageItems
  /// Runs scenarios of a file, found by their full names, each with its own reply, in this order.
  case run(file: String, [ScenarioDescription])
}

enum WorkerReply: Codable, Sendable {
  /// The request arrived. A process that ends without this reply has done nothing.
  case began
  case listed(ListedFile)
  case coverageItems([CoverageItem])
  case progress(ScenarioProgress)
  case ended(EndedScenario)
}

/// A stage of a scenario.
enum ScenarioProgress: Codable, Sendable {
  /// A run of a property begins. Its description is for the failure if the process ends in it.
  case propertyRun(String)
  /// The functions of `after` run, which have a time limit of their own.
  case cleanup
}

/// The declarations of a file.
struct ListedFile: Codable, Sendable {
  /// The scenarios; none if the file can't be loaded.
  var scenarios: [ScenarioDescription] = []
  /// Why it can't be loaded; nil if it can.
  var problem: FileProblem?
  /// The files of the modules that it requires.
  var modules: [String] = []
}

/// The result of one run of a scenario.
struct EndedScenario: Codable, Sendable {
  var seconds = 0.0
  // Nil instead of empty, as most scenarios have none of these.
  var failures: [ScenarioFailure]?
  /// The last actions of the app, in order.
  var timeline: [TimelineEntry]?
  /// The number of actions before those of the timeline.
  var earlierActions: Int?
  var output: String?
  var usedSnapshots: Set<String>?
  var writtenSnapshots: Int?
  /// The files of the modules that the scenario's file requires.
  var modules: [String]?
  var touched: Set<CoverageItem>?
  /// The functions that a property left out, as they could reach outside the app.
  var uncalled: Set<String>?
  /// The functions that a property left out, as there are no random values for their parameters.
  var withoutValues: Set<String>?
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

/// The lines of a stream of bytes, each a message.
struct LineBuffer {
  private var rest: [UInt8] = []

  /// Adds bytes; returns the lines that are complete now.
  mutating func append(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(rest + bytes[start..<end])
      rest = []
      start = end + 1
    }
    rest += bytes[start...]
    return lines
  }
}
