import Foundation
import StateStore

/// Reads a file that a user named, wherever that leads.
enum SourceFile {
  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - path: the path, relative to the working directory.
  ///   - name: the source's name for errors.
  ///   - maximumSize: the largest size in bytes.
  /// - Returns: the content.
  /// - Throws: `SourceError`.
  static func read(
    _ path: String, name: String, maximumSize: Int
  ) throws(SourceError) -> Data {
    do throws(DocumentFile.Problem) {
      return try DocumentFile.read(path, maximumSize: maximumSize)
    } catch {
      switch error {
      case .notFound: throw .notFound(name)
      case .unreadable(let reason): throw .unreadable(name, reason: reason)
      case .tooLarge: throw .tooLarge(name, maximumSize: maximumSize)
      case .cancelled: throw .cancelled(name)
      }
    }
  }
}
