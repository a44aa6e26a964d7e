import Foundation
import Testing

@testable import Scenarios

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("A JUnit report")
struct JUnitReportTests {
  private func suites(_ run: SampleRun) throws -> [XMLNode] {
    let root = try XMLNode.parse(run.report(.junit))
    JUnitSchema.check(root)
    return root.children
  }

  @Test("has a test suite for each file, with its numbers")
  func suites() throws {
    let suites = try suites(SampleRun(SampleRun.mixed))
    #expect(
      suites.map { $0.attributes["name"] }
        == ["tests/counter.scenario.lua", "tests/todo.scenario.lua"])
    func numbers(_ name: String) -> [String?] { suites.map { $0.attributes[name] } }
    #expect(numbers("tests") == ["2", "3"])
    #expect(numbers("failures") == ["1", "0"])
    #expect(numbers("errors") == ["0", "0"])
    #expect(numbers("skipped") == ["0", "2"])
    #expect(numbers("time") == ["0.326", "1.250"])
  }

  @Test("has a test case for each scenario, named after its file and itself")
  func testcases() throws {
    let suite = try #require(try suites(SampleRun(SampleRun.mixed)).first)
    let first = try #require(suite.children.first)
    #expect(
      first.attributes
        == ["classname": "tests.counter", "name": "counter > increments", "time": "0.002"])
    #expect(first.children.isEmpty)
  }

  @Test("says why a scenario failed, and has its output")
  func failure() throws {
    let testcase = try #require(try suites(SampleRun([SampleRun.failed])).first?.children.first)
    #expect(testcase.children.map(\.name) == ["failure", "system-out"])
    let failure = testcase.children[0]
    #expect(failure.attributes["type"] == "expectation")
    #expect(failure.attributes["message"] == "The state changed in other ways than expected.")
    #expect(failure.text.contains("\n  favorites[1]          - nil\n"))
    #expect(testcase.children[1].text == "asked\tfor 7\nanswered 17\n")
  }

  @Test(
    "has failures of expectations apart from errors",
    arguments: [
      (ScenarioFailure.Kind.expectation, "failure"), (.invariant, "failure"),
      (.unfinished, "failure"), (.error, "error"), (.timeout, "error"), (.crash, "error"),
    ])
  func kinds(kind: ScenarioFailure.Kind, element: String) throws {
    let result = ScenarioResult(
      SampleRun.scenario(["a"]), .failed, failures: [ScenarioFailure(kind, "no")])
    let testcase = try #require(try suites(SampleRun([result])).first?.children.first)
    #expect(testcase.children.map(\.name) == [element])
  }

  @Test("has the reasons of scenarios that are skipped or to be done, and failures of flaky ones")
  func others() throws {
    let cases = try #require(try suites(SampleRun(SampleRun.mixed)).last?.children)
    #expect(cases.map { $0.children.first?.name } == ["flakyFailure", "skipped", "skipped"])
    #expect(
      cases.map { $0.children.first?.attributes["message"] }
        == ["It took longer than 5 s.", "needs --live", "issue 42"])
  }

  @Test("has an error for a file that can't be loaded")
  func problem() throws {
    let suite = try #require(try suites(SampleRun([], problems: [SampleRun.problem])).first)
    #expect(suite.attributes["errors"] == "1")
    let testcase = try #require(suite.children.first)
    #expect(testcase.attributes["name"] == "line 3")
    #expect(testcase.children.first?.attributes["message"] == "unexpected symbol near 'end'")
  }

  @Test("has an error if the run is interrupted")
  func interruption() throws {
    var run = SampleRun(SampleRun.mixed, isInterrupted: true)
    run.results.removeLast(4)
    let suites = try suites(run)
    #expect(
      suites.map { $0.attributes["name"] } == ["tests/counter.scenario.lua", "primerepl test"])
    #expect(suites[0].attributes["tests"] == "1")
    #expect(
      suites[1].children.first?.children.first?.attributes["message"]
        == "Interrupted after 1 of 5 scenarios.")
  }

  @Test("has one suite for a file, even if the scenarios are shuffled")
  func shuffled() throws {
    let suites = try suites(SampleRun([2, 0, 3, 1, 4].map { SampleRun.mixed[$0] }))
    #expect(suites.map { $0.attributes["tests"] } == ["2", "3"])
  }

  @Test("is well-formed and valid, and shows characters that XML has no place for")
  func hostile() throws {
    let testcase = try #require(try suites(SampleRun.hostileRun).first?.children.first)
    let name = try #require(testcase.attributes["name"])
    #expect(name.hasPrefix("]]>&<script>\"'\\#\\x00\\x07\\x1b[2J\\r\\n\\u{9b}31m\\u{202e}evil"))
    #expect(name.contains("\\u{fffe}\\u{ffff}\\u{feff}\\u{e0041}\\x80\\u{10ffff}</script>"))
    #expect(testcase.children.last?.text.hasPrefix("]]>&<script>") == true)
  }

  @Test("is one of no suites for no scenarios")
  func nothing() throws {
    #expect(try suites(SampleRun([])).isEmpty)
  }
}

/// An element of an XML document.
final class XMLNode {
  let name: String
  let attributes: [String: String]
  fileprivate(set) var children: [XMLNode] = []
  fileprivate(set) var text = ""

  fileprivate init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// Parses a document.
  static func parse(_ text: String) throws -> XMLNode {
    let builder = XMLBuilder()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = builder
    let isValid = parser.parse()
    #expect(isValid, "\(String(describing: parser.parserError))")
    return try #require(builder.root)
  }
}

private final class XMLBuilder: NSObject, XMLParserDelegate {
  var root: XMLNode?
  private var open: [XMLNode] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let node = XMLNode(name: name, attributes: attributes)
    open.last?.children.append(node)
    open.append(node)
    if root == nil { root = node }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    open.last?.text += text
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
  }
}

/// The part of Jenkins' schema, junit-10.xsd, that reports use.
private enum JUnitSchema {
  private static let children: [String: Set<String>] = [
    "testsuites": ["testsuite"], "testsuite": ["testcase"],
    "testcase": ["skipped", "error", "failure", "flakyFailure", "system-out"],
  ]
  private static let attributes: [String: (required: Set<String>, optional: Set<String>)] = [
    "testsuites": ([], ["name"]),
    "testsuite": (["name", "tests", "failures", "errors"], ["skipped", "time", "timestamp"]),
    "testcase": (["name"], ["classname", "time"]), "flakyFailure": (["type"], ["message"]),
    "failure": ([], ["type", "message"]), "error": ([], ["type", "message"]),
    "skipped": ([], ["type", "message"]),
  ]

  static func check(_ node: XMLNode) {
    let allowed = attributes[node.name] ?? ([], [])
    let names = Set(node.attributes.keys)
    #expect(names.isSuperset(of: allowed.required))
    #expect(names.isSubset(of: allowed.required.union(allowed.optional)))
    #expect(Set(node.children.map(\.name)).isSubset(of: children[node.name] ?? []))
    if node.name == "testsuite" { checkNumbers(node) }
    for child in node.children { check(child) }
  }

  private static func checkNumbers(_ suite: XMLNode) {
    func count(_ element: String) -> String {
      String(suite.children.filter { $0.children.contains { $0.name == element } }.count)
    }
    #expect(suite.attributes["tests"] == String(suite.children.count))
    #expect(suite.attributes["failures"] == count("failure"))
    #expect(suite.attributes["errors"] == count("error"))
    #expect(suite.attributes["skipped"] == count("skipped"))
    #expect(suite.attributes["time"]?.wholeMatch(of: /[0-9]+\.[0-9]{3}/) != nil)
    let timestamp = /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}/
    #expect(suite.attributes["timestamp"]?.wholeMatch(of: timestamp) != nil)
  }
}
