import Foundation
import StateStore
import Testing

@testable import StateStore

/// Finds the journals and kinds of value that the sources have.
@Suite("The combinations that are tried")
struct SourceTests {
  private static let sources = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources")

  /// The first group of a pattern in all Swift sources of some targets.
  private func names(
    _ pattern: Regex<(Substring, Substring)>, in targets: String...
  ) throws -> Set<String> {
    var names: Set<String> = []
    for target in targets {
      let folder = Self.sources.appending(path: target).path
      let files = try #require(FileManager.default.enumerator(atPath: folder))
      for case let file as String in files where file.hasSuffix(".swift") {
        let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
        names.formUnion(text.matches(of: pattern).map { String($0.1) })
      }
    }
    return names
  }

  @Test("include every journal")
  func journals() throws {
    let found = try names(
      /(?:class|struct|actor) (\w+): [^{\n]*\b(?:Shared)?Journal\b[^{\n]*\{/, in: "")
    // The tests have one of their own, too.
    #expect(found.union(["InMemoryJournal"]) == Set(JournalKind.allCases.map { "\($0.type)" }))
  }

  @Test("include every kind of value that a Swift feature can have")
  func values() throws {
    let found = try names(
      /extension (\w+): [^{\n]*\b(?:Described)?FieldValue\b[^{\n]*\{/, in: "StateStore")
    // Names of cases, and records, are extensions of the protocol itself.
    #expect(
      found == [
        "Int", "Double", "Bool", "String", "Secret", "Optional", "Array", "Date", "CalendarDate",
        "TimeStamp",
      ])
    let state = "\(EveryKind.fields.flatMap(\.fields).compactMap(\.swiftType))"
    for name in found { #expect(state.contains(name), "EveryKind has no \(name)") }
  }
}
