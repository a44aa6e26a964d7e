import GRDB

/// The format of a state file.
enum StateFileFormat {
  /// The format that this version writes.
  static let version = 2

  /// Gives a file this format, with the views of a schema.
  static func apply(
    to queue: DatabaseQueue, path: String, _ schema: Schema, _ program: Program
  ) throws {
    try queue.writeWithoutTransaction { database in
      // First and separately, so that a file with any content can be recognized as ours.
      if try Int.fetchOne(database, sql: "PRAGMA application_id") != Int(program.fileIdentifier) {
        try database.execute(sql: "PRAGMA application_id = \(program.fileIdentifier)")
      }
      try checkVersion(of: database, path: path)
    }
    if try queue.inDatabase(isOlder) {
      do {
        try migrator.migrate(queue)
      } catch {
        // Another process was faster.
        guard try !queue.inDatabase(isOlder) else { throw error }
      }
    }
    let views = StateViews(schema)
    if try !queue.inDatabase(views.areIn) {
      try queue.write { database in
        // Another process may have just created them.
        if try !views.areIn(database) { try views.make(in: database) }
      }
    }
    try queue.writeWithoutTransaction { database in
      guard try String.fetchOne(database, sql: "PRAGMA journal_mode") != "wal" else { return }
      try database.execute(sql: "PRAGMA journal_mode = WAL")
    }
  }

  /// Whether a file was begun but never completed: nothing was ever written to it.
  ///
  /// Earlier versions left such files when the disk was full.
  static func isHalfMade(_ database: Database) throws -> Bool {
    guard try format(of: database) == 0 else { return false }
    return try !database.tableExists("entries") && !database.tableExists("checkpoint")
  }

  /// A table that a file has lost; nil if it has all of them, or they haven't been created yet.
  static func missingTable(in database: Database) throws -> String? {
    guard try format(of: database) == version else { return nil }
    return try ["entries", "checkpoint", "identifiers", "fields", "lists", "records"].first {
      try !database.tableExists($0)
    }
  }

  private static func isOlder(_ database: Database) throws -> Bool {
    try format(of: database) < version
  }

  private static func format(of database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }

  /// Refuses a file of a newer format.
  static func checkVersion(of database: Database, path: String) throws {
    try check(format(of: database), path: path)
  }

  static func check(_ format: Int, path: String) throws {
    guard format <= version else { throw JournalError.newer(path, format: format) }
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(sql: tables)
      try database.execute(sql: "PRAGMA user_version = 1")
    }
    migrator.registerMigration("2") { database in
      try database.execute(sql: namesOfFeatures)
      try database.execute(sql: "PRAGMA user_version = 2")
    }
    return migrator
  }
}

extension StateFileFormat {
  /// The journal, and the current states.
  static let tables = """
    CREATE TABLE entries (
      number INTEGER PRIMARY KEY,
      writer TEXT NOT NULL,
      time REAL NOT NULL, -- seconds since 1970
      count INTEGER NOT NULL,
      kind TEXT NOT NULL,
      content TEXT NOT NULL
    );

    CREATE TABLE checkpoint (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      head INTEGER NOT NULL,
      content TEXT NOT NULL
    );

    CREATE TABLE identifiers (
      kind TEXT PRIMARY KEY,
      next INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE fields (
      path TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE lists (
      path TEXT PRIMARY KEY,
      count INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE records (
      list TEXT NOT NULL,
      id INTEGER NOT NULL,
      ordinal REAL NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (list, id)
    ) WITHOUT ROWID;

    CREATE INDEX records_in_order ON records (list, ordinal);
    """

  /// Names actions and states after their features, where format 1 had nested Swift cases.
  static let namesOfFeatures = """
    UPDATE entries SET content = \(action(in: "content", at: "$.action._0")) WHERE kind = 'action';

    UPDATE entries SET content = json_object('travel', content ->> '$.travel.to') WHERE kind = 'travel';

    UPDATE checkpoint SET content = json_set(
      content,
      '$.state', \(states(in: "content", at: "$.state")),
      '$.actions', (
        SELECT json_group_array(json_object(
          'time', json(done.value -> '$.time'), 'action', \(action(in: "done.value", at: "$.action"))))
        FROM json_each(content, '$.actions') AS done));
    """

  /// SQL that converts an action of format 1 to format 2.
  private static func action(in json: String, at path: String) -> String {
    """
    (SELECT CASE key
      WHEN 'reset' THEN json_object('reset', json('true'))
      WHEN 'restore' THEN json_object(
        'restore', \(states(in: "only_case.value", at: "$._0")), 'source', value ->> '$.source')
      ELSE json_object('feature', lower(key), 'action', json(value -> '$._0')) END
    FROM json_each(\(json), '\(path)') AS only_case)
    """
  }

  /// SQL that converts states of format 1 to format 2.
  private static func states(in json: String, at path: String) -> String {
    """
    json_object('features', (
      SELECT json_group_object(lower(key), json(value)) FROM json_each(\(json), '\(path)')))
    """
  }
}
