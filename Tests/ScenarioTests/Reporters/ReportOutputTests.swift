import Foundation
import StateStore
import Testing
import TestSupport

@testable import Scenarios

@Suite("A report's output")
struct ReportOutputTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func reporter(_ format: ReportFormat, _ path: String) throws -> any Reporter {
    try format.makeReporter(to: .file(path))
  }

  @Test(
    "can't be a file in a folder that isn't there, or a folder", arguments: ReportFormat.allCases)
  func unwritable(format: ReportFormat) {
    let missing = folder.path(of: "missing/report")
    #expect(throws: ReportError.unwritable(missing, reason: "No such file or directory")) {
      try format.makeReporter(to: .file(missing))
    }
    #expect(throws: ReportError.unwritable(folder.path, reason: "Is a directory")) {
      try format.makeReporter(to: .file(folder.path))
    }
  }

  @Test("needs a path")
  func emptyPath() {
    #expect(throws: ReportError.unwritable("''", reason: "the path is empty")) {
      try ReportFormat.json.makeReporter(to: .file(""))
    }
  }

  @Test("has neither colors nor a progress line in a file")
  func plainFile() throws {
    let path = folder.path(of: "report")
    let request = try #require(ReportRequest(argument: "pretty=\(path)"))
    let run = SampleRun(SampleRun.mixed)
    let reporter = try request.makeReporter(ReportOptions(isColored: true, progressWidth: 80))
    try reporter.runBegins(run.plan)
    try reporter.progressed(RunProgress(ended: 0, failed: 0, total: 5, running: "a"))
    try reporter.scenarioEnded(run.results[0])
    try reporter.runEnds(run.summary)
    #expect(try !folder.read("report").contains("\u{1B}"))
  }

  @Test("replaces a file of an earlier run", arguments: ReportFormat.allCases)
  func replacement(format: ReportFormat) throws {
    let path = try folder.write(String(repeating: "old", count: 100_000), to: "report")
    try SampleRun([]).write(format, to: path)
    #expect(try !folder.read("report").contains("oldold"))
    #expect(folder.files("") == ["report"])
  }

  @Test(
    "is an earlier document until the new one is complete", arguments: [ReportFormat.junit, .html])
  func document(format: ReportFormat) throws {
    let path = try folder.write("old", to: "report")
    let run = SampleRun(SampleRun.mixed)
    do {
      let unfinished = try reporter(format, path)
      try unfinished.runBegins(run.plan)
      #expect(folder.files("").count == 2)
    }
    #expect(try folder.read("report") == "old")
    #expect(folder.files("") == ["report"])
  }

  @Test(
    "is removed if it doesn't get complete", arguments: [ReportFormat.pretty, .tap, .json])
  func incomplete(format: ReportFormat) throws {
    do {
      let unfinished = try reporter(format, folder.path(of: "report"))
      try unfinished.runBegins(SampleRun(SampleRun.mixed).plan)
      #expect(folder.files("") == ["report"])
    }
    #expect(folder.files("") == [])
  }

  @Test("is at one place with another: by any path, also where no file is yet, but not /dev/null")
  func places() throws {
    let path = try folder.write("", to: "report")
    func isSame(_ first: String, _ second: String) -> Bool {
      ReportOutput.file(first).isSamePlace(as: .file(second))
    }
    #expect(isSame(path, folder.path + "/./report"))
    #expect(isSame(path + ".new", folder.path + "/./report.new"))
    #expect(!isSame(path, path + ".new"))
    #expect(!isSame("/dev/null", "/dev/null"))
    #expect(ReportOutput.standardOutput.isSamePlace(as: .standardOutput))
  }

  @Test("has each result at once", arguments: [ReportFormat.pretty, .tap, .json])
  func flushing(format: ReportFormat) throws {
    let path = folder.path(of: "report")
    let run = SampleRun(SampleRun.mixed)
    let reporter = try reporter(format, path)
    try reporter.runBegins(run.plan)
    for result in run.results {
      let size = try folder.read("report").utf8.count
      try reporter.scenarioEnded(result)
      #expect(try folder.read("report").utf8.count > size)
    }
  }

  @Test("keeps a file's permissions and a symbolic link", arguments: ReportFormat.allCases)
  func permissions(format: ReportFormat) throws {
    let path = try folder.write("old", to: "report")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let link = folder.path(of: "link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "report")
    try SampleRun([]).write(format, to: link)
    #expect(try folder.read("report") != "old")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "report")
  }

  @Test("can be a device", arguments: ReportFormat.allCases)
  func device(format: ReportFormat) throws {
    try SampleRun(SampleRun.mixed).write(format, to: "/dev/null")
    var status = stat()
    #expect(stat("/dev/null", &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFCHR)
  }

  #if os(Linux)
    @Test("reports that a disk is full", arguments: ReportFormat.allCases)
    func full(format: ReportFormat) throws {
      let expected = ReportError.unwritable("/dev/full", reason: "No space left on device")
      #expect(throws: expected) {
        try SampleRun(SampleRun.mixed).write(format, to: "/dev/full")
      }
    }
  #endif

  @Test(
    "leaves an earlier document as it was if the disk is full",
    .enabled(if: FullFileSystem.canBeMade), arguments: [ReportFormat.junit, .html])
  func fullForDocument(format: ReportFormat) throws {
    let fileSystem = try FullFileSystem(size: "64k")
    let path = fileSystem.path + "/report"
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    var result = SampleRun.failed
    result.output = String(repeating: "x", count: 60_000)
    let run = SampleRun([result, result])
    #expect(throws: ReportError.unwritable(path, reason: "No space left on device")) {
      try run.write(format, to: path)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    #expect(try FileManager.default.contentsOfDirectory(atPath: fileSystem.path) == ["report"])
  }

  @Test("isn't waited for if it is a pipe that nothing reads")
  func pipeWithoutReader() {
    let path = folder.path(of: "pipe")
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: ReportError.unwritable(path, reason: "nothing reads from this pipe")) {
      try ReportFormat.tap.makeReporter(to: .file(path))
    }
  }

  @Test("may be a pipe that doesn't wait, and a slow reader")
  func nonBlockingPipe() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    _ = fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) | O_NONBLOCK)
    let size = 1 << 20
    let writer = ends[1]
    // A thread of its own: those of Swift's pool may all be taken.
    Thread.detachNewThread {
      do {
        try ReportStream(.descriptor(writer), isReplacedAtEnd: false)
          .write(String(repeating: "x", count: size))
      } catch {
        Issue.record(error)
      }
      close(writer)
    }
    let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    #expect(try reader.readToEnd()?.count == size)
  }
}

@Suite("A text in a report")
struct ReportTextTests {
  @Test("is limited to 64 KB in every format", arguments: ReportFormat.allCases)
  func limit(format: ReportFormat) throws {
    let size = 10_000_000
    let message = String(repeating: "m", count: size)
    let result = ScenarioResult(
      SampleRun.scenario(["a"]), .failed, failures: [ScenarioFailure(.error, message)])
    let report = try SampleRun([result]).report(format)
    #expect(report.utf8.count < 300_000)
    #expect(report.contains("m... \(size - 65_536) more bytes"))
  }

  @Test("isn't cut within a character")
  func boundaries() {
    #expect(ReportText.limited("aé🎉", to: 2) == "a... 6 more bytes")
    #expect(ReportText.limited("aé🎉", to: 3) == "aé... 4 more bytes")
    #expect(ReportText.limited("aé🎉", to: 7) == "aé🎉")
  }

  @Test(
    "shows a number of seconds",
    arguments: [
      (0, "0 ms"), (0.0126, "13 ms"), (0.126, "0.13 s"), (9.994, "9.99 s"), (9.996, "10.0 s"),
      (3_600, "3600.0 s"),
    ])
  func seconds(number: Double, text: String) {
    #expect(ReportText.seconds(number) == text)
  }
}
