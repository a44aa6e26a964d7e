import CSQLite

/// A SQLite file by itself, without its log, of which single pages are read.
///
/// SQLite's own reading checks the file as a whole, and without its log it isn't whole while another process copies pages from
/// the log to it. The file is opened and closed by SQLite all the same: so this process keeps its locks on it (see
/// `OpenFiles`).
struct BareFile: ~Copyable {
  private let connection: OpaquePointer
  private let pageSize: Int
  /// SQLite's number of the schema.
  let schema: Int64

  /// Nil for what isn't a SQLite file, or can't be read.
  init?(path: String) {
    var opened: OpaquePointer?
    let result = path.withSystemBytes { sqlite3_open_v2($0, &opened, SQLITE_OPEN_READONLY, nil) }
    guard result == SQLITE_OK, let opened,
      let bytes = Self.read(StateFileHeader.size, at: 0, of: opened),
      let header = StateFileHeader(bytes), let pageSize = header.pageSize,
      let schema = header.schema
    else {
      sqlite3_close(opened)
      return nil
    }
    connection = opened
    self.pageSize = pageSize
    self.schema = schema
  }

  deinit { sqlite3_close(connection) }

  /// A page, of which the first has the number 1; nil where it can't be read.
  func page(_ number: Int) -> BTreePage? {
    guard (1...Int(UInt32.max)).contains(number),
      let bytes = Self.read(pageSize, at: (number - 1) * pageSize, of: connection)
    else { return nil }
    return BTreePage(bytes[...], isFirst: number == 1)
  }

  private static func read(_ count: Int, at offset: Int, of connection: OpaquePointer) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = csqlite_read_file(connection, &bytes, Int32(count), Int64(offset))
    return result == SQLITE_OK ? bytes : nil
  }
}
