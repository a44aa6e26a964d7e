import Lua
import PrimereplFoundation
import PrimereplPlatform
import StateStore

/// The content of a scenario file, and the lines of the files that failures name.
final class ScenarioFile {
  /// The path, as it was given or found.
  let path: String
  private let source: [UInt8]
  /// The whole file.
  let chunk: CompiledChunk
  private var parts: Parts?
  private var lines: [String: [Substring]] = [:]

  /// The name of the file with the properties that hold for every app, which is part of the program.
  static let defaultProperties = "default properties"

  init(path: String) throws(FileProblem) {
    self.path = path
    guard path != Self.defaultProperties else {
      source = PackageResources.default_properties_lua
      chunk = CompiledChunk(source, name: .file(path))
      return
    }
    do throws(SystemCallError) {
      source = try FileSystem.contents(of: path)
    } catch {
      throw FileProblem(file: path, message: "the file can't be read: \(error.reason)")
    }
    chunk = CompiledChunk(source, name: .fileBytes(path.systemBytes))
  }

  var folder: String { FilePath.folder(of: path) }

  /// The maximum number of characters of a line in reports.
  private static let maximumLineLength = 500

  /// A line of a file that Lua names, with its text and, for the place of a failure, the lines around it.
  func location(
    of name: LuaString, line: Int, withExcerpt hasExcerpt: Bool = false
  ) -> SourceLocation {
    let path = String(systemBytes: name.bytes)
    let lines = lines(of: path)
    guard lines.indices.contains(line - 1) else { return SourceLocation(file: path, line: line) }
    let text = lines[line - 1].trimmingWhitespace
    var location = SourceLocation(
      file: path, line: line,
      text: Secret.hidden(in: String(text.unicodeScalars.prefix(Self.maximumLineLength))))
    if hasExcerpt { location.excerpt = Self.excerpt(of: lines, around: line) }
    return location
  }

  /// A line with the one before it and the one after it.
  private static func excerpt(of lines: [Substring], around line: Int) -> SourceLines {
    let range = max(line - 2, 0)..<min(line + 1, lines.count)
    let shown = lines[range].map { line in
      Secret.hidden(in: String(line.unicodeScalars.prefix(maximumLineLength)))
        .replacing("\t", with: "  ")
    }
    let indentation = shown.filter { !$0.isBlank }
      .map { $0.prefix { $0 == " " }.count }.min()
    return SourceLines(
      first: range.lowerBound + 1, lines: shown.map { String($0.dropFirst(indentation ?? 0)) })
  }

  /// The innermost line of the file, or of one of its modules, that a traceback names.
  func firstLocation(in traceback: String?, modules: [String]) -> SourceLocation? {
    for match in (traceback ?? "").matches(of: #/\n\s+([^\n]+?):(\d+): in /#) {
      guard let name = file(named: match.1, modules), let line = Int(match.2) else { continue }
      return location(of: LuaString(bytes: name.systemBytes), line: line)
    }
    return nil
  }

  /// The line of the file, or of one of its modules, at the beginning of an error's message, and the rest of the message.
  func location(
    inMessage text: String, modules: [String]
  ) -> (location: SourceLocation, message: String)? {
    guard let match = text.prefixMatch(of: #/([^\n]+?):(\d+): /#),
      let name = file(named: match.1, modules), let line = Int(match.2)
    else { return nil }
    return (
      location(of: LuaString(bytes: name.systemBytes), line: line, withExcerpt: true),
      String(text[match.range.upperBound...])
    )
  }

  /// The path of the file or a module by its name in messages of Lua, which has only the end of a long path; nil if it
  /// is neither.
  private func file(named name: Substring, _ modules: [String]) -> String? {
    ([path] + modules).first { path in
      let path = String(escapingInvalid: path.systemBytes)
      return name.hasPrefix("...") ? path.hasSuffix(name.dropFirst(3)) : name == path
    }
  }

  /// The lines of a file; empty if it can't be read, since they only illustrate a failure.
  private func lines(of path: String) -> [Substring] {
    if let known = lines[path] { return known }
    var found: [Substring] = []
    do throws(SystemCallError) {
      found = String(escapingInvalid: try FileSystem.contents(of: path)).split(
        omittingEmptySubsequences: false, whereSeparator: { ["\n", "\r\n", "\r"].contains($0) })
    } catch {
      // Without its lines, the failure has only the place.
    }
    lines[path] = found
    return found
  }
}

extension FileProblem: Error {}

// MARK: - Parts of long files

/// Each scenario runs in a fresh state, which loads the file: with n scenarios in it, that would take time proportional
/// to n². So the lines of the other scenarios are left out if these are plain statements of several lines:
///
///     scenario("name", function()
///       ...
///     end)
extension ScenarioFile {
  /// The source with empty lines in place of plain statements.
  private struct Parts {
    var source: [UInt8] = []
    /// By their first lines, the statements in the file, and the empty lines in their place.
    var statements: [Int: (text: Range<Int>, empty: Range<Int>)] = [:]
  }

  private static let lineEnd = UInt8(ascii: "\n")

  /// Whether leaving out scenarios may be worth finding them, which takes a run of the file.
  var hasManyStatements: Bool {
    source.split(separator: Self.lineEnd).count { Self.text($0).hasPrefix("scenario(") } >= 20
  }

  /// Finds the plain statements.
  ///
  /// `functions` has the last lines of all scenarios' functions, by the lines on which they are declared and begin.
  func findParts(functions: [Int: Int]) {
    let lines = source.split(separator: Self.lineEnd, omittingEmptySubsequences: false)
    var parts = Parts()
    var index = 0
    while index < lines.count {
      if index > 0 { parts.source.append(Self.lineEnd) }
      let first = index + 1
      if let last = functions[first],
        last > first ? Self.isPlain(lines[index], lines[last - 1]) : Self.isPlain(lines[index])
      {
        let start = parts.source.count
        parts.source += repeatElement(Self.lineEnd, count: last - first)
        parts.statements[first] = (
          lines[index].startIndex..<lines[last - 1].endIndex, start..<parts.source.count
        )
        index = last
      } else {
        parts.source += lines[index]
        index += 1
      }
    }
    self.parts = parts
  }

  /// Whether lines begin and end a statement with nothing but a declaration, whose arguments call nothing.
  private static func isPlain(_ first: ArraySlice<UInt8>, _ last: ArraySlice<UInt8>) -> Bool {
    let beginning = text(first)
    return beginning.hasPrefix("scenario(") && beginning.contains("function(")
      && beginning.count { $0 == "(" } == 2 && text(last) == "end)"
  }

  /// Whether a line is nothing but such a declaration: with one function in it, `end)` at its end is the declaration's.
  private static func isPlain(_ line: ArraySlice<UInt8>) -> Bool {
    let text = text(line)
    let functions = text.ranges(of: "function(")
    guard text.hasPrefix("scenario("), text.hasSuffix("end)"), functions.count == 1 else {
      return false
    }
    return text[..<functions[0].lowerBound].count { $0 == "(" } == 1
  }

  /// A line without the spaces around it.
  private static func text(_ line: ArraySlice<UInt8>) -> String {
    String(decoding: line, as: UTF8.self).trimmingWhitespace
  }

  /// The source without the plain statements, except for the scenario that is declared at a line.
  func source(declaring line: Int) -> [UInt8] {
    guard let parts else { return source }
    guard let (text, empty) = parts.statements[line] else { return parts.source }
    var part = parts.source
    part.replaceSubrange(empty, with: source[text])
    return part
  }

  /// The chunk that a state loads to run the scenario that is declared at a line.
  func chunk(declaring line: Int) -> CompiledChunk {
    if parts == nil { return chunk }
    return CompiledChunk(source(declaring: line), name: .fileBytes(path.systemBytes))
  }
}
