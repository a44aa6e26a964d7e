internal import CPostgres
import PrimereplPlatform
import StateStore
import Synchronization

/// The functions of libpq, loaded for the first session on a server.
///
/// The library isn't linked: programs that use no server neither need it nor start slower. The functions' types are those
/// of `libpq-fe.h`.
struct PostgresLibrary: Sendable {
  private let parse: cpostgres_parse_function
  private let freeOptions: cpostgres_free_options_function
  let connect: cpostgres_connect_function
  let finish: cpostgres_finish_function
  let status: cpostgres_status_function
  let errorMessage: cpostgres_error_message_function
  let socket: cpostgres_socket_function
  let backend: cpostgres_backend_function
  let setNonblocking: cpostgres_set_nonblocking_function
  let send: cpostgres_send_function
  let sendScript: cpostgres_send_script_function
  let flush: cpostgres_flush_function
  let consume: cpostgres_consume_function
  let isBusy: cpostgres_is_busy_function
  let getResult: cpostgres_get_result_function
  let resultStatus: cpostgres_result_status_function
  let errorField: cpostgres_error_field_function
  let count: cpostgres_count_function
  let columns: cpostgres_count_function
  let value: cpostgres_value_function
  let length: cpostgres_cell_function
  let isNull: cpostgres_cell_function
  let clear: cpostgres_clear_function
  let notifies: cpostgres_notifies_function
  let free: cpostgres_free_function
  let setNotices: cpostgres_set_notices_function
  let setVerbosity: cpostgres_set_verbosity_function

  #if canImport(Darwin)
    private static let names = [
      "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
      "/usr/local/opt/libpq/lib/libpq.5.dylib",
    ]
  #else
    private static let names = ["libpq.so.5", "libpq.so"]
  #endif

  private static let library = Mutex<PostgresLibrary?>(nil)

  /// The library, loaded by the first call that succeeds; it stays loaded.
  ///
  /// - Throws: `JournalError.unreachable` if it isn't installed.
  static func loaded(for address: String) throws(JournalError) -> PostgresLibrary {
    do throws(DynamicLibrary.Problem) {
      return try library.withLock { library throws(DynamicLibrary.Problem) in
        if let library { return library }
        let loaded = try PostgresLibrary(DynamicLibrary(names: names))
        library = loaded
        return loaded
      }
    } catch {
      throw .unreachable(
        address,
        reason: "the library libpq can't be loaded (\(error.reason)): install it with "
          + "\"apt install libpq5\" (Debian, Ubuntu) or \"brew install libpq\" (macOS)")
    }
  }

  private init(_ library: DynamicLibrary) throws(DynamicLibrary.Problem) {
    parse = try library.function("PQconninfoParse")
    freeOptions = try library.function("PQconninfoFree")
    connect = try library.function("PQconnectdbParams")
    finish = try library.function("PQfinish")
    status = try library.function("PQstatus")
    errorMessage = try library.function("PQerrorMessage")
    socket = try library.function("PQsocket")
    backend = try library.function("PQbackendPID")
    setNonblocking = try library.function("PQsetnonblocking")
    send = try library.function("PQsendQueryParams")
    sendScript = try library.function("PQsendQuery")
    flush = try library.function("PQflush")
    consume = try library.function("PQconsumeInput")
    isBusy = try library.function("PQisBusy")
    getResult = try library.function("PQgetResult")
    resultStatus = try library.function("PQresultStatus")
    errorField = try library.function("PQresultErrorField")
    count = try library.function("PQntuples")
    columns = try library.function("PQnfields")
    value = try library.function("PQgetvalue")
    length = try library.function("PQgetlength")
    isNull = try library.function("PQgetisnull")
    clear = try library.function("PQclear")
    notifies = try library.function("PQnotifies")
    free = try library.function("PQfreemem")
    setNotices = try library.function("PQsetNoticeProcessor")
    setVerbosity = try library.function("PQsetErrorVerbosity")
  }

  /// A setting of a connection that an address has.
  struct Option {
    let name: String
    let value: String
    let isPassword: Bool
  }

  /// The settings that an address has; nil if libpq can't read it.
  func options(in address: String) -> [Option]? {
    var message: UnsafeMutablePointer<CChar>?
    guard let first = parse(address, &message) else {
      // It quotes the address.
      free(message)
      return nil
    }
    defer { freeOptions(first) }
    var options: [Option] = []
    var next = first
    while let name = next.pointee.keyword {
      if let value = next.pointee.val {
        // An asterisk marks a password, and D what users don't set.
        let display = next.pointee.dispchar.map { String(cString: $0) }
        options.append(
          Option(
            name: String(cString: name), value: String(cString: value), isPassword: display == "*"))
      }
      next += 1
    }
    return options
  }
}
