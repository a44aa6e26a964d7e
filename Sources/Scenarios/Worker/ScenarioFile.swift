import Foundation
import Lua
import StateStore
import Platform

/// A scenario file that was read, and the lines of the files that failures name.
final class ScenarioFile {
  /// The path, as it was given or found.
  let path: String
  private let source: [UInt8]
  /// The whole file.
  let chunk: CompiledChunk
  private lazy var outline = ScenarioOutline(source)
  private var lines: [String: [Substring]] = [:]

  /// The ending of the names of scenario files.
  static let suffix = ".scenario.lua"

  /// The name of the file with the properties that hold for every app, which is part of the program.
  static let defaultProperties = "default properties"

  /// Reads a file.
  ///
  /// - Throws: `FileProblem` if it can't be read.
  init(path: String) throws(FileProblem) {
    self.path = path
    guard path != Self.defaultProperties else {
      source = PackageResources.default_properties_lua
      chunk = CompiledChunk(source, name: .file(path))
      return
    }
    guard let bytes = Files.contents(of: path) else {
      throw FileProblem(file: path, message: "the file can't be read: \(SystemFailure.reason)")
    }
    source = bytes
    chunk = CompiledChunk(bytes, name: .fileBytes(path.systemBytes))
  }

  /// The fewest scenarios of a file from which on the others are left out to run one.
  private static let fewestForParts = 20

  /// What is loaded to run a scenario that is declared otherwise than by a plain statement.
  private lazy var chunkWithoutStatements = CompiledChunk(
    outline.sourceWithoutStatements, name: .fileBytes(path.systemBytes))

  /// What a state loads to run the scenario that is declared at a line: the file or, if it is long, a part of it.
  func chunk(declaring line: Int) -> CompiledChunk {
    guard outline.statements.count >= Self.fewestForParts else { return chunk }
    guard let part = outline.source(keeping: line) else { return chunkWithoutStatements }
    return CompiledChunk(part, name: .fileBytes(path.systemBytes))
  }

  /// The folder that contains the file.
  var folder: String { FilePath.folder(of: path) }

  /// A line of a file that Lua names, with its text.
  func location(of name: LuaString, line: Int) -> SourceLocation {
    let path = String(systemBytes: name.bytes)
    let lines = lines(of: path)
    let text =
      lines.indices.contains(line - 1) ? lines[line - 1].trimmingCharacters(in: .whitespaces) : nil
    return SourceLocation(
      file: path, line: line, text: text.map { String($0.unicodeScalars.prefix(500)) })
  }

  /// The innermost line of the file, or of one of its modules, that a traceback names.
  func firstLocation(in traceback: String?, modules: [String]) -> SourceLocation? {
    for match in (traceback ?? "").matches(of: #/\n\s+([^\n]+?):(\d+): in /#) {
      guard let name = file(named: match.1, modules), let line = Int(match.2) else { continue }
      return location(of: LuaString(bytes: name.systemBytes), line: line)
    }
    return nil
  }

  /// The line of the file, or of one of its modules, with which an error's message begins, and the rest of the message.
  func location(
    inMessage text: String, modules: [String]
  ) -> (location: SourceLocation, message: String)? {
    guard let match = text.prefixMatch(of: #/([^\n]+?):(\d+): /#),
      let name = file(named: match.1, modules), let line = Int(match.2)
    else { return nil }
    return (
      location(of: LuaString(bytes: name.systemBytes), line: line),
      String(text[match.range.upperBound...])
    )
  }

  /// The path of the file or a module by its name in messages of Lua, which has only the end of a long path; nil if it
  /// is neither.
  private func file(named name: Substring, _ modules: [String]) -> String? {
    ([path] + modules).first { path in
      let path = path.shownSystemText
      return name.hasPrefix("...") ? path.hasSuffix(name.dropFirst(3)) : name == path
    }
  }

  /// The lines of a file; empty if it can't be read, since they only illustrate a failure.
  private func lines(of path: String) -> [Substring] {
    if let known = lines[path] { return known }
    let found = String(escapingInvalid: Files.contents(of: path) ?? []).split(
      separator: "\n", omittingEmptySubsequences: false)
    lines[path] = found
    return found
  }
}

extension FileProblem: Error {}
