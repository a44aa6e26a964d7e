import PrimereplFoundation
import PrimereplPlatform
import StateStore

/// The snapshots of a scenario: files beside its own file with the texts that it expects.
final class SnapshotAccess {
  /// The treatment of a snapshot whose file is missing or differs.
  enum Mode: String, Codable, Sendable {
    /// A missing one is written, a different one is a failure.
    case write
    /// Both are failures.
    case compare
    /// Both are written.
    case update
  }

  private let folder: String
  private let mode: Mode
  /// The full name of the scenario.
  private let scenario: String

  /// The names of the files that the scenario compared or wrote.
  private(set) var usedFiles: Set<String> = []
  private(set) var writtenCount = 0

  init(of scenario: String, in file: String, mode: Mode) {
    folder = Self.folder(of: file)
    self.scenario = scenario
    self.mode = mode
  }

  /// The folder of a scenario file's snapshots: `todo.snapshots` beside `todo.scenario.lua`.
  static func folder(of file: String) -> String {
    let end = ScenarioRecording.fileNameEnd
    return (file.hasSuffix(end) ? String(file.dropLast(end.count)) : file) + ".snapshots"
  }

  private static let fileExtension = ".snapshot"

  /// The names of the snapshots of a scenario file; none if the folder can't be read.
  static func files(of file: String) -> [String] {
    do throws(SystemCallError) {
      return try FileSystem.names(in: folder(of: file)).filter { $0.hasSuffix(fileExtension) }
    } catch {
      return []
    }
  }

  /// Removes a snapshot; returns a note on the result.
  static func remove(_ path: String) -> String {
    do throws(SystemCallError) {
      try FileSystem.remove(path)
      return "\(path) removed, as no scenario uses it"
    } catch {
      return "\(path) can't be removed: \(error.reason)"
    }
  }

  /// Compares a text with its snapshot, or writes that.
  ///
  /// - Returns: The problem, and the expected text if there is one; nil without a problem.
  func compare(
    _ text: [UInt8], named name: String
  ) throws(SnapshotError) -> (problem: String, expected: [UInt8]?)? {
    let file = Self.fileName(scenario) + "." + Self.fileName(name) + Self.fileExtension
    guard usedFiles.insert(file).inserted else {
      return ("the scenario has another snapshot named \"\(name)\": give each its own name", nil)
    }
    let path = "\(folder)/\(file)"
    let expected = try content(of: path)
    guard expected.map({ Self.areEqual($0, text) }) != true else { return nil }
    switch (mode, expected) {
    case (.compare, nil):
      return ("there is no snapshot \"\(name)\" (\(path)): run without --ci to write it", nil)
    case (.write, .some(let expected)), (.compare, .some(let expected)):
      return ("the snapshot \"\(name)\" differs (\(path)): --update writes the new one", expected)
    default:
      try write(text, to: path)
      return nil
    }
  }

  /// Whether a file has a text, though Git may have given all its lines another end, as it does on Windows.
  private static func areEqual(_ content: [UInt8], _ text: [UInt8]) -> Bool {
    if content == text { return true }
    let lines = content.split(separator: lineFeed, omittingEmptySubsequences: false)
    guard lines.count > 1, lines.dropLast().allSatisfy({ $0.last == carriageReturn }) else {
      return false
    }
    return withoutCarriageReturns(lines)
      == withoutCarriageReturns(text.split(separator: lineFeed, omittingEmptySubsequences: false))
  }

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private static func withoutCarriageReturns(
    _ lines: [ArraySlice<UInt8>]
  ) -> [ArraySlice<UInt8>] {
    lines.map { $0.last == carriageReturn ? $0.dropLast() : $0 }
  }

  /// The content of a file; nil if it doesn't exist.
  private func content(of path: String) throws(SnapshotError) -> [UInt8]? {
    do throws(SystemCallError) {
      return try FileSystem.contents(of: path)
    } catch {
      guard error.errorNumber == ENOENT else { throw .unreadable(path, reason: error.reason) }
      return nil
    }
  }

  private func write(_ text: [UInt8], to path: String) throws(SnapshotError) {
    let file = "\(FilePath.name(of: folder))/\(FilePath.name(of: path))"
    guard FileSystem.isWithoutLinks(file, in: FilePath.folder(of: folder)) else {
      throw .unwritable(
        path, reason: "it is a symbolic link, or in a folder that is one; remove the link")
    }
    do throws(SystemCallError) {
      try FileSystem.makeFolder(folder)
      try FileSystem.replace(path, with: text)
    } catch {
      throw .unwritable(path, reason: error.reason)
    }
    writtenCount += 1
  }

  /// A name as a part of a file's name: letters, digits and `_`, with a hash of the name if others were replaced.
  private static func fileName(_ name: String) -> String {
    let letters = name.unicodeScalars.map { scalar -> Character in
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar == "_")
        || ("0"..."9").contains(scalar)
      return isPlain ? Character(scalar) : "-"
    }
    let plain = String(letters.prefix(80))
    guard plain != name else { return plain }
    return "\(plain)-\(String(name.utf8.stableHash & 0xFFFF_FFFF, radix: 16))"
  }
}

typealias SnapshotError = PlainError<SnapshotAccess>

extension SnapshotError {
  static func unreadable(_ path: String, reason: String) -> Self {
    Self("snapshot_unreadable", "The snapshot \(path) can't be read: \(reason).")
  }

  static func unwritable(_ path: String, reason: String) -> Self {
    Self("snapshot_unwritable", "The snapshot can't be written to \(path): \(reason).")
  }
}
