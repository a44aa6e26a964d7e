import Foundation
import Lua
import Scripting
import StateStore
import Platform

/// The services of an app that uses only the files of `store.export` and `store.import`.
struct LocalServices: ScriptServices {
  var identifiers: any IdentifierSource
  var clock: any Clock<Duration>
  var stubs: any ServiceStubs
  private let isSandboxed: Bool

  init(_ options: ServiceOptions) {
    identifiers = options.identifiers
    (clock, stubs) = (options.clock, options.stubs)
    isSandboxed = options.isSandboxed
  }

  func checkWaiting() throws { try Threads.check() }

  func export(_ text: String, to path: String) throws {
    let name = ExternalText.quoted(path.shownSystemText)
    guard !isSandboxed else { throw ExportError.notAllowed(name) }
    guard let file = Self.expanded(path) else { throw ExportError.badPath(name) }
    try DocumentFile.write(text, to: file, name: name)
  }

  func importStates(
    of schema: Schema, from path: String
  ) async throws -> (states: States, source: String?) {
    let name = ExternalText.quoted(path.shownSystemText)
    guard !isSandboxed else { throw ImportError.notAllowed(name) }
    guard let file = Self.expanded(path) else {
      throw ImportError.badPath(name, reason: "not a file's path: name a file to read")
    }
    let content: Data
    do throws(DocumentFile.Problem) {
      content = try DocumentFile.read(file, maximumSize: StateDocument.maximumSize)
    } catch {
      throw ImportError.unreadable(name, reason: Self.reason(of: error))
    }
    do throws(DocumentError) {
      return (try StateDocument.states(from: content, schema), path)
    } catch {
      throw ImportError.wrongShape(name, reason: error.message)
    }
  }

  private static func reason(of problem: DocumentFile.Problem) -> String {
    switch problem {
    case .notFound: "there is no such file"
    case .unreadable(let reason): reason
    case .tooLarge: "it has more than \(StateDocument.maximumSize) bytes"
    case .cancelled: "the task was cancelled"
    }
  }

  /// The path that a user means; nil if it isn't a valid path.
  private static func expanded(_ path: String) -> String? {
    guard !path.isEmpty else { return nil }
    do throws(FilePath.Problem) {
      return try FilePath.expanding(path)
    } catch {
      return nil
    }
  }
}
