internal import CLibpq
internal import Foundation

/// A connection to a PostgreSQL server, which waits for each statement.
///
/// Safe to send: one thread after the other uses it.
final class LibpqConnection: @unchecked Sendable {
  private let handle: OpaquePointer

  init(_ address: String) throws {
    guard let handle = PQconnectdb(address) else { throw BenchmarkError.outOfMemory }
    self.handle = handle
    guard PQstatus(handle) == CONNECTION_OK else { throw failure }
  }

  deinit { PQfinish(handle) }

  private var failure: BenchmarkError {
    .commandFailed(String(cString: PQerrorMessage(handle)))
  }

  /// Runs a statement, and returns the values of its rows.
  @discardableResult
  func run(_ statement: String, _ parameters: String...) throws -> [[String]] {
    let copies = parameters.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let result = PQexecParams(
      handle, statement, Int32(copies.count), nil, copies.map { UnsafePointer($0) }, nil, nil, 0)
    defer { PQclear(result) }
    guard [PGRES_TUPLES_OK, PGRES_COMMAND_OK].contains(PQresultStatus(result)) else {
      throw failure
    }
    let columns = PQnfields(result)
    return (0..<PQntuples(result)).map { row in
      (0..<columns).map { String(cString: PQgetvalue(result, row, $0)) }
    }
  }
}
