import PrimereplFoundation
import PrimereplPlatform
import StateStore

/// The scenarios that failed the last time in a folder: a file for each folder in which scenarios were run.
struct RunRecord {
  private let path: String

  /// Finds the record of the working directory in the folder of all records.
  init(in folder: String) {
    let directory = FileManager.default.currentDirectoryPath
    path = "\(folder)/\(String(directory.utf8.stableHash, radix: 16)).json"
  }

  /// The keys of the scenarios that failed; nil if nothing is recorded.
  func failed() throws(RunRecordError) -> Set<String>? {
    guard FileSystem.canAccess(path) else { return nil }
    do {
      return try JSONDecoder().decode(Set<String>.self, from: Data(FileSystem.contents(of: path)))
    } catch {
      throw .damaged(path)
    }
  }

  /// Records for each scenario's key whether it failed; those that weren't run keep their records.
  func update(_ outcomes: [String: Bool]) throws(RunRecordError) {
    var failed: Set<String> = []
    do {
      failed = try self.failed() ?? []
    } catch {
      // A damaged record is replaced.
    }
    for (key, hasFailed) in outcomes {
      if hasFailed { failed.insert(key) } else { failed.remove(key) }
    }
    do {
      // For the user alone, whatever the process's mask is.
      try FileSystem.makeFolder(FilePath.folder(of: path), mode: 0o700)
      try FileSystem.replace(path, with: Array(JSONEncoder().encode(failed.sorted())), mode: 0o600)
    } catch {
      throw .unwritable(path, reason: (error as? SystemCallError)?.reason ?? error.userMessage)
    }
  }
}

typealias RunRecordError = PlainError<RunRecord>

extension RunRecordError {
  static func damaged(_ path: String) -> Self {
    Self("record_damaged", "The record of failed scenarios is damaged: remove \(path).")
  }

  static func unwritable(_ path: String, reason: String) -> Self {
    Self("record_unwritable", "The failed scenarios can't be recorded in \(path): \(reason).")
  }
}
