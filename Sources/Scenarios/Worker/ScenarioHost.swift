import Lua
import Scripting
import StateStore
import Platform

/// What the vocabulary asks of Swift, for one state: declarations, failures, changes of the app's state, files.
final class ScenarioHost {
  let file: ScenarioFile
  let snapshots: SnapshotAccess
  let folders: TemporaryFolders
  private(set) var declarations: [ScenarioDescription] = []
  private(set) var failures: [ScenarioFailure] = []
  private var linesByName: [String: Int] = [:]
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

  private func declare(
    _ names: [String], _ tags: [String], _ line: Int, _ mode: ScenarioDescription.Mode,
    _ isOnly: Bool, _ timeLimit: Double?, _ caseKey: String?
  ) {
    var mode = mode
    let fullName = names.joined(separator: " > ")
    if let earlier = linesByName.updateValue(line, forKey: fullName) {
      mode = .invalid(
        message: "another scenario has this name, at line \(earlier): give each its own")
    }
    declarations.append(
      ScenarioDescription(
        id: .init(file: file.path, number: declarations.count + 1), names: names, line: line,
        tags: tags, mode: mode, isOnly: isOnly, timeLimit: timeLimit, caseKey: caseKey))
  }

  // MARK: - The module

  /// The functions, which only the vocabulary sees.
  func makeModule(
    of monitor: StoreMonitor, _ stubs: ScenarioStubs, _ app: AppMembers, in state: LuaState
  ) -> LuaModule {
    let module = LuaModule("host", help: "What the vocabulary of scenarios uses.")
    addReports(to: module)
    monitor.addMembers(to: module)
    stubs.addMembers(to: module)
    app.addMembers(to: module, in: state)
    module.function(
      "temporary_folder", help: "Makes a folder that is removed when the scenario ends.",
      example: "host.temporary_folder()"
    ) { [folders] () in LuaString(bytes: try folders.make().systemBytes) }
    module.function(
      "snapshot", "name", "text",
      help: "Compares a text with a file's; returns what is wrong, and the file's text.",
      example: "host.snapshot(\"menu\", text)"
    ) { [snapshots] (name: LuaString, text: LuaString) -> (String?, LuaString?) in
      let difference = try snapshots.compare(text.bytes, named: name.shortText)
      return (difference?.problem, difference?.expected.map { LuaString(bytes: $0) })
    }
    return module
  }

  private func addReports(to module: LuaModule) {
    module.function(
      "declare", "names", "tags", "line", "mode", "reason", "only", "timeout", "case_key",
      help: "Declares a scenario.",
      example: "host.declare({\"name\"}, {}, 1, \"run\", \"\", false, nil, nil)"
    ) {
      [unowned self]
      (
        names: [LuaString], tags: [LuaString], line: Int, mode: String, reason: LuaString,
        isOnly: Bool, timeLimit: Double?, caseKey: String?
      ) in
      declare(
        names.map(\.shownName), tags.map(\.shownName), line,
        ScenarioDescription.Mode(mode, reason: reason.shortText), isOnly, timeLimit,
        caseKey)
    }
    module.function(
      "is_wanted", "names", help: "Whether a scenario of these names is the one to run.",
      example: "host.is_wanted({\"group\", \"name\"})"
    ) { [wanted] (names: [LuaString]) in names.fullName == wanted }
    module.function(
      "fail", "kind", "message", "files", "lines", "differences", help: "Records a failure.",
      example: "host.fail(\"error\", \"message\", {}, {}, {})"
    ) {
      [unowned self]
      (
        kind: String, message: LuaString, files: [LuaString], lines: [Int],
        differences: [ComparedValues]
      ) in
      let calls = zip(files, lines).map { file.location(of: $0, line: $1) }
      fail(
        ScenarioFailure(
          ScenarioFailure.Kind(rawValue: kind) ?? .error, message.limitedText, at: calls.first,
          callers: Array(calls.dropFirst()), differences: differences.map(\.difference)))
    }
    module.function(
      "unknown", "subject", "name", "names", help: "The message for a name that doesn't exist.",
      example: "host.unknown(\"expect has no function\", \"eqal\", \"equal near\")"
    ) { (subject: String, name: LuaString, names: String) in
      let names = names.split(separator: " ").map(String.init)
      let nearest = name.shortText.suggestion(of: names)
      return "\(subject) '\(name.shortText)'"
        + (nearest ?? ": it has \(names.joined(separator: ", "))")
    }
  }
}

extension ScenarioDescription.Mode {
  /// The mode by its name in the vocabulary.
  fileprivate init(_ name: String, reason: String) {
    switch name {
    case "skip": self = .skip(reason: reason)
    case "todo": self = .todo(reason: reason)
    case "invalid": self = .invalid(message: reason)
    default: self = .run
    }
  }
}

/// A difference as the vocabulary passes it: `{path=, expected=, actual=}`.
struct ComparedValues: LuaReadable {
  let difference: ValueDifference

  static var luaTypeName: String { "table" }

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    // Without an object of a table: a finalizer may fail when the state has no more of them.
    let fields = try [String: LuaString].read(from: stack, at: index)
    return Self(
      difference: ValueDifference(
        path: fields["path"]?.shortText ?? "", expected: fields["expected"]?.limitedText,
        actual: fields["actual"]?.limitedText))
  }
}

extension LuaString {
  /// The text, in which `\xff` stands for a byte that isn't UTF-8, cut to the length of a name.
  var shortText: String { text(limitedTo: 1000) }

  /// The text as a scenario's name or tag: on one line, so that it can be typed.
  var shownName: String { shortText.escapingControls.replacing("\n", with: "\\n") }

  /// The text, in which `\xff` stands for a byte that isn't UTF-8, cut to what a report can show.
  var limitedText: String { text(limitedTo: 64 * 1024) }

  private func text(limitedTo limit: Int) -> String {
    guard bytes.count > limit else { return String(escapingInvalid: bytes) }
    return String(escapingInvalid: bytes.prefix(limit))
      + " ... \(bytes.count - limit) more bytes"
  }
}
