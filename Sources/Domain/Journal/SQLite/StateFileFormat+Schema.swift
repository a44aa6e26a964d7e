extension StateFileFormat {
  /// The journal, and the state as it is now.
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

  /// The state for people, with a column for everything they may ask for.
  static let views = """
    CREATE VIEW counter AS SELECT
      (SELECT json_extract(value, '$') FROM fields WHERE path = 'counter.count') AS count,
      (SELECT json_extract(value, '$') FROM fields WHERE path = 'counter.loading') AS loading,
      (SELECT json_extract(value, '$.title') FROM fields WHERE path = 'counter.alert') AS alert,
      (SELECT json_extract(value, '$.text') FROM fields WHERE path = 'counter.modal') AS modal;

    CREATE VIEW favorites AS SELECT
      row_number() OVER (ORDER BY ordinal) AS position,
      id AS number
    FROM records WHERE list = 'favorites' ORDER BY ordinal;

    CREATE VIEW todos AS SELECT
      row_number() OVER (ORDER BY ordinal) AS position,
      id,
      json_extract(value, '$.text') AS text,
      json_extract(value, '$.done') AS done
    FROM records WHERE list = 'todo.items' ORDER BY ordinal;

    CREATE VIEW persons AS SELECT
      row_number() OVER (ORDER BY ordinal) AS position,
      id,
      json_extract(value, '$.name') AS name,
      json_extract(value, '$.age') AS age
    FROM records WHERE list = 'persons' ORDER BY ordinal;

    CREATE VIEW landmarks AS SELECT
      row_number() OVER (ORDER BY ordinal) AS position,
      id,
      json_extract(value, '$.name') AS name,
      json_extract(value, '$.park') AS park,
      json_extract(value, '$.state') AS state,
      json_extract(value, '$.category') AS category,
      json_extract(value, '$.latitude') AS latitude,
      json_extract(value, '$.longitude') AS longitude,
      json_extract(value, '$.is_favorite') AS is_favorite,
      json_extract(value, '$.is_featured') AS is_featured
    FROM records WHERE list = 'landmarks.all' ORDER BY ordinal;
    """
}
