import Lua
import PrimereplPlatform
import Scripting
import StateStore

/// The declarations and failures of a scenario file in one state.
final class ScenarioHost {
  let file: ScenarioFile
  let snapshots: SnapshotAccess
  let folders: TemporaryFolders
  private(set) var declarations: [ScenarioDescription] = []
  private(set) var failures: [ScenarioFailure] = []
  private var linesByName: [String: Int] = [:]
  /// The last lines of the scenarios' functions, by their first, which are those of their declarations.
  private(set) var functions: [Int: Int] = [:]
  /// The full name of the scenario to run; nil to list all.
  private let wanted: String?

  init(
    _ file: ScenarioFile, running wanted: String?, snapshots: SnapshotAccess,
    folders: TemporaryFolders
  ) {
    self.file = file
    self.wanted = wanted
    self.snapshots = snapshots
    self.folders = folders
  }

  /// The most failures of a scenario that are kept: one in a loop would fill the memory.
  private static let mostFailures = 100

  func fail(_ failure: ScenarioFailure) {
    if failures.count < Self.mostFailures { failures.append(failure) }
  }

  /// Adds to the message of the first failure how it came about.
  func explainFirstFailure(with text: String) {
    guard let first = failures.first else { return }
    failures[0] = first.explained(with: text)
  }

  private func declare(_ declared: ScenarioDescription) {
    var scenario = declared
    if let earlier = linesByName.updateValue(scenario.line, forKey: scenario.fullName) {
      scenario.mode = .invalid
      scenario.reason = "another scenario has this name, at line \(earlier): give each its own"
    }
    declarations.append(scenario)
  }

  // MARK: - Functions for the vocabulary

  func addFunctions(to host: HostFunctions) throws {
    try host.add("declare") {
      [unowned self]
      (
        names: [LuaString], tags: [LuaString], line: Int, mode: String, reason: LuaString?,
        isOnly: Bool, timeLimit: Double?, caseKey: String?, lastLine: Int?
      ) in
      // Those of a loop have the same line.
      functions[line] = functions[line] == nil ? lastLine : 0
      declare(
        ScenarioDescription(
          id: .init(file: file.path, number: declarations.count + 1),
          names: names.map(\.shownName), line: line, tags: tags.map(\.shownName),
          mode: ScenarioDescription.Mode(rawValue: mode) ?? .run, reason: reason?.shortText,
          isOnly: isOnly, timeLimit: timeLimit, caseKey: caseKey))
    }
    try host.add("is_wanted") { [wanted] (names: [LuaString]) in names.fullName == wanted }
    try host.add("fail") {
      [unowned self, unowned state = host.state]
      (
        kind: String, message: LuaString, files: [LuaString], lines: [Int],
        differences: [ValueDifference]
      ) in
      let calls = zip(files, lines).enumerated().map { index, call in
        file.location(of: call.0, line: call.1, withExcerpt: index == 0)
      }
      fail(
        ScenarioFailure(
          ScenarioFailure.Kind(rawValue: kind) ?? .error,
          Secret.usedHidden(in: state.namingGlobal(in: message.limitedText)), at: calls.first,
          callers: Array(calls.dropFirst()), differences: differences))
    }
    // The text of a line of a file; nil if it can't be read.
    try host.add("source_line") { [file] (path: LuaString, line: Int) in
      file.location(of: path, line: line).text
    }
    // The message for a name that doesn't exist.
    try host.add("unknown") { (subject: String, name: LuaString, names: String) -> String in
      let names = names.split(separator: " ").map(String.init)
      let nearest = name.shortText.suggestion(of: names)
      return "\(subject) '\(name.shortText)'"
        + (nearest ?? ": it has \(names.joined(separator: ", "))")
    }
    // Texts of two values, with what can't be seen as escapes.
    try host.add("distinct") { (expected: LuaString, actual: LuaString) -> (String, String) in
      let texts = DistinctTexts(expected.limitedText, actual.limitedText)
      return (texts.expected, texts.actual)
    }
    // The number of bytes that have been printed, and the text after some of them.
    try host.add("output_size") { () in CapturedOutput.size }
    try host.add("output_after") { (start: Int) in
      LuaString(bytes: CapturedOutput.bytes(after: start))
    }
    try host.add("temporary_folder") { [folders] () in
      LuaString(bytes: try folders.make().systemBytes)
    }
    // Returns the problem with a snapshot, and the text of its file.
    try host.add("snapshot") {
      [snapshots] (name: LuaString, text: LuaString) -> (String?, LuaString?) in
      let difference = try snapshots.compare(text.bytes, named: name.shortText)
      return (difference?.problem, difference?.expected.map { LuaString(bytes: $0) })
    }
  }
}

extension LuaState {
  /// The message, with the global variable that was probably meant if it says that one is nil, or with other advice.
  fileprivate func namingGlobal(in message: String) -> String {
    if let advice = MessageAdvice.loop(in: message) { return message + advice }
    guard let match = message.firstMatch(of: /a nil value \(global '(\w+)'\)$/) else {
      return message
    }
    if let advice = DeclarationVocabulary.advice(onGlobal: String(match.1)) {
      return "\(message); \(advice)"
    }
    var names: [String] = []
    do throws(LuaError) {
      try globals().forEachStringKey(atMost: 10_000) { key, _ in
        names.append(String(decoding: key, as: UTF8.self))
      }
    } catch {
      // Memory is short: the message alone is enough.
    }
    return message + (String(match.1).suggestion(of: names) ?? "")
  }
}

/// Functions in Swift for the vocabulary, in a table that only it sees.
struct HostFunctions {
  let table: LuaTable
  fileprivate let state: LuaState

  init(in state: LuaState) throws(LuaError) {
    self.state = state
    table = try state.makeTable()
  }

  func add<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, _ body: @escaping (repeat each Argument) throws -> (repeat each Value)
  ) throws(LuaError) {
    try table.set(name, to: state.function(name, body: body))
  }
}

extension ValueDifference: LuaReadable {
  static var luaTypeName: String { "table" }

  /// Reads a difference as the vocabulary passes it: `{path=, expected=, actual=}`.
  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    // Without an object of a table: a finalizer may fail when the state has no more of them.
    let fields = try [String: LuaString].read(from: stack, at: index)
    var (expected, actual) = (fields["expected"]?.limitedText, fields["actual"]?.limitedText)
    if let first = expected, let second = actual {
      let texts = DistinctTexts(first, second)
      (expected, actual) = (texts.expected, texts.actual)
    }
    return Self(path: fields["path"]?.shortText ?? "", expected: expected, actual: actual)
  }
}

extension LuaString {
  /// The text, in which `\xff` stands for a byte that isn't UTF-8, cut to the length of a name.
  var shortText: String { text(limitedTo: 1000) }

  /// The text as a scenario's name or tag: on one line, so that it can be typed.
  var shownName: String { shortText.printable }

  /// The text, in which `\xff` stands for a byte that isn't UTF-8, cut to what a report can show.
  var limitedText: String { text(limitedTo: 64 * 1024) }

  private func text(limitedTo limit: Int) -> String {
    ReportText.beginning(bytes.prefix(limit), of: bytes.count)
  }
}
